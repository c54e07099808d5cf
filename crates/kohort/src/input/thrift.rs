//! Walks over the headers of Parquet files (Thrift, compact protocol) before the library reads them.
//!
//! The library makes room for as many entries as a list says it has. Here every length is held against the bytes that are
//! there, without making room for anything, and every field against the type it must have ([`super::parquet_shapes`]).

use super::parquet_shapes::{Fields, Shape};

/// How deep headers may be nested; those of Parquet are by less than ten.
const DEEPEST: usize = 24;

/// What the walk comes across.
pub(super) enum Found {
    /// An entry of a list begins.
    Entry,
    /// A number.
    Number(i64),
}

/// Why a walk ended early.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Stopped {
    /// The bytes end before the header does.
    Short,
    /// These bytes are no header.
    Wrong,
}

/// Walks over a header with these fields; `found` is told what is found, with the numbers of the fields on the way to it. Returns the
/// length of the header.
pub(super) fn walk(
    bytes: &[u8],
    fields: Fields,
    found: &mut dyn FnMut(&[i16], Found),
) -> Result<usize, Stopped> {
    let mut walk = Walk { bytes, at: 0, path: Vec::new(), depth: 0, found };
    walk.structure(fields)?;
    Ok(walk.at)
}

struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    path: Vec<i16>,
    depth: usize,
    found: &'a mut dyn FnMut(&[i16], Found),
}

impl Walk<'_> {
    fn byte(&mut self) -> Result<u8, Stopped> {
        let byte = *self.bytes.get(self.at).ok_or(Stopped::Short)?;
        self.at += 1;
        Ok(byte)
    }

    fn skip(&mut self, n: u64) -> Result<(), Stopped> {
        if n > (self.bytes.len() - self.at) as u64 {
            return Err(Stopped::Short);
        }
        self.at += n as usize;
        Ok(())
    }

    fn varint(&mut self) -> Result<u64, Stopped> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Stopped::Wrong)
    }

    fn zigzag(&mut self) -> Result<i64, Stopped> {
        let value = self.varint()?;
        Ok((value >> 1).cast_signed() ^ -(value & 1).cast_signed())
    }

    fn structure(&mut self, fields: Fields) -> Result<(), Stopped> {
        let mut field = 0i16;
        loop {
            let head = self.byte()?;
            if head == 0 {
                return Ok(());
            }
            let delta = i16::from(head >> 4);
            let next = if delta == 0 { i16::try_from(self.zigzag()?).ok() } else { field.checked_add(delta) };
            field = next.ok_or(Stopped::Wrong)?;
            self.path.push(field);
            let shape = fields.iter().find(|(number, _)| *number == field).map(|(_, shape)| *shape);
            self.value(head & 15, shape, false)?;
            self.path.pop();
        }
    }

    fn value(&mut self, kind: u8, shape: Option<Shape>, in_list: bool) -> Result<(), Stopped> {
        if self.depth > DEEPEST || shape.is_some_and(|shape| !shape.is_written_as(kind)) {
            return Err(Stopped::Wrong);
        }
        self.depth += 1;
        self.inside(kind, shape, in_list)?;
        self.depth -= 1;
        Ok(())
    }

    fn inside(&mut self, kind: u8, shape: Option<Shape>, in_list: bool) -> Result<(), Stopped> {
        match kind {
            // Whether a flag is set stands in its head, except in lists.
            1 | 2 => self.skip(u64::from(in_list)),
            3 => self.skip(1),
            4..=6 => {
                let number = self.zigzag()?;
                (self.found)(&self.path, Found::Number(number));
                Ok(())
            }
            7 => self.skip(8),
            8 => {
                let length = self.varint()?;
                self.skip(length)
            }
            9 | 10 => self.list(if let Some(Shape::List(of)) = shape { Some(*of) } else { None }),
            12 => self.structure(if let Some(Shape::Fields(fields)) = shape { fields } else { &[] }),
            _ => Err(Stopped::Wrong),
        }
    }

    fn list(&mut self, of: Option<Shape>) -> Result<(), Stopped> {
        let head = self.byte()?;
        let long = head >> 4 == 15;
        let size = if long { self.varint()? } else { u64::from(head >> 4) };
        // Every entry takes a byte at least.
        if size > (self.bytes.len() - self.at) as u64 {
            return Err(Stopped::Short);
        }
        for _ in 0..size {
            (self.found)(&self.path, Found::Entry);
            self.value(head & 15, of, true)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers(bytes: &[u8]) -> Result<Vec<(Vec<i16>, i64)>, Stopped> {
        let mut seen = Vec::new();
        walk(bytes, &[], &mut |path, found| {
            if let Found::Number(n) = found {
                seen.push((path.to_vec(), n));
            }
        })?;
        Ok(seen)
    }

    #[test]
    fn numbers_are_found_where_they_stand() {
        // Field 1: 5; field 3: a structure whose field 2 is -1; field 4: texts "ab" and "".
        let bytes = [0x15, 10, 0x2c, 0x25, 1, 0, 0x19, 0x28, 2, b'a', b'b', 0, 0];
        assert_eq!(numbers(&bytes), Ok(vec![(vec![1], 5), (vec![3, 2], -1)]));
        for cut in 0..bytes.len() {
            assert_eq!(numbers(&bytes[..cut]), Err(Stopped::Short), "{cut}");
        }
    }

    #[test]
    fn lengths_that_do_not_fit_are_refused() {
        // A list of 2^28 texts, a text of 2^28 bytes, structures without end.
        assert_eq!(numbers(&[0x19, 0xf8, 0x80, 0x80, 0x80, 0x80, 1, 0]), Err(Stopped::Short));
        assert_eq!(numbers(&[0x18, 0x80, 0x80, 0x80, 0x80, 1, 0]), Err(Stopped::Short));
        assert_eq!(numbers(&[0x1c; 99]), Err(Stopped::Wrong));
        assert_eq!(numbers(&[0x19; 99]), Err(Stopped::Wrong));
    }

    /// The library would read the text as the list that it expects.
    #[test]
    fn fields_have_their_types() {
        const LISTS: Fields = &[(1, Shape::List(&Shape::Text))];
        let of = |bytes: &[u8]| walk(bytes, LISTS, &mut |_, _| ());
        assert_eq!(of(&[0x19, 0x18, 1, b'a', 0]), Ok(5));
        assert_eq!(of(&[0x18, 2, b'a', b'b', 0]), Err(Stopped::Wrong));
        assert_eq!(of(&[0x19, 0x15, 4, 0]), Err(Stopped::Wrong), "a list of numbers");
        assert_eq!(of(&[0x28, 2, b'a', b'b', 0]), Ok(5), "a field of a later version");
    }
}
