//! A column of small integers, stored as narrow as its largest value allows.
//!
//! Memory is what limits table size on one machine; most quasi-identifiers have fewer than 256 values.

/// One code per row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Codes {
    /// Every code fits in a byte.
    U8(Vec<u8>),
    /// Every code fits in two bytes.
    U16(Vec<u16>),
    /// The widest form.
    U32(Vec<u32>),
}

impl Default for Codes {
    fn default() -> Self {
        Self::U8(Vec::new())
    }
}

impl Codes {
    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::U8(v) => v.len(),
            Self::U16(v) => v.len(),
            Self::U32(v) => v.len(),
        }
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The code of a row.
    #[inline]
    pub fn get(&self, row: usize) -> u32 {
        match self {
            Self::U8(v) => u32::from(v[row]),
            Self::U16(v) => u32::from(v[row]),
            Self::U32(v) => v[row],
        }
    }

    /// Appends a code, widening the column when it must.
    pub fn push(&mut self, code: u32) {
        self.widen_for(code);
        match self {
            Self::U8(v) => v.push(code as u8),
            Self::U16(v) => v.push(code as u16),
            Self::U32(v) => v.push(code),
        }
    }

    /// The codes in row order.
    #[allow(clippy::iter_without_into_iter)] // a boxed iterator has no name to implement it with
    pub fn iter(&self) -> Box<dyn Iterator<Item = u32> + '_> {
        match self {
            Self::U8(v) => Box::new(v.iter().map(|&c| u32::from(c))),
            Self::U16(v) => Box::new(v.iter().map(|&c| u32::from(c))),
            Self::U32(v) => Box::new(v.iter().copied()),
        }
    }

    /// Replaces every code `c` by `map[c]`, in place where the width allows.
    #[must_use]
    pub fn remap(self, map: &[u32]) -> Self {
        let widest = map.iter().copied().max().unwrap_or(0);
        match self {
            Self::U8(mut v) if u8::try_from(widest).is_ok() => {
                for c in &mut v {
                    *c = map[*c as usize] as u8;
                }
                Self::U8(v)
            }
            Self::U16(mut v) if u16::try_from(widest).is_ok() => {
                for c in &mut v {
                    *c = map[*c as usize] as u16;
                }
                Self::U16(v)
            }
            Self::U32(mut v) => {
                for c in &mut v {
                    *c = map[*c as usize];
                }
                Self::U32(v)
            }
            narrow => narrow.iter().map(|c| map[c as usize]).collect(),
        }
    }

    fn widen_for(&mut self, code: u32) {
        if let Self::U8(v) = self
            && code > u32::from(u8::MAX)
        {
            *self = Self::U16(v.iter().map(|&c| u16::from(c)).collect());
        }
        if let Self::U16(v) = self
            && code > u32::from(u16::MAX)
        {
            *self = Self::U32(v.iter().map(|&c| u32::from(c)).collect());
        }
    }
}

impl FromIterator<u32> for Codes {
    fn from_iter<T: IntoIterator<Item = u32>>(codes: T) -> Self {
        let mut column = Self::default();
        for code in codes {
            column.push(code);
        }
        column
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widens_without_changing_a_value() {
        let values = [0, 255, 256, 65_535, 65_536, 7];
        let codes: Codes = values.into_iter().collect();
        assert_eq!(codes.iter().collect::<Vec<_>>(), values);
        assert!(matches!(codes, Codes::U32(_)));
    }

    #[test]
    fn remaps_across_widths() {
        let codes: Codes = [0, 1, 2].into_iter().collect();
        let wide = codes.clone().remap(&[5, 70_000, 9]);
        assert_eq!(wide.iter().collect::<Vec<_>>(), [5, 70_000, 9]);
        assert!(matches!(codes.remap(&[2, 1, 0]), Codes::U8(v) if v == [2, 1, 0]));
    }
}
