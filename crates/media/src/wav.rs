//! Sounds as WAV files.
//!
//! Samples of eight bits stay what they are; all others are written with sixteen, which every player knows.

use crate::bytes::Bytes;
use norn_values::{Data, Value};

/// An array of samples, or of channels that are arrays of samples, as a file. The error is a sentence.
pub fn write_wav(value: &Value, rate: u32) -> Result<Vec<u8>, String> {
    let (channels, length) = match *value.shape() {
        [length] => (1, length),
        [channels, length] if channels > 0 => (channels, length),
        _ => return Err(unfit(value)),
    };
    let (bytes_each, data) = interleaved(value, channels, length).ok_or_else(|| unfit(value))?;
    let too_large = || "The sound is too large for a file.".to_string();
    let channels = u16::try_from(channels).map_err(|_| too_large())?;
    let size = u32::try_from(data.len()).ok().filter(|size| *size < u32::MAX - 100).ok_or_else(too_large)?;
    let frame = channels.checked_mul(bytes_each).ok_or_else(too_large)?;
    let per_second = rate.checked_mul(u32::from(frame)).ok_or_else(too_large)?;
    let mut out = b"RIFF".to_vec();
    out.extend((36 + size + size % 2).to_le_bytes());
    out.extend(b"WAVEfmt \x10\0\0\0\x01\0");
    out.extend(channels.to_le_bytes());
    out.extend(rate.to_le_bytes());
    out.extend(per_second.to_le_bytes());
    out.extend(frame.to_le_bytes());
    out.extend((bytes_each * 8).to_le_bytes());
    out.extend(b"data");
    out.extend(size.to_le_bytes());
    out.extend(data);
    out.resize(out.len() + (size % 2) as usize, 0);
    Ok(out)
}

/// How many bytes a sample has, and all samples, those of all channels at one time side by side.
fn interleaved(value: &Value, channels: usize, length: usize) -> Option<(u16, Vec<u8>)> {
    fn in_order<T: Copy, const N: usize>(
        samples: &[T],
        (channels, length): (usize, usize),
        bytes: impl Fn(T) -> [u8; N],
    ) -> (u16, Vec<u8>) {
        let times = (0..length).flat_map(|time| (0..channels).map(move |channel| channel * length + time));
        (N as u16, times.flat_map(|at| bytes(samples[at])).collect())
    }
    let size = (channels, length);
    // The full range is 1; what is beyond is cut off.
    let from_float = |x: f64| ((x.clamp(-1.0, 1.0) * 32767.0).round() as i16).to_le_bytes();
    Some(match value.data() {
        Data::U8(samples) => in_order(samples, size, |x| [x]),
        Data::I8(samples) => in_order(samples, size, |x| [(x as u8) ^ 0x80]),
        Data::I16(samples) => in_order(samples, size, i16::to_le_bytes),
        Data::U16(samples) => in_order(samples, size, |x| (x ^ 0x8000).to_le_bytes()),
        Data::I32(samples) => in_order(samples, size, |x| ((x >> 16) as i16).to_le_bytes()),
        Data::U32(samples) => in_order(samples, size, |x| ((x >> 16) as u16 ^ 0x8000).to_le_bytes()),
        Data::F32(samples) => in_order(samples, size, |x| from_float(f64::from(x))),
        Data::F64(samples) => in_order(samples, size, from_float),
        Data::I64(_) | Data::U64(_) | Data::F16(_) | Data::Bool(_) => return None,
    })
}

fn unfit(value: &Value) -> String {
    format!(
        "Expected a sound, an array of one or two dimensions of integers of at most 32 bits or of f32 or f64, found {}.",
        value.type_text()
    )
}

/// The channels in a file, each an array of samples from -1 to 1. The error is a phrase.
pub fn read_wav(bytes: &[u8]) -> Result<Value, String> {
    let mut bytes = Bytes(bytes);
    let head = (bytes.take(4), bytes.u32_le(), bytes.take(4));
    let (Some(b"RIFF"), Some(_), Some(b"WAVE")) = head else { return Err("it is no WAV file".into()) };
    let mut format = None;
    while let (Some(name), Some(size)) = (bytes.take(4), bytes.u32_le()) {
        let size = size as usize;
        // Programs that write to a pipe cannot know how much there will be.
        let content = bytes.take(size).unwrap_or_else(|| std::mem::take(&mut bytes.0));
        bytes.take(size % 2);
        match name {
            b"fmt " => format = Some(Format::read(content).ok_or("its format is not known")?),
            b"data" => {
                let format = format.ok_or("it has no format")?;
                return format.channels(content).ok_or_else(|| "its samples are not all there".into());
            }
            _ => {}
        }
    }
    Err("it has no samples".into())
}

#[derive(Clone, Copy)]
struct Format {
    channels: usize,
    /// Of a sample.
    bytes: usize,
    is_float: bool,
}

impl Format {
    fn read(content: &[u8]) -> Option<Format> {
        let mut bytes = Bytes(content);
        let mut kind = bytes.u16_le()?;
        let channels = usize::from(bytes.u16_le()?);
        bytes.take(10)?;
        let bits = bytes.u16_le()?;
        if kind == 0xfffe {
            // The kind stands further behind, with which loudspeakers are meant.
            bytes.take(8)?;
            kind = bytes.u16_le()?;
        }
        let is_float = kind == 3;
        let known = match kind {
            1 => [8, 16, 24, 32].contains(&bits),
            3 => [32, 64].contains(&bits),
            _ => false,
        };
        (known && channels > 0).then_some(Format { channels, bytes: usize::from(bits / 8), is_float })
    }

    fn channels(self, data: &[u8]) -> Option<Value> {
        let samples: Vec<f64> = data.chunks_exact(self.bytes).map(|sample| self.sample(sample)).collect();
        let length = samples.len() / self.channels;
        let in_order = (0..self.channels).flat_map(|c| (0..length).map(move |time| time * self.channels + c));
        Value::array(vec![self.channels, length], in_order.map(|at| samples[at]).collect::<Vec<f64>>()).ok()
    }

    fn sample(self, bytes: &[u8]) -> f64 {
        match (self.is_float, bytes) {
            (true, &[a, b, c, d]) => f64::from(f32::from_le_bytes([a, b, c, d])),
            (true, bytes) => bytes.try_into().map_or(0.0, f64::from_le_bytes),
            (false, &[byte]) => (f64::from(byte) - 128.0) / 128.0,
            // The bytes are the upper ones of a number of 32 bits.
            (false, bytes) => {
                let mut whole = [0; 4];
                whole[4 - bytes.len().min(4)..].copy_from_slice(&bytes[..bytes.len().min(4)]);
                f64::from(i32::from_le_bytes(whole)) / 2f64.powi(31)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let stereo = Value::array(vec![2, 3], vec![0.0f32, 0.5, -1.0, 1.0, 0.25, 0.0]).unwrap();
        let back = read_wav(&write_wav(&stereo, 44100).unwrap()).unwrap();
        let samples = back.elements::<f64>().unwrap();
        assert_eq!(back.shape(), [2, 3]);
        let expected = [0.0, 0.5, -1.0, 1.0, 0.25, 0.0];
        assert!(samples.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-4), "{samples:?}");
    }

    #[test]
    fn signs_do_not_matter() {
        let sound = |value: Value| read_wav(&write_wav(&value, 8000).unwrap()).unwrap();
        assert_eq!(sound(Value::vector(vec![0u8, 128])), sound(Value::vector(vec![-128i8, 0])));
        assert_eq!(sound(Value::vector(vec![0u16, 0x8000])), sound(Value::vector(vec![i16::MIN, 0])));
        assert_eq!(sound(Value::vector(vec![0u32, 1 << 31])), sound(Value::vector(vec![i32::MIN, 0])));
    }

    #[test]
    fn other_values_are_refused() {
        assert!(write_wav(&Value::scalar(1.0f32), 8000).is_err());
        assert!(write_wav(&Value::vector(vec![true]), 8000).is_err());
        assert!(read_wav(b"RIFF").is_err());
    }
}
