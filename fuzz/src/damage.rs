//! What happens to files: flipped bits, cut ends, lengths that are wrong, parts of other files.

/// A stream of random damage. The same seed does the same.
pub struct Damage(u64);

/// Numbers that readers like least.
const LENGTHS: [i64; 16] = [
    0,
    1,
    -1,
    2,
    7,
    127,
    128,
    255,
    256,
    65_535,
    1 << 20,
    0x7FFF_FFFF,
    0x8000_0000,
    0xFFFF_FFFF,
    i64::MAX,
    i64::MIN,
];

/// Words that mean something in one of the formats.
const WORDS: [&str; 40] = [
    "\"",
    "\"\"",
    ",",
    ";",
    "\t",
    "\r\n",
    "\n",
    "\u{feff}",
    "*",
    "\\",
    "{",
    "}",
    "[",
    "]",
    "[[",
    "null",
    "=",
    "'",
    "\"\"\"",
    "#",
    "1e309",
    "-0",
    "NaN",
    "99999999999999999999",
    "2020-02-30",
    "[20, 30[",
    "20-29",
    "[1, 2]",
    "65+",
    "<5",
    "\0",
    "ü",
    "\u{1F600}",
    "PAR1",
    "ARROW1",
    "hierarchy",
    "columns",
    "k = -1",
    "role",
    "subcats",
];

impl Damage {
    /// Damage that follows from a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// The bytes with one to eight things wrong, usually few. `other` is where foreign parts come from.
    pub fn damaged(&mut self, bytes: &[u8], other: &[u8]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..1usize << self.below(4) {
            self.once(&mut bytes, other);
        }
        bytes
    }

    fn once(&mut self, bytes: &mut Vec<u8>, other: &[u8]) {
        if bytes.is_empty() {
            bytes.extend_from_slice(other);
            return;
        }
        let at = self.place(bytes.len());
        match self.below(10) {
            0 | 1 => bytes[at] ^= 1 << self.below(8),
            2 => bytes[at] = self.next() as u8,
            3 => self.length(bytes, at),
            4 => bytes.truncate(at),
            5 => drop(bytes.drain(at..(at + 1 + self.below(64)).min(bytes.len()))),
            6 => drop(bytes.splice(at..at, WORDS[self.below(WORDS.len())].bytes())),
            7 => {
                let end = (at + 1 + self.below(64)).min(bytes.len());
                let again = bytes[at..end].to_vec();
                let to = self.place(bytes.len());
                bytes.splice(to..to, again).for_each(drop);
            }
            8 if !other.is_empty() => {
                let from = self.below(other.len());
                let part = &other[from..(from + 1 + self.below(256)).min(other.len())];
                // Over what is there, so that all else keeps its place, or between.
                let end = if self.below(2) == 0 { at } else { (at + part.len()).min(bytes.len()) };
                bytes.splice(at..end, part.iter().copied()).for_each(drop);
            }
            _ => bytes[at] = bytes[at].wrapping_add(if self.below(2) == 0 { 1 } else { 255 }),
        }
    }

    /// Somewhere; the ends of files, where footers are, twice as often.
    fn place(&mut self, len: usize) -> usize {
        let near = len.min(512);
        if self.below(3) == 0 { len - 1 - self.below(near) } else { self.below(len) }
    }

    /// A number of 4 or 8 bytes, or of variable length, is overwritten.
    fn length(&mut self, bytes: &mut [u8], at: usize) {
        let number = LENGTHS[self.below(LENGTHS.len())];
        let new: Vec<u8> = match self.below(3) {
            0 => number.to_le_bytes()[..4].to_vec(),
            1 => number.to_le_bytes().to_vec(),
            _ => varint(number.cast_unsigned()),
        };
        let at = if self.below(2) == 0 { at & !3 } else { at };
        bytes[at..].iter_mut().zip(new).for_each(|(byte, new)| *byte = new);
    }
}

fn varint(mut number: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
    bytes
}
