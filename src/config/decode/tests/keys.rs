//! The list of keys and what is read agree.

use super::super::keys::{ALL, Shape, TOP, home};

/// A key that is listed but not read would be taken and do nothing: its value, made wrong, must be a
/// problem.
#[test]
fn every_listed_key_is_read() {
    for section in ALL {
        for key in section.names() {
            let text = match (section.shape, section.path) {
                (Shape::Root, _) => format!("{key} = 1.5\n"),
                (Shape::Table | Shape::Tables, "forbid" | "exception") => {
                    format!("{} = {{ {key} = 1.5 }}\n", section.path)
                }
                (Shape::Tables, _) => format!("[[lease]]\n{key} = 1.5\n"),
                (Shape::Table, path) => format!("[[lease]]\n[{path}]\n{key} = 1.5\n"),
                (Shape::Inline, "forbid.crates") => format!("forbid.crates = [{{ {key} = 1.5 }}]\n"),
                (Shape::Inline, "lease.timing") => format!("[[lease]]\ntiming.ttl = {{ {key} = 1.5 }}\n"),
                (Shape::Inline, "lease.timing.steps") => format!("[[lease]]\ntiming.steps = [{{ {key} = 1.5 }}]\n"),
                (Shape::Inline, "lease.timing.clock-skew") => {
                    format!("[[lease]]\ntiming.clock-skew = {{ {key} = 1.5 }}\n")
                }
                (Shape::Inline, path) => panic!("say here how {path} is written"),
            };
            let said = super::said(&text);
            assert!(said.contains(&format!("`{key}` is a float")), "`{key}` of {:?} is not read: {said}", section.path);
            assert!(!said.contains(&format!("unknown key `{key}`")), "{said}");
        }
    }
}

#[test]
fn every_example_is_toml_of_its_key() {
    for section in ALL {
        for key in section.keys {
            let table = toml::de::DeTable::parse(key.example).expect(key.example);
            let root = table.get_ref();
            let is_header = key.example.starts_with('[');
            let last = if is_header { key.example.trim_matches(['[', ']']).rsplit('.').next() } else { None };
            assert!(last == Some(key.name) || root.contains_key(key.name), "{}", key.example);
        }
    }
}

#[test]
fn a_key_is_sent_to_the_table_that_has_it() {
    let lease = ALL[1];
    assert_eq!(home("packs", lease).map(|s| s.title("")), Some("`[forbid]`".to_owned()));
    assert_eq!(home("source-roots", lease).map(|s| s.title("")), Some(TOP.to_owned()));
    assert_eq!(home("colour", lease).map(|s| s.title("")), None);
}
