//! What plain loops take, which is what the paper compares: they are in `bench`, and this cites what was measured there.

/// Seconds of the loops over rows that the tests believe, on 30,162 rows of Adult with eight quasi-identifiers, k = 10.
pub(super) const SYSTEMATIC: f64 = 10.6;
pub(super) const K_MEMBER: f64 = 64.9;
/// Where these figures stand.
pub(super) const RESULT: &str = "bench/results/2026-11-16-speed.json";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_are_those_of_the_result() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../");
        let text = std::fs::read_to_string(format!("{file}{RESULT}")).unwrap_or_default();
        let result: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
        let seconds = |algorithm: &str| {
            let all = result["measurements"].as_array().into_iter().flatten();
            let mut found =
                all.filter(|m| m["algorithm"] == algorithm && m["rows"] == 30_162 && m["variant"] == "");
            found.find_map(|m| m["plain_seconds"].as_f64())
        };
        for (algorithm, cited) in [("systematic", SYSTEMATIC), ("k-member", K_MEMBER)] {
            let measured = seconds(algorithm).map(|seconds| (10.0 * seconds).round() / 10.0);
            assert_eq!(measured, Some(cited), "{algorithm}");
        }
    }
}
