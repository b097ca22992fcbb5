//! Pictures, and the values that can be seen as one.

use norn_values::{Data, Value};

/// Pixels in rows, as 0x00RRGGBB. There is at least one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<u32>,
}

/// The picture that an array of two dimensions is. The error is a sentence.
pub fn picture_of(value: &Value) -> Result<Picture, String> {
    let &[height, width] = value.shape() else {
        return Err(unfit("a picture", "two", value));
    };
    Picture::new(width, height, pixels_of(value)?)
}

/// The pictures that an array of three dimensions holds. The error is a sentence.
pub fn pictures_of(value: &Value) -> Result<Vec<Picture>, String> {
    let &[_, height, width] = value.shape() else {
        return Err(unfit("an animation", "three", value));
    };
    let pixels = pixels_of(value)?;
    if width * height == 0 {
        return Err("The pictures have no pixels.".into());
    }
    pixels.chunks_exact(width * height).map(|frame| Picture::new(width, height, frame.to_vec())).collect()
}

/// A picture as rows of pixels 0xAARRGGBB that nothing shines through.
pub fn picture_value(picture: &Picture) -> Option<Value> {
    let opaque = picture.pixels.iter().map(|pixel| pixel | 0xff00_0000).collect();
    Value::array::<u32>(vec![picture.height, picture.width], opaque).ok()
}

impl Picture {
    fn new(width: usize, height: usize, pixels: Vec<u32>) -> Result<Picture, String> {
        if pixels.is_empty() {
            return Err("The picture has no pixels.".into());
        }
        // What a PNG can be; both are far beyond what can be shown.
        if width > MOST_PIXELS || height > MOST_PIXELS {
            return Err(format!("The picture is larger than {MOST_PIXELS} pixels."));
        }
        Ok(Picture { width, height, pixels })
    }
}

const MOST_PIXELS: usize = 1 << 16;

/// Elements as pixels: integers of 32 bits as 0xAARRGGBB, whose alpha is not looked at, others as shades of grey.
fn pixels_of(value: &Value) -> Result<Vec<u32>, String> {
    // Numbers beyond the range are the nearest within it, and what is no number is black.
    let shade = |x: f64| grey((x.clamp(0.0, 1.0) * 255.0).round() as u8);
    Ok(match value.data() {
        Data::U32(pixels) => pixels.iter().map(|pixel| pixel & 0xff_ffff).collect(),
        Data::I32(pixels) => pixels.iter().map(|pixel| *pixel as u32 & 0xff_ffff).collect(),
        Data::U8(shades) => shades.iter().map(|&shade| grey(shade)).collect(),
        Data::F32(shades) => shades.iter().map(|&x| shade(f64::from(x))).collect(),
        Data::F64(shades) => shades.iter().map(|&x| shade(x)).collect(),
        Data::Bool(bits) => bits.iter().map(|&bit| grey(if bit { 255 } else { 0 })).collect(),
        Data::I8(_) | Data::I16(_) | Data::I64(_) | Data::U16(_) | Data::U64(_) | Data::F16(_) => {
            return Err(unfit("a picture", "two", value));
        }
    })
}

fn grey(shade: u8) -> u32 {
    u32::from(shade) * 0x01_0101
}

fn unfit(what: &str, rank: &str, value: &Value) -> String {
    let types = "u32, i32, u8, f32, f64 or bool";
    format!("Expected {what}, an array of {rank} dimensions of {types}, found {}.", value.type_text())
}
