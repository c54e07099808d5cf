//! Numbers whose sums tell sets apart, whatever the order of their members.

/// A number that looks random and is the same for the same `x`: the finalizer of splitmix64 (Steele, Lea and Flood 2014).
pub(crate) fn mixed(x: u64) -> u64 {
    let x = x.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
