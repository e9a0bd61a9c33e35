//! Tokens that do not parse.

use super::shown;

#[test]
fn dump() {
    println!("{}", shown("macro_rules! m { ($v:vis $n:ident $b:block) => { $v fn $n() $b } }"));
    println!(
        "{}",
        shown(
            "macro_rules! m { ($v:vis $n:ident $b:block) => { $v fn $n() $b } ; ($($t:tt)*) => { x { $($t)* } y => } }"
        )
    );
}
