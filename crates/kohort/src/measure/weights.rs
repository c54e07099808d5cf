//! The weighted hierarchical distance of Li et al. 2006.

/// `WHD(p, q)` for a hierarchy of `levels` levels (Li et al. 2006, Definition 5): generalizing from level `from` up to
/// level `to`, where level 1 is the root and level `levels` holds the values; the step between `j` and `j-1` weighs
/// `1/(j-1)^beta`. `beta = 0` is the uniform weight. A one-level hierarchy has no step and costs nothing.
///
/// ```
/// use kohort::measure::whd;
/// assert!((whd(6, 6, 4, 0.0) - 0.4).abs() < 1e-12);
/// assert!((whd(6, 6, 5, 1.0) - 12.0 / 137.0).abs() < 1e-12);
/// ```
pub fn whd(levels: u32, from: u32, to: u32, beta: f64) -> f64 {
    whd_by(levels, from, to, |j| height_weight(j, beta))
}

/// The same for weights of any scheme: `weight(j)` is that of the step between `j` and `j-1`.
pub(super) fn whd_by(levels: u32, from: u32, to: u32, weight: impl Fn(u32) -> f64) -> f64 {
    let steps = |above: u32, below: u32| -> f64 { (above + 1..=below).map(&weight).sum() };
    let all = steps(1, levels);
    if all > 0.0 { steps(to, from) / all } else { 0.0 }
}

/// The weight of a step nobody gave another: `1/(j-1)^beta`.
pub(super) fn height_weight(j: u32, beta: f64) -> f64 {
    f64::from(j - 1).powf(-beta)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `algorithms.md` §14.12: the birth-date hierarchy D/M/Y, M/Y, Y, 10Y, C/Y/M/O, *.
    #[test]
    fn worked_example_12() {
        let close = |x: f64, y: f64| assert!((x - y).abs() < 5e-7, "{x} is not {y}");
        close(whd(6, 6, 4, 0.0), 0.4);
        close(whd(2, 2, 1, 0.0), 1.0);
        close(whd(6, 6, 5, 1.0), 12.0 / 137.0);
        for (level, step) in
            [(6, 0.087_591_2), (5, 0.109_489), (4, 0.145_985), (3, 0.218_978), (2, 0.437_956)]
        {
            close(whd(6, level, level - 1, 1.0), step);
        }
        // §14.12 prints .683240; the definition gives 1 / (1 + 1/4 + 1/9 + 1/16 + 1/25).
        close(whd(6, 2, 1, 2.0), 3600.0 / 5269.0);
        let step = whd(6, 6, 5, 1.0);
        assert!(11.0 * step < 1.0 && 12.0 * step > 1.0);
        close(11.0 * step, 0.963_504);
    }
}
