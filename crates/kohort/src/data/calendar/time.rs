//! The time of day behind a date: `13:07`, `T13:07:22.123Z`, ` 1:07 PM`, ` 13:07:22 +0200`.

use super::scan::Scan;
use super::{DAY, Instant, SECOND};

/// A time of day as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) struct Time {
    /// Microseconds from midnight. A leap second comes after the last second of its minute.
    micros: i64,
    /// Whether it is a leap second.
    leaps: bool,
    /// The offset from UTC in seconds, where there is one.
    offset: Option<i64>,
}

impl Time {
    /// Reads what comes behind a date. `compact` allows digits without colons, as behind `20240501`.
    pub(in super::super) fn read(behind: &str, compact: bool) -> Option<Self> {
        let mut scan = Scan(behind);
        if scan.mark(b"Tt").is_none() {
            let comma = scan.mark(b",").is_some();
            if !scan.spaces() && !comma {
                return None;
            }
        }
        let (hour, minute, second) = clock(&mut scan, compact)?;
        let fraction = if second.is_some() { fraction(&mut scan)? } else { 0 };
        let hour = half_day(&mut scan, hour)?;
        let offset = match zone(&mut scan)? {
            Zone::Nothing => None,
            Zone::Ahead(seconds) => Some(seconds),
        };
        let second = second.unwrap_or(0);
        let fits = hour < 24 && minute < 60 && second <= 60 && scan.is_done();
        fits.then(|| Self {
            micros: i64::from(hour * 3600 + minute * 60 + second) * SECOND + fraction,
            leaps: second == 60,
            offset,
        })
    }

    /// The instant at this time of a day. Leap seconds come where UTC has them, before midnight, and are what comes after
    /// them, as on computers; none anywhere else.
    pub(in super::super) fn of(self, day: i64) -> Option<Instant> {
        let micros = day * DAY + self.micros - self.offset.unwrap_or(0) * SECOND;
        let misplaced = self.leaps && micros.rem_euclid(DAY) >= SECOND;
        let instant = Instant { micros, zoned: self.offset.is_some() };
        (!misplaced && instant.is_writable()).then_some(instant)
    }
}

/// Hours, minutes and, where there are any, seconds.
fn clock(scan: &mut Scan<'_>, compact: bool) -> Option<(u32, u32, Option<u32>)> {
    let digits = scan.digits();
    let part = |at: usize| digits.get(at..at + 2).and_then(|d| d.parse::<u32>().ok());
    match digits.len() {
        4 if compact => Some((part(0)?, part(2)?, None)),
        6 if compact => Some((part(0)?, part(2)?, Some(part(4)?))),
        1 | 2 => {
            scan.mark(b":")?;
            let minute = scan.number(2..=2)?;
            let second = if scan.mark(b":").is_some() { Some(scan.number(2..=2)?) } else { None };
            Some((digits.parse().ok()?, minute, second))
        }
        _ => None,
    }
}

/// Microseconds; what is finer is cut off.
fn fraction(scan: &mut Scan<'_>) -> Option<i64> {
    if scan.mark(b".,").is_none() {
        return Some(0);
    }
    let digits = scan.digits();
    let kept = digits.get(..6).unwrap_or(digits);
    let missing = 6 - u32::try_from(kept.len()).ok()?;
    kept.parse::<i64>().ok().map(|n| n * 10i64.pow(missing))
}

/// The hour of 24, where AM or PM follows.
fn half_day(scan: &mut Scan<'_>, hour: u32) -> Option<u32> {
    let mut ahead = *scan;
    ahead.spaces();
    let pm = match ahead.peek() {
        Some(b'a' | b'A') => false,
        Some(b'p' | b'P') => true,
        _ => return Some(hour),
    };
    ahead.mark(b"aApP")?;
    ahead.mark(b".");
    ahead.mark(b"mM")?;
    ahead.mark(b".");
    *scan = ahead;
    (1..=12).contains(&hour).then_some(hour % 12 + if pm { 12 } else { 0 })
}

/// What stands behind a time of day.
enum Zone {
    Nothing,
    /// Seconds that the clocks are ahead of UTC.
    Ahead(i64),
}

/// The offset from UTC. Names of zones are none: they mean several things.
fn zone(scan: &mut Scan<'_>) -> Option<Zone> {
    let spaced = scan.spaces();
    let sign = match scan.peek() {
        None => return (!spaced).then_some(Zone::Nothing),
        Some(b'Z' | b'z' | b'U' | b'u' | b'G' | b'g') => {
            let name = scan.letters();
            let is_utc = ["Z", "UTC", "GMT"].iter().any(|known| known.eq_ignore_ascii_case(name));
            return is_utc.then_some(Zone::Ahead(0));
        }
        Some(b'+') => 1,
        Some(b'-') => -1,
        Some(_) => return None,
    };
    scan.mark(b"+-");
    let digits = scan.digits();
    let part = |at: usize| digits.get(at..at + 2).and_then(|d| d.parse::<i64>().ok());
    let (hours, minutes) = match digits.len() {
        2 if scan.mark(b":").is_some() => (part(0)?, i64::from(scan.number(2..=2)?)),
        2 => (part(0)?, 0),
        4 => (part(0)?, part(2)?),
        _ => return None,
    };
    (hours <= 18 && minutes < 60).then_some(Zone::Ahead(sign * (hours * 3600 + minutes * 60)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(behind: &str) -> Option<(i64, Option<i64>)> {
        Time::read(behind, false).map(|time| (time.micros / SECOND, time.offset))
    }

    #[test]
    fn clocks_of_twelve_and_twenty_four_hours() {
        assert_eq!(read(" 1:07 PM"), read("T13:07"));
        assert_eq!((read(" 12:00 a.m."), read(", 12:00pm")), (Some((0, None)), Some((43_200, None))));
        assert_eq!((read(" 13:07 PM"), read(" 0:07 am"), read(" 1:07 xm")), (None, None, None));
    }

    #[test]
    fn offsets_in_every_spelling() {
        for text in ["T10:00+02:00", " 10:00 +0200", " 10:00:00+02"] {
            assert_eq!(read(text), Some((36_000, Some(7200))), "{text}");
        }
        assert_eq!((read("T10:00 UTC"), read("T10:00z")), (Some((36_000, Some(0))), Some((36_000, Some(0)))));
        for wrong in ["T10:00 CET", "T10:00+25:00", "T10:00+2", "T10:00 ", "10:00", "T1000", "T10:00+02:"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        assert_eq!(Time::read("T130722Z", true).map(|t| t.micros / SECOND), Some(47_242));
    }
}
