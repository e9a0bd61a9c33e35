//! What a provider answers when it answers badly.
//!
//! A fault is one answer, whatever was asked, in the shape of the API whose path was asked for. Add one as a
//! variant with its word, its description and its answer; the drill then runs the command once more.

use serde_json::{Value, json};

/// One way to answer badly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// 429, and a long wait asked for.
    TooManyRequests,
    /// 200, and a JSON body that ends in the middle.
    TruncatedJson,
    /// 200, well-formed, and the model declines.
    Refusal,
    /// 200, and a stream that hardly moves and never ends.
    SlowStream,
}

/// An answer of the stand-in.
pub(super) struct Answer {
    /// The head and what follows it at once.
    pub(super) bytes: Vec<u8>,
    /// What is sent again and again, with long pauses, for as long as the command listens; empty for an
    /// answer that ends.
    pub(super) trickle: &'static [u8],
}

impl Fault {
    /// All of them, in the order in which they are tried.
    pub const ALL: [Self; 4] = [Self::TooManyRequests, Self::TruncatedJson, Self::Refusal, Self::SlowStream];

    /// The word of reports.
    pub const fn word(self) -> &'static str {
        match self {
            Self::TooManyRequests => "too-many-requests",
            Self::TruncatedJson => "truncated-json",
            Self::Refusal => "refusal",
            Self::SlowStream => "slow-stream",
        }
    }

    /// What the provider does, behind "the provider".
    pub const fn what(self) -> &'static str {
        match self {
            Self::TooManyRequests => "answers 429",
            Self::TruncatedJson => "answers with JSON that ends in the middle",
            Self::Refusal => "answers that it declines",
            Self::SlowStream => "answers with a stream that hardly moves",
        }
    }

    /// The answer to a request for a path.
    pub(super) fn answer(self, path: &str) -> Answer {
        let ends = |bytes| Answer { bytes, trickle: b"" };
        match self {
            Self::TooManyRequests => {
                let body = json!({"type": "error", "error": {
                    "type": "rate_limit_error", "code": "rate_limit_exceeded", "message": "Rate limit reached."}});
                ends(response("429 Too Many Requests", "retry-after: 3600\r\n", &body.to_string(), 0))
            }
            Self::TruncatedJson => {
                let whole = refusal(path).to_string();
                let half: String = whole.chars().take(whole.len() / 2).collect();
                // The head promises the whole: it is the connection that breaks off.
                ends(response("200 OK", "", &half, whole.len() - half.len()))
            }
            Self::Refusal => ends(response("200 OK", "", &refusal(path).to_string(), 0)),
            Self::SlowStream => Answer {
                bytes: b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n: wait\n"
                    .to_vec(),
                trickle: b": wait\n",
            },
        }
    }
}

fn response(status: &str, more: &str, body: &str, missing: usize) -> Vec<u8> {
    let length = body.len() + missing;
    format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{more}\
         connection: close\r\n\r\n{body}"
    )
    .into_bytes()
}

/// "I can't help with that", in the shape of the API that the path belongs to.
fn refusal(path: &str) -> Value {
    const WORDS: &str = "I can't help with that.";
    if path.ends_with("/messages") {
        return json!({"id": "msg_drill", "type": "message", "role": "assistant", "model": "drill",
            "content": [{"type": "text", "text": WORDS}], "stop_reason": "refusal", "stop_sequence": null,
            "usage": {"input_tokens": 1, "output_tokens": 1}});
    }
    if path.ends_with("/responses") {
        return json!({"id": "resp_drill", "object": "response", "status": "completed", "model": "drill",
            "output": [{"type": "message", "id": "msg_drill", "role": "assistant", "status": "completed",
                "content": [{"type": "refusal", "refusal": WORDS}]}]});
    }
    if path.starts_with("/api/") {
        return json!({"model": "drill", "created_at": "2026-01-01T00:00:00Z", "done": true, "done_reason": "stop",
            "response": WORDS, "message": {"role": "assistant", "content": WORDS}});
    }
    if path.contains(":generateContent") || path.contains(":streamGenerateContent") {
        return json!({"candidates": [{"finishReason": "SAFETY", "index": 0,
            "content": {"role": "model", "parts": [{"text": WORDS}]}}]});
    }
    json!({"id": "chatcmpl-drill", "object": "chat.completion", "created": 0, "model": "drill",
        "choices": [{"index": 0, "finish_reason": "stop",
            "message": {"role": "assistant", "content": null, "refusal": WORDS}}],
        "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(fault: Fault, path: &str) -> (String, String) {
        let text = String::from_utf8(fault.answer(path).bytes).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap();
        (head.to_owned(), body.to_owned())
    }

    #[test]
    fn a_refusal_is_whole_and_in_the_shape_that_was_asked_for() {
        for (path, field) in [
            ("/v1/messages", "/stop_reason"),
            ("/v1/chat/completions", "/choices/0/message/refusal"),
            ("/v1/responses", "/output/0/content/0/refusal"),
            ("/api/chat", "/message/content"),
            ("/v1beta/models/x:generateContent", "/candidates/0/finishReason"),
        ] {
            let (head, body) = parts(Fault::Refusal, path);
            assert!(head.contains(&format!("content-length: {}", body.len())), "{head}");
            let value: Value = serde_json::from_str(&body).unwrap();
            assert!(value.pointer(field).is_some(), "{path}: {body}");
        }
    }

    #[test]
    fn truncated_json_promises_more_than_it_gives() {
        let (head, body) = parts(Fault::TruncatedJson, "/v1/chat/completions");
        let length: usize = head.split("content-length: ").nth(1).unwrap().lines().next().unwrap().parse().unwrap();
        assert!(length > body.len() && !body.is_empty());
        assert!(serde_json::from_str::<Value>(&body).is_err());
    }

    #[test]
    fn only_the_stream_never_ends() {
        for fault in Fault::ALL {
            assert_eq!(fault.answer("/").trickle.is_empty(), fault != Fault::SlowStream);
        }
        assert!(parts(Fault::TooManyRequests, "/").0.starts_with("HTTP/1.1 429 "));
    }
}
