//! Numbers as bytes: seven bits in each, the lowest first, the eighth bit set where more follow. Signed
//! ones are folded first: 0, -1, 1, -2, ...

use std::io::{self, Read, Write};

/// A number of `W * 64` bits, the highest word first: so their order is that of arrays.
pub type Wide<const W: usize> = [u64; W];

pub fn write_number(out: &mut impl Write, number: u64) -> io::Result<()> {
    write_wide(out, [number])
}

pub fn write_signed(out: &mut impl Write, number: i64) -> io::Result<()> {
    write_number(out, ((number << 1) ^ (number >> 63)) as u64)
}

pub fn read_number(from: &mut impl Read) -> io::Result<u64> {
    read_wide::<1>(from).map(|[number]| number)
}

pub fn read_signed(from: &mut impl Read) -> io::Result<i64> {
    let folded = read_number(from)?;
    Ok((folded >> 1) as i64 ^ -((folded & 1) as i64))
}

/// A number that counts or names something, of which there can't be more than this.
pub fn read_below(from: &mut impl Read, bound: usize) -> io::Result<usize> {
    let number = read_number(from)?;
    match usize::try_from(number) {
        Ok(number) if number < bound => Ok(number),
        _ => Err(invalid(format!(
            "{number} where less than {bound} is possible"
        ))),
    }
}

pub fn write_wide<const W: usize>(out: &mut impl Write, mut number: Wide<W>) -> io::Result<()> {
    loop {
        let low = (number[W - 1] & 0x7f) as u8;
        number = shifted_right(number);
        if number == [0; W] {
            return out.write_all(&[low]);
        }
        out.write_all(&[low | 0x80])?;
    }
}

pub fn read_wide<const W: usize>(from: &mut impl Read) -> io::Result<Wide<W>> {
    let mut number = [0; W];
    let mut shift = 0;
    loop {
        let mut byte = [0];
        from.read_exact(&mut byte)?;
        let bits = u64::from(byte[0] & 0x7f);
        let (word, offset) = (shift / 64, shift % 64);
        if word < W {
            number[W - 1 - word] |= bits << offset;
        }
        let over = if offset > 57 {
            bits >> (64 - offset)
        } else {
            0
        };
        match (word + 1 < W, over) {
            (true, over) => number[W - 2 - word] |= over,
            (false, 0) if word < W => {}
            (false, _) => return Err(invalid("a number is too large".to_owned())),
        }
        shift += 7;
        if byte[0] & 0x80 == 0 {
            return Ok(number);
        }
    }
}

fn shifted_right<const W: usize>(number: Wide<W>) -> Wide<W> {
    std::array::from_fn(|word| {
        let from_above = match word {
            0 => 0,
            word => number[word - 1] << 57,
        };
        number[word] >> 7 | from_above
    })
}

/// The distance from one number to a larger one.
pub fn difference<const W: usize>(larger: Wide<W>, smaller: Wide<W>) -> Wide<W> {
    let mut result = [0; W];
    let mut borrow = false;
    for word in (0..W).rev() {
        let (partial, first) = larger[word].overflowing_sub(smaller[word]);
        let (whole, second) = partial.overflowing_sub(u64::from(borrow));
        (result[word], borrow) = (whole, first || second);
    }
    result
}

/// None where the sum does not fit.
pub fn sum<const W: usize>(one: Wide<W>, other: Wide<W>) -> Option<Wide<W>> {
    let mut result = [0; W];
    let mut carry = false;
    for word in (0..W).rev() {
        let (partial, first) = one[word].overflowing_add(other[word]);
        let (whole, second) = partial.overflowing_add(u64::from(carry));
        (result[word], carry) = (whole, first || second);
    }
    (!carry).then_some(result)
}

pub fn invalid(what: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, what)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn numbers_are_read_as_they_were_written(number: u64, signed: i64, wide: [u64; 3]) {
            let mut bytes = Vec::new();
            write_number(&mut bytes, number).unwrap();
            write_signed(&mut bytes, signed).unwrap();
            write_wide(&mut bytes, wide).unwrap();
            let mut from = &bytes[..];
            prop_assert_eq!(read_number(&mut from).unwrap(), number);
            prop_assert_eq!(read_signed(&mut from).unwrap(), signed);
            prop_assert_eq!(read_wide::<3>(&mut from).unwrap(), wide);
            prop_assert!(from.is_empty());
        }

        #[test]
        fn a_sum_less_one_part_is_the_other(one: [u64; 2], other: [u64; 2]) {
            if let Some(sum) = sum(one, other) {
                prop_assert_eq!(difference(sum, one), other);
            }
        }
    }

    #[test]
    fn small_numbers_take_one_byte() {
        let mut bytes = Vec::new();
        write_wide(&mut bytes, [0, 127]).unwrap();
        assert_eq!(bytes, [127]);
    }

    #[test]
    fn a_number_that_does_not_fit_is_refused() {
        let mut bytes = Vec::new();
        write_wide(&mut bytes, [1, 0]).unwrap();
        assert!(read_wide::<1>(&mut &bytes[..]).is_err());
        let endless = [0x80; 40];
        assert!(read_wide::<2>(&mut &endless[..]).is_err());
    }
}
