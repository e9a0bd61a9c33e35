use std::collections::BTreeSet;

use super::*;
use crate::{
    base::{FileId, Files, Span, Spanned},
    config::{Forbid, ForbiddenCrate},
};

/// Rules that ask for some packs and nothing else.
pub(in crate::config) struct TestRules(pub(in crate::config) Rules, Span);

pub(in crate::config) fn rules(packs: &[PackName]) -> TestRules {
    let file: FileId = Files::new("/w").add("/w/lease-guard.toml".into(), String::new());
    let forbid = Forbid { packs: packs.to_vec(), crates: vec![], calls: vec![], strings: vec![] };
    let (source_roots, leases, lints, exceptions) = (vec![], vec![], vec![], vec![]);
    TestRules(Rules { file, source_roots, leases, forbid, lints, exceptions }, Span { file, start: 0, end: 0 })
}

impl TestRules {
    fn at(&self, text: &str) -> Spanned<String> {
        Spanned { value: text.to_owned(), span: self.1 }
    }

    pub(in crate::config) fn forbid_crate(&mut self, name: &str, reason: Option<&str>) {
        let entry = ForbiddenCrate { name: self.at(name), reason: reason.map(str::to_owned) };
        self.0.forbid.crates.push(entry);
    }

    pub(in crate::config) fn forbid_call(&mut self, call: &str) {
        let call = self.at(call);
        self.0.forbid.calls.push(call);
    }

    pub(in crate::config) fn forbid_string(&mut self, string: &str) {
        let string = self.at(string);
        self.0.forbid.strings.push(string);
    }

    fn joined(&self) -> InForce {
        InForce::new(&self.0, &Packs::embedded().expect("packs"))
    }
}

pub(in crate::config) fn in_force(packs: &[PackName]) -> InForce {
    rules(packs).joined()
}

fn path(text: &str) -> Vec<&str> {
    text.split("::").filter(|segment| !segment.is_empty()).collect()
}

fn features(of: &[&str]) -> BTreeSet<String> {
    of.iter().map(|feature| (*feature).to_owned()).collect()
}

#[test]
fn a_client_is_found_by_its_package_however_it_is_spelt() {
    let all = in_force(&PackName::ALL);
    for (asked, package, pack) in [
        ("reqwest", "reqwest", PackName::HttpClients),
        ("tokio_tungstenite", "tokio-tungstenite", PackName::HttpClients),
        ("deepseekclient-rs", "deepseekClient-rs", PackName::ModelClients),
        ("rig-core", "rig-core", PackName::ModelClients),
        ("candle_core", "candle-core", PackName::InferenceRuntimes),
        ("reqwest-middleware", "reqwest-middleware", PackName::HttpClients),
    ] {
        let client = all.client(asked).expect(asked);
        assert_eq!((client.package, client.pack), (package, Some(pack)));
    }
    for harmless in ["http", "http-body", "bytes", "url", "tower", "axum", "tokio", "grok", "piper", "rdkafka", "kube"]
    {
        assert_eq!(all.client(harmless), None, "{harmless}");
    }
}

#[test]
fn a_pack_that_is_not_asked_for_is_off_with_its_calls_and_strings() {
    let http = in_force(&[PackName::HttpClients]);
    assert!(http.client("ureq").is_some() && http.client("async-openai").is_none());
    assert!(http.transport("libc", &["connect"]).is_none());
    assert!(http.calls().is_empty() && http.literal("https://api.openai.com").is_none());

    let models = in_force(&[PackName::ModelClients]);
    assert!(models.client("ureq").is_none() && models.inert("ureq", &["Error"]).is_none());
    assert!(models.calls().iter().any(|call| call.fragment == "chat.completions"));
    assert!(models.calls().iter().all(|call| call.fragment != "LlamaBackend.init"));
    assert!(models.literal("https://api.openai.com").is_some() && models.literal("LIBTORCH").is_none());

    let none = in_force(&[]);
    assert!(none.client("ureq").is_none() && none.client_by_library("tonic").is_none());
    assert!(!none.counts_in_chain("ureq", &features(&["default"])));
    assert!(none.calls().is_empty() && none.literal("OPENAI_API_KEY").is_none() && none.entries().is_empty());
}

#[test]
fn what_the_rules_forbid_holds_without_packs_and_without_conditions() {
    let mut rules = rules(&[]);
    rules.forbid_crate("acme-llm", None);
    rules.forbid_crate("acme_http*", Some("wraps reqwest"));
    rules.forbid_crate("hyper", None);
    rules.forbid_crate("broken[", None);
    rules.forbid_call("advisor.vote*");
    rules.forbid_call("oracle::ask");
    rules.forbid_string("llm.internal.example");
    rules.forbid_string("");
    let own = rules.joined();
    let listed = own.client("acme_llm").expect("by name");
    assert_eq!((listed.package, listed.pack, listed.why), ("acme-llm", None, "listed in `[forbid] crates`"));
    let by_glob = own.client("acme-http-pool").expect("by glob");
    assert_eq!((by_glob.package, by_glob.why), ("acme-http-pool", "wraps reqwest"));
    assert!(own.client("broken[").is_some(), "a broken glob means itself");
    assert_eq!(own.client("hyper").expect("listed").why, "an HTTP library, client and server");
    assert!(own.counts_in_chain("hyper", &features(&[])) && own.inert("hyper", &["StatusCode"]).is_none());
    assert!(!own.only_serves("warp", "hyper"));
    assert_eq!(own.client_by_library("acme_http").expect("by glob").package, "acme_http");
    let calls = own.calls();
    let segments: Vec<_> = calls.iter().map(|call| (call.fragment, call.segments.clone())).collect();
    assert_eq!(segments, [("advisor.vote*", vec!["advisor", "vote*"]), ("oracle::ask", vec!["oracle", "ask"])]);
    let literal = own.literal("http://llm.internal.example:80/").expect("listed");
    assert_eq!((literal.literal, literal.pack), ("llm.internal.example", None));
    assert!(own.literal("anything else").is_none());
}

#[test]
fn what_the_rules_forbid_is_no_transport_besides() {
    let mut rules = rules(&PackName::ALL);
    rules.forbid_crate("aws-sdk-*", None);
    let joined = rules.joined();
    assert!(joined.client("aws-sdk-kinesis").is_some() && joined.transport("aws-sdk-kinesis", &["Client"]).is_none());
    assert!(in_force(&PackName::ALL).transport("aws-sdk-kinesis", &["Client"]).is_some());
}

#[test]
fn a_chain_counts_only_with_the_features_that_make_a_client() {
    let all = in_force(&PackName::ALL);
    for (package, asked, counts) in [
        ("hyper", &["server", "http1"][..], false),
        ("hyper", &["client", "http1"], true),
        ("hyper_util", &["server", "service", "tokio"], false),
        ("hyper-util", &["client", "client-legacy"], true),
        ("tonic", &["codegen", "prost", "router", "server"], false),
        ("tonic", &["channel"], true),
        ("tonic", &["default", "transport", "channel", "server"], true),
        ("reqwest", &[], true),
        ("reqwest", &["json"], true),
        ("ureq", &[], true),
        ("tungstenite", &["handshake"], false),
        ("tungstenite", &["default", "handshake"], true),
        ("tungstenite", &["handshake", "native-tls"], true),
        ("tokio-tungstenite", &["handshake"], false),
        ("tokio-tungstenite", &["connect", "handshake"], true),
        ("aws-config", &["rt-tokio"], false),
        ("aws-config", &["default", "default-https-client"], true),
        ("aws-smithy-runtime", &["client"], false),
        ("aws-smithy-runtime", &["client", "tls-rustls"], true),
        ("aws-smithy-http-client", &[], false),
        ("aws-smithy-http-client", &["rustls-aws-lc", "default-client"], true),
        ("h2", &["stream"], false),
        ("actix-http", &["http2", "ws"], false),
        ("jsonrpsee", &["server"], false),
        ("jsonrpsee", &["http-client"], true),
        ("async-openai", &[], true),
        ("candle-core", &[], true),
        ("tiktoken-rs", &["default"], false),
        ("rdkafka", &["default"], false),
        ("mio", &["net"], false),
        ("axum", &["default"], false),
    ] {
        assert_eq!(all.counts_in_chain(package, &features(asked)), counts, "{package} {asked:?}");
    }
}

#[test]
fn a_server_framework_asks_for_clients_in_vain() {
    let all = in_force(&PackName::ALL);
    assert!(all.only_serves("axum", "tokio_tungstenite") && all.only_serves("warp", "hyper"));
    assert!(!all.only_serves("axum", "reqwest") && !all.only_serves("kube", "hyper"));
}

#[test]
fn inert_names_open_no_connection() {
    let all = in_force(&PackName::ALL);
    for (package, name) in [
        ("reqwest", "Url"),
        ("reqwest", "Url::parse"),
        ("reqwest", "StatusCode"),
        ("reqwest", "header"),
        ("reqwest", "header::HeaderMap"),
        ("reqwest", "Method::POST"),
        ("reqwest", "Error"),
        ("reqwest", "Result"),
        ("reqwest", "redirect::Policy"),
        ("reqwest", "Certificate::from_pem"),
        ("hyper", "StatusCode::CONFLICT"),
        ("hyper", "header"),
        ("hyper", "header::CONTENT_TYPE"),
        ("hyper", "http::StatusCode"),
        ("hyper", "server::conn::http1::Builder"),
        ("hyper", "body::Incoming"),
        ("hyper-util", "rt::TokioIo"),
        ("hyper-util", "client::legacy::Error"),
        ("tonic", "Status"),
        ("tonic", "Code::Unavailable"),
        ("tonic", "Streaming"),
        ("tonic", "metadata::MetadataMap"),
        ("tonic", "transport::Server"),
        ("tonic", "transport::Server::builder"),
        ("tonic", "transport::Error"),
        ("tonic", "transport::Certificate"),
        ("ureq", "Error"),
        ("ureq", "http::StatusCode"),
        ("ureq", "tls::TlsConfig"),
        ("tungstenite", "Error"),
        ("tungstenite", "error::ProtocolError"),
        ("tokio-tungstenite", "tungstenite::Error"),
        ("pingora", "prelude::sleep"),
        ("pingora-core", "server::ShutdownWatch"),
        ("pingora-core", "services::background::BackgroundService"),
        ("aws-config", "BehaviorVersion::latest"),
        ("aws-smithy-runtime", "client::retries::RetryPartition"),
        ("async-openai", "error::OpenAIError"),
        ("candle_core", "Error"),
        ("azure_core", "http::StatusCode"),
    ] {
        assert!(all.inert(package, &path(name)).is_some(), "{package}::{name}");
    }
    assert_eq!(all.inert("reqwest", &["Url"]), Some("the crate `url`"));
    assert_eq!(all.inert("hyper", &["StatusCode"]), Some("the crate `http`"));
}

#[test]
fn clients_channels_builders_and_responses_are_not_inert() {
    let all = in_force(&PackName::ALL);
    for (package, name) in [
        ("reqwest", ""),
        ("reqwest", "get"),
        ("reqwest", "Client"),
        ("reqwest", "Client::new"),
        ("reqwest", "ClientBuilder"),
        ("reqwest", "RequestBuilder"),
        ("reqwest", "Response"),
        ("reqwest", "blocking"),
        ("reqwest", "blocking::Client"),
        ("reqwest", "Proxy::all"),
        ("hyper", ""),
        ("hyper", "client::conn::http1::handshake"),
        ("hyper", "http"),
        ("hyper", "Response"),
        ("hyper", "Client"),
        ("hyper-util", "client::legacy::Client"),
        ("tonic", "transport"),
        ("tonic", "transport::Channel"),
        ("tonic", "transport::Endpoint::from_static"),
        ("tonic", "transport::ClientTlsConfig"),
        ("tonic", "client::Grpc"),
        ("tonic", "Request"),
        ("tonic", "Response"),
        ("ureq", "Agent"),
        ("ureq", "get"),
        ("ureq", "config::Config::new_agent"),
        ("tungstenite", "connect"),
        ("tungstenite", "WebSocket"),
        ("tokio-tungstenite", "connect_async"),
        ("pingora", "prelude::HttpPeer"),
        ("pingora-core", "connectors::http::Connector"),
        ("aws-config", "load_from_env"),
        ("aws-config", "SdkConfig"),
        ("async-openai", "Client"),
        ("async-openai", "types::CreateChatCompletionResponse"),
        ("serde", "Error"),
    ] {
        assert_eq!(all.inert(package, &path(name)), None, "{package}::{name}");
    }
}

#[test]
fn a_transport_is_a_path_and_its_subject_ends_where_the_entry_does() {
    let all = in_force(&PackName::ALL);
    for (package, named, subject) in [
        ("std", "os::unix::net::UnixStream::connect", "os::unix::net::UnixStream"),
        ("std", "net::TcpStream", "net::TcpStream"),
        ("std", "process::Command::new", "process::Command"),
        ("core", "arch::asm", "arch::asm"),
        ("tokio", "net::TcpStream::connect", "net::TcpStream"),
        ("tokio", "net::tcp::OwnedReadHalf::peek", "net::tcp::OwnedReadHalf"),
        ("tokio", "net::windows::named_pipe::ClientOptions::new", "net::windows::named_pipe::ClientOptions"),
        ("tokio", "net::lookup_host", "net::lookup_host"),
        ("tokio", "process::Command", "process::Command"),
        ("async_std", "os::unix::net::UnixStream", "os::unix::net::UnixStream"),
        ("smol", "net::TcpStream::connect", "net::TcpStream"),
        ("libc", "connect", "connect"),
        ("libc", "execvp", "execvp"),
        ("libc", "dlopen", "dlopen"),
        ("nix", "sys::socket::connect", "sys::socket::connect"),
        ("nix", "unistd::fork", "unistd::fork"),
        ("rustix", "net::connect", "net::connect"),
        ("windows-sys", "Win32::Networking::WinSock::WSASocketW", "Win32::Networking::WinSock::WSASocketW"),
        ("rustls", "client::ClientConnection::new", "client::ClientConnection"),
        ("native-tls", "TlsConnector::connect", "TlsConnector::connect"),
        ("rdkafka", "Producer", "Producer"),
        ("rdkafka", "producer::FutureProducer::from_config", "producer::FutureProducer"),
        ("rdkafka", "", ""),
        ("libloading", "Library::new", "Library"),
        ("socket2", "Socket::new", "Socket"),
        ("pyo3", "Python::with_gil", "Python"),
        ("zmq", "Context::new", "Context"),
        ("lapin", "Connection::connect", "Connection"),
        ("duct", "cmd", "cmd"),
        ("redis", "io::tcp::socket2::Socket::new", "io::tcp::socket2::Socket"),
        ("fred", "socket2::Socket", "socket2::Socket"),
    ] {
        let transport = all.transport(package, &path(named)).unwrap_or_else(|| panic!("{package}::{named}"));
        assert_eq!(transport.subject_segments, 1 + path(subject).len(), "{package}::{named}");
    }
}

#[test]
fn what_opens_nothing_is_no_transport() {
    let all = in_force(&PackName::ALL);
    for (package, named) in [
        ("std", "process::id"),
        ("std", "process::abort"),
        ("std", "process::exit"),
        ("std", "process"),
        ("std", "net::IpAddr"),
        ("std", "net::SocketAddr::from"),
        ("std", "net"),
        ("std", "os::fd::OwnedFd"),
        ("std", "fs::File"),
        ("core", "net::IpAddr"),
        ("tokio", ""),
        ("tokio", "net"),
        ("tokio", "net::tcp"),
        ("tokio", "net::tcp::ReuniteError"),
        ("tokio", "time::sleep"),
        ("tokio", "sync::Mutex"),
        ("libc", ""),
        ("libc", "getpid"),
        ("libc", "c_int"),
        ("libc", "flock"),
        ("libc", "sockaddr"),
        ("nix", "unistd::getpid"),
        ("nix", "fcntl::Flock"),
        ("rustix", "fs::flock"),
        ("rustix", "net::socket_linger"),
        ("rustls", "ClientConfig::builder"),
        ("rustls", "RootCertStore"),
        ("native-tls", "TlsConnector::builder"),
        ("openssl", "ssl::SslConnector::builder"),
        ("socket2", "TcpKeepalive::new"),
        ("redis", "Client::open"),
        ("redis", "io::tcp::socket2::TcpKeepalive"),
        ("rdkafka", "error::KafkaError"),
        ("fang", "AsyncQueue"),
        ("underway", "Queue"),
        ("mio", "Poll"),
        ("reqwest", "Client"),
    ] {
        assert_eq!(all.transport(package, &path(named)), None, "{package}::{named}");
    }
}

#[test]
fn a_fragment_is_consecutive_segments_of_a_call() {
    let all = in_force(&PackName::ALL);
    let calls = all.calls();
    let call = |fragment: &str| calls.iter().find(|call| call.fragment == fragment).expect(fragment);
    let completions = call("chat.completions");
    assert!(completions.crates.is_empty() && !completions.awaited);
    assert_eq!(completions.position_in(&["client", "chat", "completions", "create"]), Some(1));
    assert_eq!(completions.position_in(&["openai", "chat", "completions"]), Some(1));
    assert_eq!(completions.position_in(&["chat", "room", "completions"]), None);
    assert_eq!(completions.position_in(&["chat", "completions_of_today"]), None);
    assert_eq!(completions.position_in(&[]), None);
    assert_eq!(call("audio.*.create").position_in(&["client", "audio", "speech", "create"]), Some(1));
    assert_eq!(call("*ChatCompletionRequest*").position_in(&["CreateChatCompletionRequestArgs", "default"]), Some(0));
    assert!(call("chat").awaited && call("prompt").awaited);
    let create = call("chat.create");
    assert!(create.counts_beside(["serde", "async_openai"]) && !create.counts_beside(["serde"]));
    assert!(completions.counts_beside([]));
}

/// Fragments that ordinary code uses, with the number of hits in 40 infrastructure repositories, must
/// not count by themselves.
#[test]
fn what_ordinary_code_calls_is_tied_awaited_or_left_out() {
    let all = in_force(&PackName::ALL);
    let calls = all.calls();
    for noisy in [
        "run",
        "execute",
        "complete",
        "send_message",
        "generate",
        "forward",
        "invoke",
        "completions",
        "messages",
        "prompt",
        "embed",
        "chat",
        "completion",
        "completion_request",
        "create_message",
        "max_tokens",
        "temperature",
        "agent",
        "CompletionRequest",
        "MessageParam",
        "bearer_auth",
        "chat.create",
        "messages.create",
        "images.generate",
    ] {
        let free = calls.iter().find(|call| call.fragment == noisy && call.crates.is_empty() && !call.awaited);
        assert!(free.is_none(), "{noisy}");
    }
}

#[test]
fn endpoints_and_key_names_are_found_in_strings() {
    let all = in_force(&PackName::ALL);
    for (text, literal) in [
        ("https://api.openai.com/v1", "api.openai.com"),
        ("Host: api.openai.com\r\n", "api.openai.com"),
        ("/v1/chat/completions", "/v1/chat/completions"),
        ("{base}/chat/completions", "/chat/completions"),
        ("OPENAI_API_KEY", "OPENAI_API_KEY"),
        ("AZURE_OPENAI_API_KEY", "AZURE_OPENAI_API_KEY"),
        ("MY_OPENAI_API_KEY_2", "OPENAI_API_KEY"),
        ("https://us-central1-aiplatform.googleapis.com/v1", "aiplatform.googleapis.com"),
        ("https://acme.openai.azure.com/", ".openai.azure.com"),
        ("http://localhost:11434/api/embeddings", "localhost:11434"),
    ] {
        assert_eq!(all.literal(text).map(|found| found.literal), Some(literal), "{text}");
    }
    for text in [
        "metering openai and anthropic budgets: {hyper} tokens left",
        "reqwest pool drained, chat completions stay paused",
        "/v1/messages",
        "http://localhost:8080/v1",
        "x-api-key",
        "/invoke",
        "UPDATE leases SET epoch = epoch + 1",
    ] {
        assert_eq!(all.literal(text), None, "{text}");
    }
}

#[test]
fn a_library_behind_a_re_export_is_known_by_its_name_unless_that_is_a_plain_word() {
    let all = in_force(&PackName::ALL);
    for (library, package) in
        [("tonic", "tonic"), ("reqwest", "reqwest"), ("hyper_util", "hyper-util"), ("rig_core", "rig-core")]
    {
        assert_eq!(all.client_by_library(library).map(|client| client.package), Some(package));
    }
    assert_eq!(all.client_by_library("rig").map(|client| client.package), Some("rig"), "its own name comes first");
    for word in ["ws", "ai", "inference", "openai", "h2", "websocket", "net", "serde"] {
        assert_eq!(all.client_by_library(word), None, "{word}");
    }
}
