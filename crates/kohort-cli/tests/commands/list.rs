//! `kohort list`.

use crate::common::Desk;

#[test]
fn for_people() {
    insta::assert_snapshot!(Desk::new().done("list").text());
}

#[test]
fn for_scripts() {
    insta::assert_snapshot!(Desk::new().done("list --json").text());
}
