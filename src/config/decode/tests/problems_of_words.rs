//! One test a form of word: paths, globs, package names, fragments, durations.

use insta::assert_snapshot;

use super::said;

fn list(key: &str, words: &[&str]) -> String {
    let modules = if key == "modules" { "" } else { "modules = [\"orders::lease\"]\n" };
    let words: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    said(&format!("[[lease]]\nname = \"a\"\n{modules}{key} = [\n{}\n]\n", words.join(",\n")))
}

fn forbid(key: &str, words: &[&str]) -> String {
    let words: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    said(&format!("lease = [{{ name = \"a\", packages = [\"a\"] }}]\n[forbid]\n{key} = [\n{}\n]\n", words.join(",\n")))
}

#[test]
fn rust_paths() {
    let words = [
        "crate::lease",
        "self::lease",
        "super",
        "::orders::lease",
        "orders.lease",
        "order-service::lease",
        "orders::lease::*",
        "orders::lease::Keeper<T>",
        "orders::lease::renew()",
        "orders::lease ",
        "orders::",
        "orders:lease",
        "orders::9",
        "src/lease.rs",
    ];
    assert_snapshot!(list("modules", &words), @r#"
    4:1: `crate::lease` in `modules` starts with `crate`, and the rules stand in no crate
        write the crate's name instead, as in `orders::lease` for the crate `orders`
    5:1: `self::lease` in `modules` starts with `self`, and the rules stand in no crate
        write the crate's name instead, as in `orders::lease` for the crate `orders`
    6:1: `super` in `modules` starts with `super`, and the rules stand in no crate
        write the crate's name instead, as in `orders` for the crate `orders`
    7:1: `::orders::lease` in `modules` starts with `::`
        write `orders::lease`: paths start with the crate's name anyway
    8:1: `orders.lease` in `modules` is joined by `.`
        write `orders::lease`
    9:1: `order-service::lease` in `modules` holds a `-`
        source spells it with `_`: `order_service::lease`
    10:1: `orders::lease::*` in `modules` holds a `*`
        name the module itself: it takes all its items and submodules
    11:1: `orders::lease::Keeper<T>` in `modules` is more than a path
        write the names alone, without generics or parentheses
    12:1: `orders::lease::renew()` in `modules` is more than a path
        write the names alone, without generics or parentheses
    13:1: `orders::lease ` in `modules` holds a blank
        write `orders::lease`
    14:1: `orders::` in `modules` has a gap
        a path is names joined by `::`, as in `orders::lease::Keeper`
    15:1: `orders:lease` in `modules` is no Rust path: `orders:lease` is no name
        a path is names joined by `::`, as in `orders::lease::Keeper`
    16:1: `orders::9` in `modules` is no Rust path: `9` is no name
        a path is names joined by `::`, as in `orders::lease::Keeper`
    17:1: `src/lease.rs` in `modules` is a file, and a Rust path is wanted
        name files under `files`, modules as in `orders::lease`
    "#);
}

#[test]
fn workloads() {
    assert_snapshot!(list("workloads", &["work", "crate::with_lease::work"]), @r#"
    5:1: `work` in `workloads` is one name alone
        write its whole path from the crate's name, as in `orders::lease::with_lease::work`
    6:1: `crate::with_lease::work` in `workloads` starts with `crate`, and the rules stand in no crate
        write the crate's name instead, as in `orders::with_lease::work` for the crate `orders`
    "#);
}

#[test]
fn packages() {
    assert_snapshot!(list("packages", &["orders::lease", "lease-*", "redis 0.27", "a/b"]), @r#"
    5:1: `orders::lease` in `packages` is a path, and a package is wanted
        write the package alone, as in `orders`
    6:1: `lease-*` in `packages` is a glob, and one package is wanted
        name each package
    7:1: `redis 0.27` in `packages` is no package name
        write the name alone, as the package's Cargo.toml gives it, without a version
    8:1: `a/b` in `packages` is no package name: it holds `/`
        write the name as the package's Cargo.toml gives it
    "#);
}

#[test]
fn coordinators() {
    assert_snapshot!(list("coordinators", &["crate::db", "aws-sdk-*", "redis@0.27"]), @r#"
    5:1: `crate::db` in `coordinators` starts with `crate`, and the rules stand in no crate
        write the crate's name instead, as in `orders::db` for the crate `orders`
    6:1: `aws-sdk-*` in `coordinators` is a glob, and one package is wanted
        name each package
    7:1: `redis@0.27` in `coordinators` is no package name
        write the name alone, as the package's Cargo.toml gives it, without a version
    "#);
}

#[test]
fn files() {
    let words = [
        "src/[",
        "src/{a",
        "./src/lease.rs",
        "/src/lease.rs",
        "C:/src/lease.rs",
        "src\\lease.rs",
        "src/../lease.rs",
        "src//lease.rs",
        "src/lease/",
    ];
    assert_snapshot!(list("files", &words), @r#"
    5:1: `src/[` in `files` is no glob: unclosed character class; missing ']'
        `*` and `?` stay within a folder, `**` crosses folders
    6:1: `src/{a` in `files` is no glob: unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)
        `*` and `?` stay within a folder, `**` crosses folders
    7:1: `./src/lease.rs` in `files` starts with `./`
        write `src/lease.rs`: globs start at the workspace root anyway
    8:1: `/src/lease.rs` in `files` is an absolute path
        write it from the workspace root, as in `crates/orders/src/lease/**/*.rs`
    9:1: `C:/src/lease.rs` in `files` is an absolute path
        write it from the workspace root, as in `crates/orders/src/lease/**/*.rs`
    10:1: `src\lease.rs` in `files` holds a `\`
        join folders by `/`, on every system
    11:1: `src/../lease.rs` in `files` has `..`, `.` or nothing between two `/`
        write the path without detours, from the workspace root
    12:1: `src//lease.rs` in `files` has `..`, `.` or nothing between two `/`
        write the path without detours, from the workspace root
    13:1: `src/lease/` in `files` is a folder, and files are wanted
        write `src/lease/**/*.rs`
    "#);
}

#[test]
fn a_glob_that_is_too_long() {
    let said = list("files", &[&"a*".repeat(300)]);
    assert!(said.contains("is no glob: it is longer than 512 bytes"), "{said}");
    assert!(said.lines().all(|line| line.len() < 200), "long values are cut: {said}");
}

#[test]
fn source_roots() {
    let text = "source-roots = [\"../*\", '..\\shared']\n[[lease]]\nname = \"a\"\npackages = [\"a\"]\n";
    assert_snapshot!(said(text), @r#"
    1:17: `../*` in `source-roots` is a glob, and a folder is wanted
        name each folder; what is below it is allowed with it
    1:25: `..\shared` in `source-roots` holds a `\`
        join folders by `/`, on every system
    "#);
}

#[test]
fn forbidden_crates() {
    assert_snapshot!(forbid("crates", &["acme::llm", "acme-[", "acme llm", "acme/llm*"]), @r#"
    4:1: `acme::llm` in `crates` is a path, and a package is wanted
        write the package alone, as in `acme`
    5:1: `acme-[` in `crates` is no glob: unclosed character class; missing ']'
        `*` and `?` stand for letters, as in `acme-*`
    6:1: `acme llm` in `crates` is no package name
        write the name alone, as the package's Cargo.toml gives it, without a version
    7:1: `acme/llm*` in `crates` is no package name: it holds `/`
        write the name as the package's Cargo.toml gives it
    "#);
}

#[test]
fn fragments() {
    let words = ["advisor::vote", "client.chat().create", ".vote", "vote(", "a..b", "*", "*.*", "9lives", "a b"];
    assert_snapshot!(forbid("calls", &words), @r#"
    4:1: `advisor::vote` in `calls` is no fragment
        write `advisor.vote`: calls, `::` and `.` are all one here
    5:1: `client.chat().create` in `calls` is no fragment
        write `client.chat.create`: calls, `::` and `.` are all one here
    6:1: `.vote` in `calls` is no fragment
        write `vote`: calls, `::` and `.` are all one here
    7:1: `vote(` in `calls` is no fragment
        a fragment is names joined by `.`, as in `advisor.vote`, with `*` inside a name
    8:1: `a..b` in `calls` is no fragment
        a fragment is names joined by `.`, as in `advisor.vote`, with `*` inside a name
    9:1: `*` in `calls` matches every call
        name at least one method or function
    10:1: `*.*` in `calls` matches every call
        name at least one method or function
    11:1: `9lives` in `calls` is no fragment
        a fragment is names joined by `.`, as in `advisor.vote`, with `*` inside a name
    12:1: `a b` in `calls` is no fragment
        a fragment is names joined by `.`, as in `advisor.vote`, with `*` inside a name
    "#);
}

#[test]
fn lease_names() {
    let text = "lease = [{ name = \" a\", packages = [\"a\"] }, { name = \"b\\u202e\", packages = [\"b\"] }]\n";
    assert_snapshot!(said(text), @r#"
    1:19: ` a` in `name` starts or ends with a blank
        write `a`
    1:54: `b\u{202e}` in `name` holds characters that cannot be seen
        write it in letters, digits and signs
    "#);
}

#[test]
fn durations() {
    let text = "\
[[lease]]
name = \"a\"
packages = [\"a\"]
[lease.timing]
ttl = 15
renew-every = \"0s\"
renew-p95 = \"40\"
guard = \"-100ms\"
max-gap = \"800 days\"
clock-skew = { bond = \"200ms\" }
steps = [{ name = \"fsync\" }, { name = \"wal\", p95 = { const = \"WAL\" } }]
";
    assert_snapshot!(said(text), @r#"
    5:7: `ttl` is an integer, but a duration is wanted
        write `ttl = "15s"`
    6:15: `"0s"` in `renew-every` is no time at all
        write `renew-every = "5s"`
    7:13: `40` in `renew-p95` is no duration
        write a number with its unit, as in `renew-p95 = "40ms"`
    8:9: `-100ms` in `guard` is less than nothing
        write it without the sign: bounds hold on both sides
    9:11: `800 days` in `max-gap` is no duration
        write a number with its unit, as in `max-gap = "1s"`
    10:16: unknown key `bond` in an entry of `lease.timing.clock-skew`
        did you mean `bound`?
    11:10: an entry of `lease.timing.steps` has no `p95`
        add `p95 = "12ms"`
    11:62: `WAL` in `const` is one name alone
        write its whole path from the crate's name, as in `orders::lease::TTL`
    "#);
}

#[test]
fn fences() {
    let text = "\
[[lease]]
name = \"a\"
packages = [\"a\"]
fence-rule = \"\"
[lease.fence]
table = \"worker leases\"
holder = \"holder\"
epoch = 1
epoch-rises = \"grants\"
protects = [\"orders;\"]
";
    assert_snapshot!(said(text), @r#"
    4:14: `fence-rule` is empty
        write `fence-rule = "A write carries the epoch that it was granted."`, or take the line out
    5:1: `[lease.fence]` has no `expires`
        add `expires = "expires_at"`
    6:9: `worker leases` in `table` is no SQL name
        write the name alone, as in `worker_leases` or `ops.worker_leases`
    8:9: `epoch` is an integer, but a string is wanted
        write `epoch = "epoch"`
    9:15: unknown word `grants` in `epoch-rises`
        did you mean `grant`?
    10:13: `orders;` in `protects` is no SQL name
        write the name alone, as in `worker_leases` or `ops.worker_leases`
    "#);
}

#[test]
fn drills() {
    let words =
        ["127.0.0.1:5432", "postgres: localhost", "postgres: localhost:0", "unix: run", "pg: ::1:5432", "pg: [x]:1"];
    let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    let text =
        format!("[[lease]]\nname = \"a\"\npackages = [\"a\"]\n[lease.drill]\nallow = [\n{}\n]\n", words.join(",\n"));
    assert_snapshot!(said(&text), @r#"
    6:1: `127.0.0.1:5432` in `allow` names nothing that can be reached
        write `NAME: HOST:PORT` or `unix: /PATH`, as in `postgres: 127.0.0.1:5432`
    7:1: `postgres: localhost` in `allow` names nothing that can be reached
        write `NAME: HOST:PORT` or `unix: /PATH`, as in `postgres: 127.0.0.1:5432`
    8:1: `postgres: localhost:0` in `allow` names nothing that can be reached
        write `NAME: HOST:PORT` or `unix: /PATH`, as in `postgres: 127.0.0.1:5432`
    9:1: `unix: run` in `allow` names nothing that can be reached
        write `NAME: HOST:PORT` or `unix: /PATH`, as in `postgres: 127.0.0.1:5432`
    10:1: `pg: ::1:5432` in `allow` names nothing that can be reached
        write `NAME: HOST:PORT` or `unix: /PATH`, as in `postgres: 127.0.0.1:5432`
    11:1: `pg: [x]:1` in `allow` names nothing that can be reached
        write `NAME: HOST:PORT` or `unix: /PATH`, as in `postgres: 127.0.0.1:5432`
    "#);
}
