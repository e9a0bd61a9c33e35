//! Answers about names, as a person and a program get them.

use serde_json::Value;

use super::{Lists, say};
use crate::config::{Forbid, InForce, Packs};

fn said(name: Option<&str>, json: bool) -> String {
    let packs = Packs::embedded().unwrap();
    let in_force = InForce::of(&Forbid::default(), &packs);
    let mut out = Vec::new();
    say(Lists { in_force: &in_force, packs: &packs, rules: None }, name, json, &mut out).unwrap();
    anstream::adapter::strip_str(std::str::from_utf8(&out).unwrap()).to_string()
}

fn verdict(name: &str) -> String {
    let answer: Value = serde_json::from_str(&said(Some(name), true)).unwrap();
    answer["verdict"].as_str().unwrap().to_owned()
}

#[test]
fn every_kind_of_name_has_its_answer() {
    assert_eq!(verdict("reqwest"), "forbidden");
    assert_eq!(verdict("reqwest::Client"), "forbidden");
    assert_eq!(verdict("reqwest::Url"), "inert");
    assert_eq!(verdict("async_openai"), "forbidden");
    assert_eq!(verdict("std::process::Command::new"), "forbidden");
    assert_eq!(verdict("std::process::id"), "some-paths");
    assert_eq!(verdict("std"), "some-paths");
    assert_eq!(verdict("redis"), "some-paths");
    assert_eq!(verdict("chat.completions"), "forbidden");
    assert_eq!(verdict("client.chat().completions().create"), "forbidden");
    assert_eq!(verdict("https://api.openai.com/v2"), "forbidden");
    assert_eq!(verdict("core::net::TcpStream"), "forbidden");
    assert_eq!(verdict("rdkafka::producer::FutureProducer"), "forbidden");
    assert_eq!(verdict("rdkafka::error::KafkaError"), "harmless");
    assert_eq!(verdict("chat::completions"), "forbidden");
    assert_eq!(verdict("api.openai.com"), "forbidden");
    assert_eq!(verdict("tokio-postgres"), "coordinator");
    assert_eq!(verdict("entirely-elsewhere"), "unknown");
}

#[test]
fn a_person_is_told_why_and_what_else() {
    let reqwest = said(Some("reqwest"), false);
    assert!(reqwest.starts_with("reqwest is forbidden"), "{reqwest}");
    assert!(reqwest.contains("http-clients") && reqwest.contains("opens no connection"), "{reqwest}");
    assert!(reqwest.contains("Instead") && reqwest.contains("explain forbidden-crate"), "{reqwest}");
    assert!(said(Some("reqwst"), false).contains("Did you mean `reqwest`?"));
    assert!(said(Some("reqwst::Url"), false).contains("Did you mean `reqwest::Url`?"));
    let hostile = said(Some("\u{202e}\u{9b}2J"), false);
    assert!(hostile.starts_with("\\u{202e}\\u{9b}2J is not forbidden"), "{hostile}");
    let alone = said(Some("std::process::id"), false);
    assert!(alone.contains("std::process::Command") && !alone.contains("std::net"), "{alone}");
}

#[test]
fn the_lists_hold_every_pack_in_both_forms() {
    let (table, json) = (said(None, false), said(None, true));
    let json: Value = serde_json::from_str(&json).unwrap();
    let entries = json["entries"].as_array().unwrap();
    for pack in ["http-clients", "model-clients", "inference-runtimes", "transports"] {
        assert!(table.contains(pack), "{pack}");
        assert!(entries.iter().any(|entry| entry["pack"] == pack), "{pack}");
    }
    for entry in entries {
        assert!(table.contains(entry["name"].as_str().unwrap()), "{entry}");
        assert!(!entry["why"].as_str().unwrap().is_empty(), "{entry}");
    }
    assert!(!json["coordinators"].as_array().unwrap().is_empty());
}
