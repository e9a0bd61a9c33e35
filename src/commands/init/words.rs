//! Source text as words, so that `LeaseManager`, `lease_manager` and `lease manager` look alike.
//!
//! Every word stands between two `_`, a name's parts apart; what is no word is `|`. So one search for
//! `_renew_` finds `fn renew`, `renew_every` and `RenewError`, and not `renewal`.

/// The words of some source. Lines that are comments are left out, and so is everything from a test
/// module on, which by custom comes last.
pub(super) fn words(source: &str) -> String {
    let mut out = String::with_capacity(source.len() + source.len() / 4);
    let mut lines = source.lines().map(str::trim).peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("//") {
            continue;
        }
        let tests = line.starts_with("#[cfg(test)]") || line.starts_with("#[cfg(all(test");
        if tests && lines.peek().is_some_and(|next| next.contains("mod ") && !next.ends_with(';')) {
            break;
        }
        add(line, &mut out);
    }
    out
}

fn add(line: &str, out: &mut String) {
    let mut before: Option<char> = None;
    let mut letters = line.chars().peekable();
    while let Some(letter) = letters.next() {
        let is_word = letter.is_ascii_alphanumeric() || letter == '_';
        let was_word = before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
        if is_word {
            let begins = match before.filter(|_| was_word) {
                None => true,
                Some(before) if letter.is_ascii_uppercase() => {
                    !before.is_ascii_uppercase() || letters.peek().is_some_and(char::is_ascii_lowercase)
                }
                Some(_) => letter == '_',
            };
            if begins && !out.ends_with('_') {
                out.push('_');
            }
            if letter != '_' {
                out.push(letter.to_ascii_lowercase());
            }
        } else {
            end(was_word, out);
            if !letter.is_whitespace() {
                out.push('|');
            }
        }
        before = Some(letter);
    }
    end(before.is_some_and(|c| c.is_ascii_alphanumeric()), out);
}

fn end(was_word: bool, out: &mut String) {
    if was_word && !out.ends_with('_') {
        out.push('_');
    }
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn names_fall_into_their_words() {
        assert_eq!(words("LeaseManager"), "_lease_manager_");
        assert_eq!(words("MAX_TTL HTTPServer v1"), "_max_ttl_http_server_v1_");
        assert_eq!(words("use etcd_client::Client;"), "_use_etcd_client_||_client_|");
        assert_eq!(words("\"... FOR UPDATE\n    SKIP LOCKED\""), "||||_for_update_skip_locked_|");
        assert_eq!(words("_ __x é"), "_x_|");
    }

    #[test]
    fn comments_and_test_modules_say_nothing() {
        let source = "// lease\n//! lease\nlet a = 1; // lease\n#[cfg(test)]\nmod tests {\n    leader\n";
        assert_eq!(words(source), "_let_a_|_1_|||_lease_");
        assert_eq!(words("#[cfg(test)]\nmod tests;\nfn leader"), "||_cfg_|_test_||_mod_tests_|_fn_leader_");
    }
}
