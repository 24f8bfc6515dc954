//! Numbers and texts as bytes.

/// Reason of an input that is too short.
const END: &str = "it ends within a value";

/// Writes values.
#[derive(Default)]
pub(super) struct Output(Vec<u8>);

impl Output {
    pub(super) fn bytes(&mut self, bytes: &[u8]) {
        self.0.extend(bytes);
    }

    /// Writes a number as LEB128: seven bits in each byte, the lowest first.
    pub(super) fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    pub(super) fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes(text.as_bytes());
    }

    pub(super) fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// Reads values. No length in the input makes it allocate more than the input is long.
pub(super) struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    pub(super) const fn new(bytes: &'a [u8]) -> Input<'a> {
        Input(bytes)
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn bytes(&mut self, length: usize) -> Result<&'a [u8], String> {
        let (bytes, rest) = self.0.split_at_checked(length).ok_or(END)?;
        self.0 = rest;
        Ok(bytes)
    }

    pub(super) fn hash(&mut self) -> Result<[u8; 32], String> {
        Ok(*self.bytes(32)?.first_chunk().ok_or(END)?)
    }

    pub(super) fn number(&mut self) -> Result<u64, String> {
        let mut number: u64 = 0;
        for shift in (0..64).step_by(7) {
            let byte = *self.bytes(1)?.first().ok_or(END)?;
            let bits = u64::from(byte & 0x7f);
            if (bits << shift) >> shift != bits {
                break;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Ok(number);
            }
        }
        Err("a number is too large".to_owned())
    }

    /// Reads a number of values, each of which takes at least one byte of the rest.
    pub(super) fn count(&mut self) -> Result<usize, String> {
        let count = usize::try_from(self.number()?).unwrap_or(usize::MAX);
        if count > self.0.len() { Err(END.to_owned()) } else { Ok(count) }
    }

    pub(super) fn text(&mut self) -> Result<&'a str, String> {
        let length = self.count()?;
        str::from_utf8(self.bytes(length)?).map_err(|error| error.to_string())
    }
}

/// Last value of a column that is stored as differences.
#[derive(Default)]
pub(super) struct Difference(u64);

impl Difference {
    /// Returns the zigzag encoded difference of a value to the last one.
    pub(super) fn encode(&mut self, value: u64) -> u64 {
        let difference = value.wrapping_sub(self.0).cast_signed();
        self.0 = value;
        ((difference << 1) ^ (difference >> 63)).cast_unsigned()
    }

    /// Returns the value of a zigzag encoded difference.
    pub(super) fn decode(&mut self, zigzag: u64) -> u64 {
        let difference = (zigzag >> 1).cast_signed() ^ -(zigzag & 1).cast_signed();
        self.0 = self.0.wrapping_add(difference.cast_unsigned());
        self.0
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)] // a panic fails the test

    use super::*;

    const NUMBERS: [u64; 9] = [0, 1, 127, 128, 300, 1 << 35, u64::MAX - 1, u64::MAX, 5];

    #[test]
    fn values_are_read_as_written() {
        let mut out = Output::default();
        let mut difference = Difference::default();
        for number in NUMBERS {
            out.number(number);
            out.number(difference.encode(number));
        }
        out.text("joker ♣");
        let bytes = out.finish();
        let mut input = Input::new(&bytes);
        let mut difference = Difference::default();
        for number in NUMBERS {
            assert_eq!(input.number().unwrap(), number);
            assert_eq!(difference.decode(input.number().unwrap()), number);
        }
        assert_eq!(input.text().unwrap(), "joker ♣");
        assert!(input.is_empty());
    }

    #[test]
    fn invalid_bytes_are_refused() {
        for bytes in
            [&[][..], &[0x80], &[0xff; 10], &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 2]]
        {
            assert!(Input::new(bytes).number().is_err(), "{bytes:?}");
        }
        assert!(Input::new(&[5, b'a']).text().is_err(), "a text that is longer than the rest");
        assert!(Input::new(&[1, 0xff]).text().is_err(), "a text that is not UTF-8");
        assert!(Input::new(&[0xff, 0xff, 0xff, 0x7f]).count().is_err());
    }
}
