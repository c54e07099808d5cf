//! Numbers as people write them, and grids of them.
//!
//! A grid of 0.1 has a line at 0.3. Multiplying floats gives 0.30000000000000004 instead, and with sixteen digits the
//! noise moves a line to the wrong side of a value. So lines are found in whole numbers of decimal places, and become
//! floats at the end: rounding keeps the order, so a line below a value stays below it.

/// A decimal number: `digits` times ten to the power of `exponent`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Decimal {
    digits: i128,
    exponent: i32,
}

impl Decimal {
    /// The shortest decimal that reads back as this finite number, with at most 17 digits.
    fn of(x: f64) -> Self {
        let text = format!("{x:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let places =
            mantissa.split_once('.').map_or(0, |(_, fraction)| fraction.chars().map(|_| 1).sum::<i32>());
        let digits = mantissa.replace('.', "").parse().unwrap_or(0);
        Self { digits, exponent: exponent.parse::<i32>().unwrap_or(0) - places }
    }

    fn value(self) -> f64 {
        format!("{}e{}", self.digits, self.exponent).parse().unwrap_or(f64::NAN)
    }
}

/// All multiples of a step above zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grid {
    step: Decimal,
}

impl Grid {
    /// The multiples of a finite step above zero.
    pub fn new(step: f64) -> Self {
        let Decimal { digits, exponent } = Decimal::of(step);
        Self { step: Decimal { digits: digits.max(1), exponent } }
    }

    /// The multiples of `digit` times ten to the power of `exponent`.
    pub(super) fn of_digit(digit: u8, exponent: i32) -> Self {
        Self { step: Decimal { digits: i128::from(digit.max(1)), exponent } }
    }

    /// The last line at or below a finite number; `None` where the step is too small to tell lines apart.
    ///
    /// A number on the grid is its own line, on both sides: moving an end to the grid leaves it where it is then.
    pub fn below(&self, x: f64) -> Option<f64> {
        self.line(self.number_below(Decimal::of(x))?)
    }

    /// The first line at or above a finite number; `None` where the step is too small to tell lines apart.
    pub fn above(&self, x: f64) -> Option<f64> {
        let Decimal { digits, exponent } = Decimal::of(x);
        self.line(-self.number_below(Decimal { digits: -digits, exponent })?)
    }

    /// The line of a number: the third line of a grid of 0.1 is 0.3.
    pub fn line(&self, number: i128) -> Option<f64> {
        let digits = number.checked_mul(self.step.digits)?;
        Some(Decimal { digits, ..self.step }.value())
    }

    /// How many steps the last line at or below lies from zero.
    fn number_below(&self, x: Decimal) -> Option<i128> {
        let shift = x.exponent - self.step.exponent;
        let power = 10i128.checked_pow(shift.unsigned_abs());
        if shift >= 0 {
            return if x.digits == 0 {
                Some(0)
            } else {
                Some(x.digits.checked_mul(power?)?.div_euclid(self.step.digits))
            };
        }
        match power.and_then(|p| self.step.digits.checked_mul(p)) {
            Some(step) => Some(x.digits.div_euclid(step)),
            // The step is larger than any number of so few digits.
            None => Some(if x.digits < 0 { -1 } else { 0 }),
        }
    }
}

/// The middle between two numbers as people would work it out: between 0.1 and 0.2 lies 0.15.
pub fn middle(a: f64, b: f64) -> f64 {
    let (a, b) = (Decimal::of(a), Decimal::of(b));
    let exponent = a.exponent.min(b.exponent);
    let digits = |x: Decimal| {
        10i128
            .checked_pow((x.exponent - exponent).unsigned_abs())
            .and_then(|power| x.digits.checked_mul(power))
    };
    // Half of a sum is five times the sum of tenths.
    let sum = digits(a).zip(digits(b)).and_then(|(a, b)| a.checked_add(b)?.checked_mul(5));
    sum.map_or_else(
        || f64::midpoint(a.value(), b.value()),
        |digits| Decimal { digits, exponent: exponent - 1 }.value(),
    )
}

/// Up to so many digits were meant by somebody; and so many a float holds, whatever is done to it.
const MEANT: u32 = 12;
const HELD: u32 = 15;

/// A number without the noise of computing with floats: -0.7000000000000001 is -0.7. What has more digits than anybody means,
/// and not because of such noise, stays as it is. The value alone decides.
pub(super) fn without_noise(x: f64) -> f64 {
    let Decimal { digits, exponent } = Decimal::of(x);
    let Some(more) = digits.unsigned_abs().checked_ilog10().and_then(|n| (n + 1).checked_sub(HELD)) else {
        return x;
    };
    let unit = 10i128.pow(more);
    let rounded = (digits + digits.signum() * unit / 2) / unit;
    let meant = rounded % 10i128.pow(HELD - MEANT) == 0;
    if more > 0 && meant {
        Decimal { digits: rounded, exponent: exponent + more.cast_signed() }.value()
    } else {
        x
    }
}

/// A line of a grid, by its number: what people call it, without the noise of rounding.
pub fn grid_line(line: f64, step: f64) -> f64 {
    Grid::new(step).line(line as i128).unwrap_or(line * step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decimals_are_what_people_write() {
        for x in [0.0, 0.3, -0.1, 1e16, 9_007_199_254_740_993.0, 1e-320, -1.797e308, 123.456, 1e22] {
            assert_eq!(Decimal::of(x).value().to_bits(), x.to_bits(), "{x}");
        }
        assert_eq!(Decimal::of(0.3), Decimal { digits: 3, exponent: -1 });
    }

    #[test]
    fn lines_lie_on_the_right_side_and_less_than_a_step_away() {
        let steps = [0.1, 0.3, 1.0, 3.0, 7.0, 5.0, 1e15, 2.5e-7, 1e-300];
        let values = [0.0, 0.3, 0.29, 0.1 + 0.2, -17.0, 3_000_000_000_000_007.0, 123_456_789_012.3, 1e-320];
        for step in steps {
            let grid = Grid::new(step);
            for x in values.into_iter().flat_map(|x| [x, -x]) {
                let (Some(lo), Some(hi)) = (grid.below(x), grid.above(x)) else { continue };
                assert!(lo <= x && x <= hi, "{step} {x}: {lo} {hi}");
                assert!(hi - lo <= step * 1.000_001 + x.abs() * 1e-15, "{step} {x}: {lo} {hi}");
            }
        }
        assert_eq!((Grid::new(0.1).below(0.3), Grid::new(0.1).above(0.3)), (Some(0.3), Some(0.3)));
        assert_eq!(Grid::new(3.0).above(1_000_000_000_000_002.0), Some(1_000_000_000_000_002.0));
        assert_eq!(Grid::new(7.0).above(1_000_000_000_000_002.0), Some(1_000_000_000_000_008.0));
        assert_eq!(
            (Grid::new(1e300).below(-1e-320), Grid::new(1e300).above(5.0)),
            (Some(-1e300), Some(1e300))
        );
        assert_eq!(Grid::new(1e-300).below(1.0), None);
    }

    #[test]
    fn middles_have_the_digits_of_their_ends() {
        let text = |a: f64, b: f64| middle(a, b).to_string();
        assert_eq!(
            (text(0.1, 0.2), text(-0.7, 0.4), text(1.1, 1.1)),
            ("0.15".into(), "-0.15".into(), "1.1".into())
        );
        assert_eq!(
            (text(12.25, 13.5), text(0.0, 5.0), text(1e300, 0.0)),
            ("12.875".into(), "2.5".into(), 5e299.to_string())
        );
        assert_eq!(middle(1e-320, 1e300).to_bits(), 5e299f64.to_bits());
    }

    #[test]
    fn noise_is_taken_away_and_digits_are_not() {
        let near = |x: f64| without_noise(x).to_string();
        assert_eq!(near(-0.700_000_000_000_000_1), "-0.7");
        assert_eq!((near(0.1 + 0.2), near(1.1 * 1.1)), ("0.3".into(), "1.21".into()));
        assert_eq!(near(2.999_999_999_999_999_6), "3");
        for x in
            [0.0, 0.5, 1.0 / 3.0, std::f64::consts::PI, 9_007_199_254_740_992.0, 1e-320, 12.25, 1e22, -7.0]
        {
            assert_eq!(without_noise(x).to_bits(), x.to_bits(), "{x}");
        }
        assert_eq!(without_noise(0.123_456_789_012_345_6).to_bits(), 0.123_456_789_012_345_6f64.to_bits());
    }

    #[test]
    fn lines_by_number() {
        assert_eq!(grid_line(3.0, 0.1).to_bits(), 0.3f64.to_bits());
        assert_eq!(grid_line(1_000_000_000_000_001.0, 3.0).to_bits(), 3_000_000_000_000_003f64.to_bits());
    }
}
