//! Table I of the paper.

/// The four k of the paper.
pub(crate) const KS: [u32; 4] = [5, 10, 15, 20];

/// Losses at the four k.
pub(crate) type Row = [f64; 4];

/// Best k-anonymization, forest, better (k,k).
pub(crate) type Published = [Row; 3];

/// By table, entropy first.
const ART: [Published; 2] = [
    [[0.65, 0.98, 1.13, 1.22], [0.89, 1.25, 1.42, 1.51], [0.53, 0.83, 0.99, 1.08]],
    [[0.12, 0.19, 0.23, 0.25], [0.15, 0.24, 0.28, 0.31], [0.10, 0.16, 0.19, 0.22]],
];
const ADT: [Published; 2] = [
    [[0.66, 0.93, 1.08, 1.18], [1.02, 1.45, 1.63, 1.73], [0.50, 0.75, 0.90, 1.00]],
    [[0.14, 0.20, 0.24, 0.26], [0.22, 0.37, 0.46, 0.53], [0.09, 0.13, 0.16, 0.18]],
];
const CMC: [Published; 2] = [
    [[0.67, 0.95, 1.08, 1.20], [0.99, 1.31, 1.46, 1.53], [0.54, 0.80, 0.98, 1.10]],
    [[0.14, 0.21, 0.25, 0.28], [0.19, 0.31, 0.40, 0.44], [0.11, 0.17, 0.20, 0.23]],
];

/// What is printed for a table, entropy first.
pub(crate) fn of(set: &str) -> [Published; 2] {
    match set {
        "ART" => ART,
        "ADT" => ADT,
        _ => CMC,
    }
}

/// By how many percent one line of the whole printed table lies below another: the least and the most. Lines are counted as in
/// [`Published`].
pub(crate) fn saved(low: usize, high: usize) -> (f64, f64) {
    let cases = [ART, ADT, CMC].into_iter().flatten();
    let of_case =
        |case: Published| std::iter::zip(case[low], case[high]).map(|(low, high)| 100.0 * (1.0 - low / high));
    crate::report::ends(&cases.flat_map(of_case).collect::<Vec<_>>())
}
