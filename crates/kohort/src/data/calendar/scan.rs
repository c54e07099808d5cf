//! Reads a text from left to right.

/// What is left of a text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scan<'a>(pub(super) &'a str);

impl<'a> Scan<'a> {
    /// Takes digits, as many as there are, if their number is allowed.
    pub(super) fn number(&mut self, digits: std::ops::RangeInclusive<usize>) -> Option<u32> {
        let taken = self.digits();
        if !digits.contains(&taken.len()) {
            return None;
        }
        taken.parse().ok()
    }

    /// Takes all digits that come next.
    pub(super) fn digits(&mut self) -> &'a str {
        self.take_while(|b| b.is_ascii_digit())
    }

    /// Takes all letters that come next, of any alphabet.
    pub(super) fn letters(&mut self) -> &'a str {
        let end = self.0.find(|c: char| !c.is_alphabetic()).unwrap_or(self.0.len());
        let (taken, rest) = self.0.split_at(end);
        self.0 = rest;
        taken
    }

    /// Takes all spaces that come next; says whether there were any.
    pub(super) fn spaces(&mut self) -> bool {
        !self.take_while(|b| b == b' ').is_empty()
    }

    /// Takes one of these marks.
    pub(super) fn mark(&mut self, of: &[u8]) -> Option<u8> {
        let next = self.peek().filter(|next| of.contains(next))?;
        self.0 = &self.0[1..];
        Some(next)
    }

    /// The next byte.
    pub(super) fn peek(&self) -> Option<u8> {
        self.0.as_bytes().first().copied()
    }

    /// Whether nothing is left.
    pub(super) fn is_done(&self) -> bool {
        self.0.is_empty()
    }

    fn take_while(&mut self, is_wanted: impl Fn(u8) -> bool) -> &'a str {
        let end = self.0.bytes().position(|b| !is_wanted(b)).unwrap_or(self.0.len());
        let (taken, rest) = self.0.split_at(end);
        self.0 = rest;
        taken
    }
}
