//! Values and trees.

use crate::random::Random;

/// A whole number, in one of several spellings.
pub(super) fn integer(random: &mut Random, value: usize, spelled: bool) -> String {
    let x = (value * value).cast_signed() - 20;
    match random.below(8) {
        0 if spelled => format!("{x:04}"),
        1 if spelled && x >= 0 => format!("+{x}"),
        2 if spelled => format!(" {x}"),
        _ => x.to_string(),
    }
}

/// A decimal number, in one of several spellings.
pub(super) fn decimal(random: &mut Random, value: usize) -> String {
    let x = value as f64 * 0.35 - 1.05;
    match random.below(4) {
        0 => format!("{x:.4}"),
        1 => format!("{x:e}"),
        _ => format!("{x:.2}"),
    }
}

/// A day.
pub(super) fn day(value: usize) -> String {
    let (month, day) = (value % 12 + 1, value * 7 % 28 + 1);
    format!("{}-{month:02}-{day:02}", 1995 + value % 9)
}

/// An instant, in one of several spellings; some are midnights.
pub(super) fn instant(random: &mut Random, value: usize) -> String {
    let seconds = value * 7919 % 1440 * 60 + if value.is_multiple_of(3) { 0 } else { value % 60 };
    let (hour, minute, second) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    let day = day(value % 5);
    match random.below(4) {
        0 if second == 0 => format!("{day} {hour:02}:{minute:02}"),
        1 => format!("{day} {hour:02}:{minute:02}:{second:02}"),
        2 => format!("{day}T{hour:02}:{minute:02}:{second:02}.000"),
        _ => format!("{day}T{hour:02}:{minute:02}:{second:02}"),
    }
}

/// Names with all that makes files difficult.
pub(super) fn category(value: usize, plain: bool) -> String {
    let odd = [
        "a, b",
        "\"so\" to say",
        "two\nlines",
        "é漢",
        "*",
        "[1, 2]",
        "007",
        " lead",
        "trail ",
        "'",
        ";x;",
        "\ttab",
        "null",
        "NA",
        "-",
        "=1+1",
        "#",
        "\\",
        "a\r\nb",
        "",
        "0",
        "1e3",
    ];
    if plain || value >= odd.len() { format!("c{value}") } else { odd[value].to_owned() }
}

/// A tree of any shape over so many values: from every value to the top.
pub(super) fn tree(random: &mut Random, values: usize) -> Vec<Vec<String>> {
    let groups = random.below(7);
    // Every group hangs below an earlier one; 0 is the root.
    let above: Vec<usize> = (0..=groups).map(|g| random.below(g)).collect();
    let root = match random.below(4) {
        0 => None,
        1 => Some("all of it".to_owned()),
        _ => Some("*".to_owned()),
    };
    let shared = random.one_in(4);
    let odd = random.one_in(3);
    let group = |g: usize| if odd { format!("g {g} é") } else { format!("g{g}") };
    let path = |v: usize, first: usize| {
        let mut path = Vec::new();
        let mut at = first;
        while at > 0 {
            path.push(group(at));
            at = above[at];
        }
        // In some trees the first value is called like the group above it, as people do with "Other".
        let own = path.last().filter(|_| shared && v == 0).cloned();
        path.insert(0, own.unwrap_or_else(|| format!("v{v}")));
        path.extend(root.clone());
        path
    };
    let mut firsts: Vec<usize> = (0..values).map(|_| random.below(groups + 1)).collect();
    if random.one_in(6) {
        firsts.fill(0);
    }
    (0..values).map(|v| path(v, firsts[v])).collect()
}
