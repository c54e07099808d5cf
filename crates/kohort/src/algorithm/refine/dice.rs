//! The draws of a refinement. Everything it decides by comes from integers, so that the same seed gives the same classes on
//! every machine.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// A source of chance.
pub(super) struct Dice(ChaCha8Rng);

impl Dice {
    /// The same draws for the same seed and purpose.
    pub(super) fn new(seed: u64, purpose: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(purpose);
        Self(rng)
    }

    /// A number below `n`, which is not 0.
    #[inline]
    pub(super) fn below(&mut self, n: usize) -> usize {
        ((u64::from(self.0.next_u32()) * n as u64) >> 32) as usize
    }

    /// A number from 0 up to 1.
    #[inline]
    pub(super) fn share(&mut self) -> f64 {
        f64::from(self.0.next_u32()) / f64::from(u32::MAX)
    }

    /// A number from `low` up to `high`.
    #[inline]
    pub(super) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.share()
    }

    /// Whether something happens that happens so often.
    #[inline]
    pub(super) fn happens(&mut self, share: f64) -> bool {
        self.share() < share
    }

    /// About −ln of a number from 0 to 1. Leading zeros are its logarithm to base 2, and between powers of two a straight
    /// line will do: no library's logarithm decides what is accepted.
    pub(super) fn exponential(&mut self) -> f64 {
        let bits = self.0.next_u64() | 1;
        let zeros = bits.leading_zeros();
        let rest = (bits << zeros) >> 11;
        let mantissa = rest as f64 / (1u64 << 52) as f64;
        (f64::from(zeros) + 2.0 - mantissa) * std::f64::consts::LN_2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponential_draws_have_the_mean_of_their_kind() {
        let mut dice = Dice::new(7, 1);
        let mean = (0..100_000).map(|_| dice.exponential()).sum::<f64>() / 100_000.0;
        assert!((0.95..1.05).contains(&mean), "{mean}");
        let beyond = (0..100_000).filter(|_| dice.exponential() > 3.0).count();
        assert!((4_000..6_000).contains(&beyond), "{beyond}");
    }

    #[test]
    fn purposes_draw_apart() {
        let draw = |purpose| (0..8).map(|_| Dice::new(1, purpose).below(1 << 20)).collect::<Vec<_>>();
        assert_ne!(draw(1), draw(2));
    }
}
