//! Reads `model.safetensors`: 8 bytes with the length of a JSON header, the header with name, type, shape and
//! place of every tensor, then their numbers. All are little-endian.
//!
//! Source: the format description of the safetensors project.

use serde_json::{Map, Value};

/// The tensors of a published model.
#[derive(Debug)]
pub(crate) struct Tensors<'a> {
    header: Map<String, Value>,
    data: &'a [u8],
}

impl<'a> Tensors<'a> {
    /// Reads the header of a file.
    ///
    /// # Errors
    /// If the file is shorter than its header, or if this is not JSON.
    pub(crate) fn read(file: &'a [u8]) -> Result<Self, String> {
        let (length, rest) = file.split_first_chunk().ok_or("the file has no header")?;
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        let (header, data) = rest.split_at_checked(length).ok_or("the header exceeds the file")?;
        let header = serde_json::from_slice(header).map_err(|error| format!("the header: {error}"))?;
        Ok(Self { header, data })
    }

    /// Returns the numbers of a tensor, which must have the given shape.
    ///
    /// # Errors
    /// If the tensor is missing, has another shape or an unknown type, or lies outside of the file.
    pub(crate) fn numbers(&self, name: &str, shape: &[usize]) -> Result<Vec<f32>, String> {
        // Models that were published with a task have the encoder below this name.
        let tensor = self.header.get(name).or_else(|| self.header.get(&format!("bert.{name}")));
        let tensor = tensor.ok_or_else(|| format!("the tensor {name} is missing"))?;
        if tensor["shape"] != Value::from(shape) {
            return Err(format!("the tensor {name} has the shape {}, not {shape:?}", tensor["shape"]));
        }
        let bytes =
            self.bytes(tensor).ok_or_else(|| format!("the tensor {name} lies outside of the file"))?;
        let numbers = match tensor["dtype"].as_str() {
            Some("F32") => bytes.as_chunks().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect(),
            Some("F16") => half_precision(bytes, f16_bits),
            Some("BF16") => half_precision(bytes, |bits| u32::from(bits) << 16),
            _ => {
                return Err(format!(
                    "the tensor {name} has the type {}, not F32, F16 or BF16",
                    tensor["dtype"]
                ));
            }
        };
        checked(name, numbers, shape)
    }

    fn bytes(&self, tensor: &Value) -> Option<&'a [u8]> {
        let offset = |index: usize| usize::try_from(tensor["data_offsets"][index].as_u64()?).ok();
        self.data.get(offset(0)?..offset(1)?)
    }
}

fn checked(name: &str, numbers: Vec<f32>, shape: &[usize]) -> Result<Vec<f32>, String> {
    if numbers.len() != shape.iter().product::<usize>() {
        return Err(format!("the tensor {name} has {} numbers, not {shape:?}", numbers.len()));
    }
    match numbers.iter().all(|number| number.is_finite()) {
        true => Ok(numbers),
        false => Err(format!("the tensor {name} holds a number that is not finite")),
    }
}

fn half_precision(bytes: &[u8], bits_of_float: impl Fn(u16) -> u32) -> Vec<f32> {
    let halves = bytes.as_chunks().0.iter().map(|bytes| u16::from_le_bytes(*bytes));
    halves.map(|half| f32::from_bits(bits_of_float(half))).collect()
}

/// Returns the bits of the 32-bit float with the value of a 16-bit float of IEEE 754: 1 bit of sign, 5 of
/// exponent, 10 of fraction.
fn f16_bits(half: u16) -> u32 {
    let (sign, exponent, fraction) = (u32::from(half >> 15) << 31, (half >> 10) & 31, u32::from(half & 1023));
    let size = match exponent {
        // Below the normal numbers, the fraction counts in steps of 2⁻²⁴.
        0 => (fraction as f32 / f32::from(1u16 << 12) / f32::from(1u16 << 12)).to_bits(),
        31 => 0x7f80_0000 | fraction << 13,
        _ => (u32::from(exponent) + 127 - 15) << 23 | fraction << 13,
    };
    sign | size
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(header: &str, data: &[u8]) -> Vec<u8> {
        [&(header.len() as u64).to_le_bytes(), header.as_bytes(), data].concat()
    }

    fn numbers(dtype: &str, offsets: &str, data: &[u8]) -> Result<Vec<f32>, String> {
        let header = format!(r#"{{"a":{{"dtype":"{dtype}","shape":[2],"data_offsets":{offsets}}}}}"#);
        Tensors::read(&file(&header, data))?.numbers("a", &[2])
    }

    #[test]
    fn numbers_of_all_three_types_are_read() {
        let floats = [1.5f32.to_le_bytes(), (-2.0f32).to_le_bytes()].concat();

        assert_eq!(numbers("F32", "[0,8]", &floats), Ok(vec![1.5, -2.0]));
        assert_eq!(numbers("F16", "[0,4]", &[0x00, 0x3e, 0x00, 0xc0]), Ok(vec![1.5, -2.0]));
        assert_eq!(numbers("BF16", "[0,4]", &[0xc0, 0x3f, 0x00, 0xc0]), Ok(vec![1.5, -2.0]));
    }

    #[test]
    fn small_and_large_16_bit_floats_keep_their_value() {
        let value = |half| f32::from_bits(f16_bits(half));

        assert_eq!([value(0), value(1), value(0x83ff)], [0.0, 2.0f32.powi(-24), -1023.0 * 2.0f32.powi(-24)]);
        assert_eq!([value(0x0400), value(0x7bff)], [2.0f32.powi(-14), 65504.0]);
        assert_eq!(value(0x7c00), f32::INFINITY);
        assert!(value(0x7e00).is_nan());
    }

    #[test]
    fn a_wrong_tensor_is_named() {
        let cause = |dtype, offsets| numbers(dtype, offsets, &[0; 8]).unwrap_err();

        assert_eq!(cause("I64", "[0,8]"), r#"the tensor a has the type "I64", not F32, F16 or BF16"#);
        assert_eq!(cause("F32", "[0,9]"), "the tensor a lies outside of the file");
        assert_eq!(cause("F32", "[8,0]"), "the tensor a lies outside of the file");
        assert_eq!(cause("F32", "[0,4]"), "the tensor a has 1 numbers, not [2]");
        let infinite = numbers("F16", "[0,4]", &[0, 0x7c, 0, 0]).unwrap_err();
        assert_eq!(infinite, "the tensor a holds a number that is not finite");
        let tensors = file(r#"{"a":{"shape":[3]}}"#, &[]);
        let cause = Tensors::read(&tensors).and_then(|tensors| tensors.numbers("a", &[2])).unwrap_err();
        assert_eq!(cause, "the tensor a has the shape [3], not [2]");
    }

    #[test]
    fn a_truncated_file_is_refused() {
        let whole = file(r#"{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}"#, &[0; 4]);
        for length in 0..whole.len() {
            let read = Tensors::read(&whole[..length]).and_then(|tensors| tensors.numbers("a", &[1]));
            assert!(read.is_err(), "{length} bytes");
        }
    }
}
