//! What a fully lost cell costs in the search: a number that the denominators of the columns divide, so that their costs are
//! exact and sums of thirds tie where they must.

/// About as much as a fully lost cell costs: fine enough for what cannot be exact, and cells of thirty bits of entropy still fit.
const USUAL: u32 = 1 << 24;

/// The multiple of all numbers of steps that is nearest below the usual scale, or the least one where that is more. Where there is none
/// of 32 bits, columns of few steps come first; the others are rounded, like costs that are of no equal steps.
pub(super) fn scale(steps: impl Iterator<Item = u32>) -> u32 {
    let mut steps: Vec<u32> = steps.collect();
    steps.sort_unstable();
    let common = steps.into_iter().fold(1, |common, steps| {
        let multiple = u64::from(common / gcd(common, steps)) * u64::from(steps);
        u32::try_from(multiple).unwrap_or(common)
    });
    common * (USUAL / common).max(1)
}

/// Of how many equal steps the whole and all parts consist; none where that is more than 32 bits tell apart. Numbers with a few
/// digits behind the point are taken for what they say.
pub(super) fn equal_steps(parts: &[f64], whole: f64) -> Option<u32> {
    if whole <= 0.0 {
        return Some(1);
    }
    let on_grid = |digits: i32| -> Option<u32> {
        let all: Option<Vec<u64>> =
            parts.iter().chain([&whole]).map(|&x| near(x * 10f64.powi(digits))).collect();
        let all = all?;
        let step = all.iter().copied().fold(0, gcd64);
        // None where the whole is too small for these digits.
        u32::try_from(all.last().filter(|&&whole| whole > 0)? / step).ok()
    };
    (0..=DIGITS).find_map(on_grid)
}

/// Digits behind the point that are looked at.
const DIGITS: i32 = 6;

/// By how much a number may miss a whole one, far less than a step of any scale.
const SLACK: f64 = 1e-12;

/// The whole number that a fraction means, if it means one.
fn near(x: f64) -> Option<u64> {
    let whole = x.round();
    let is_one = (x - whole).abs() <= SLACK * whole.max(1.0) && whole < 2f64.powi(53);
    is_one.then_some(whole as u64)
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

fn gcd64(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd64(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_denominator_divides_the_scale() {
        let one = scale([3, 4, 73, 16].into_iter());
        assert!([3, 4, 73, 16].iter().all(|steps| one % steps == 0) && (USUAL / 2..=USUAL).contains(&one));
        // More than the usual scale, but not more than fits.
        let large = scale([65_521, 65_519].into_iter());
        assert_eq!(large, 65_521 * 65_519);
        // No common multiple of 32 bits: the finer ones are rounded.
        assert_eq!(scale([7, 65_521, 65_519].into_iter()) % (7 * 65_519), 0);
        assert_eq!(scale(std::iter::empty()), USUAL);
    }

    #[test]
    fn steps_are_found_behind_the_point() {
        assert_eq!(equal_steps(&[0.0, 4.0, 9.0], 73.0), Some(73));
        assert_eq!(equal_steps(&[0.0, 20.0, 50.0], 70.0), Some(7));
        assert_eq!(equal_steps(&[0.35 - 0.1, 0.6 - 0.1], 0.85 - 0.1), Some(3));
        assert_eq!(equal_steps(&[0.0], 0.0), Some(1));
        assert_eq!(equal_steps(&[1.0 / 3.0], 1.0), None);
        assert_eq!(equal_steps(&[1.0], 1e12), None);
        // Smaller than any digit that is looked at.
        assert_eq!(equal_steps(&[0.0, 1e-300], 1e-300), None);
    }
}
