//! What plain loops take, which is what the paper compares: they are in `bench`, and this cites what was measured there.

/// Seconds on 30,162 rows of Adult with eight quasi-identifiers, k = 10: loops over rows that the tests believe.
pub(super) const SYSTEMATIC: f64 = 10.6;
pub(super) const K_MEMBER: f64 = 43.8;
/// A loop over columns of codes, with what joining costs in tables.
pub(super) const K_MEMBER_OVER_CODES: f64 = 3.2;
/// Where these figures stand.
pub(super) const OF_SYSTEMATIC: &str = "bench/results/2026-11-16-speed.json";
pub(super) const OF_K_MEMBER: &str = "bench/results/2026-11-19-k-member.json";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_are_those_of_the_results() {
        let seconds = |file: &str, algorithm: &str, variant: &str| {
            let place = format!("{}/../../{file}", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(place).unwrap_or_default();
            let result: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
            let mut all = result["measurements"].as_array().into_iter().flatten();
            let found = all.find(|m| {
                m["algorithm"] == algorithm && m["rows"] == 30_162 && m["k"] == 10 && m["variant"] == variant
            });
            found.and_then(|m| m["plain_seconds"].as_f64()).map(|seconds| (10.0 * seconds).round() / 10.0)
        };
        for (file, algorithm, variant, cited) in [
            (OF_SYSTEMATIC, "systematic", "", SYSTEMATIC),
            (OF_K_MEMBER, "k-member", "", K_MEMBER),
            (OF_K_MEMBER, "k-member", "codes", K_MEMBER_OVER_CODES),
        ] {
            assert_eq!(seconds(file, algorithm, variant), Some(cited), "{algorithm} {variant}");
        }
    }
}
