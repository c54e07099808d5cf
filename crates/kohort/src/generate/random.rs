//! Chance by integers: one 32-bit word per choice, the same on every machine.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

/// The random stream of one chunk.
#[derive(Debug)]
pub(super) struct Dice(ChaCha8Rng);

impl Dice {
    /// Streams of one seed never overlap, so chunks are independent of each other.
    pub(super) fn new(seed: u64, chunk: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(chunk);
        Self(rng)
    }

    /// A number in `0..n`, all equally likely up to n / 2^32.
    pub(super) fn below(&mut self, n: u32) -> u32 {
        self.scaled(n).0
    }

    /// A number in `0..n` and what is left of the word: a uniform 32-bit fraction.
    fn scaled(&mut self, n: u32) -> (u32, u32) {
        let product = u64::from(self.0.next_u32()) * u64::from(n);
        ((product >> 32) as u32, product as u32)
    }
}

/// A distribution over `0..n`, drawn in constant time by Walker's alias method (as built by Vose, 1991): every value
/// owns an equal slot, and shares it with at most one other.
#[derive(Debug, Clone)]
pub(super) struct Weights {
    keep: Vec<u32>,
    alias: Vec<u32>,
}

impl Weights {
    /// Weights need not sum to one; a weight of zero is never drawn.
    pub(super) fn new(weights: impl IntoIterator<Item = f64>) -> Self {
        let mut scaled: Vec<f64> = weights.into_iter().collect();
        let unit = scaled.iter().sum::<f64>() / scaled.len() as f64;
        debug_assert!(unit > 0.0, "weights must not all be zero");
        for weight in &mut scaled {
            *weight /= unit;
        }
        let mut alias: Vec<u32> = (0..scaled.len() as u32).collect();
        let (mut small, mut large): (Vec<usize>, Vec<usize>) =
            (0..scaled.len()).partition(|&i| scaled[i] < 1.0);
        while let (Some(&s), Some(&l)) = (small.last(), large.last()) {
            small.pop();
            alias[s] = l as u32;
            scaled[l] -= 1.0 - scaled[s];
            if scaled[l] < 1.0 {
                large.pop();
                small.push(l);
            }
        }
        // `as` saturates, and a slot shared with nobody has itself as alias: 1.0 means "always".
        let keep = scaled.iter().map(|w| (w * 4_294_967_296.0) as u32).collect();
        Self { keep, alias }
    }

    /// Draws a value.
    pub(super) fn pick(&self, dice: &mut Dice) -> usize {
        let (slot, fraction) = dice.scaled(self.keep.len() as u32);
        let slot = slot as usize;
        if fraction < self.keep[slot] { slot } else { self.alias[slot] as usize }
    }
}

/// e^y by the four basic operations alone, whose results IEEE 754 fixes; `f64::exp` may differ between machines.
pub(super) fn exp(y: f64) -> f64 {
    let (mut sum, mut term) = (1.0, 1.0);
    for i in 1..20 {
        term *= y / 16.0 / f64::from(i);
        sum += term;
    }
    (0..4).fold(sum, |power, _| power * power)
}

/// Factors around 1, to be drawn with equal chance, whose logarithms are about normal with this deviation: the normal
/// distribution in 256 slices of equal mass, each stood for by its middle.
pub(super) fn noise(deviation: f64) -> Vec<f64> {
    (0..256).map(|slice| exp(deviation * normal_quantile((f64::from(slice) + 0.5) / 256.0))).collect()
}

/// Where the normal distribution has `p` of its mass below, by bisection of [`normal_cdf`].
fn normal_quantile(p: f64) -> f64 {
    let (mut low, mut high) = (-4.0, 4.0);
    for _ in 0..50 {
        let middle = f64::midpoint(low, high);
        if normal_cdf(middle) < p { low = middle } else { high = middle }
    }
    low
}

/// The mass of the standard normal distribution below `x`, for |x| up to about 6, by its power series.
pub(super) fn normal_cdf(x: f64) -> f64 {
    const ROOT_OF_TWO_PI: f64 = 2.506_628_274_631_000_5;
    let (mut sum, mut term) = (x, x);
    for i in 1..120 {
        term *= x * x / f64::from(2 * i + 1);
        sum += term;
    }
    0.5 + sum * exp(-x * x / 2.0) / ROOT_OF_TWO_PI
}

/// Which of the groups starting at `starts` (ascending, the first 0) a number falls into.
pub(super) fn band(number: usize, starts: &[usize]) -> usize {
    starts.iter().rposition(|&start| start <= number).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_follow_the_weights_and_never_hit_zero() {
        let weights = Weights::new([0.0, 5.0, 0.0, 3.0, 2.0, 0.0]);
        let (mut dice, mut seen) = (Dice::new(1, 0), [0u32; 6]);
        for _ in 0..100_000 {
            seen[weights.pick(&mut dice)] += 1;
        }
        assert_eq!((seen[0], seen[2], seen[5]), (0, 0, 0));
        for (i, expected) in [(1, 50_000), (3, 30_000), (4, 20_000)] {
            assert!(seen[i].abs_diff(expected) < 700, "{seen:?}");
        }
    }

    #[test]
    fn the_table_holds_exactly_the_weights() {
        let given: Vec<f64> = (0..401).map(|i| f64::from(i * 37 % 101)).collect();
        let weights = Weights::new(given.iter().copied());
        let mut mass = vec![0.0; given.len()];
        for (slot, (&keep, &alias)) in weights.keep.iter().zip(&weights.alias).enumerate() {
            mass[slot] += f64::from(keep) / 4_294_967_296.0;
            mass[alias as usize] += 1.0 - f64::from(keep) / 4_294_967_296.0;
        }
        let unit = given.iter().sum::<f64>() / 401.0;
        assert!(mass.iter().zip(&given).all(|(m, g)| (m - g / unit).abs() < 1e-7));
    }

    #[test]
    fn chunks_have_streams_of_their_own() {
        let word = |seed, chunk| Dice::new(seed, chunk).below(1 << 31);
        assert_eq!(word(1, 5), word(1, 5));
        assert_ne!(word(1, 5), word(1, 6));
        assert_ne!(word(1, 5), word(2, 5));
    }

    #[test]
    fn exponential_and_normal_agree_with_the_books() {
        assert!([-9.0, -1.0, 0.0, 0.5, 3.0_f64].iter().all(|&y| (exp(y) / y.exp() - 1.0).abs() < 1e-12));
        for (x, mass) in [(0.0, 0.5), (1.0, 0.841_344_746), (-2.0, 0.022_750_132), (3.0, 0.998_650_102)] {
            assert!((normal_cdf(x) - mass).abs() < 1e-9, "{x}");
        }
        assert!((normal_quantile(0.975) - 1.959_964).abs() < 1e-6);
    }

    #[test]
    fn bands_start_where_they_say() {
        assert_eq!([0, 4, 5, 9, 10, 99].map(|n| band(n, &[0, 5, 10])), [0, 0, 1, 1, 2, 2]);
    }
}
