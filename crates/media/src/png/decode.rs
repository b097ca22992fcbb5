//! Reading PNG: every colour type and depth, interlaced or not. Of depths beyond eight bits the upper ones are kept, what shines
//! through is seen as it is.
//!
//! Files come from anywhere, so they are read by the crate `png`, which many people look after.

use super::is_png;
use crate::Picture;
use png::{ColorType, Decoder, DecodingError, Limits, Transformations};
use std::io::Cursor;

/// Neither side has more pixels.
const MOST_PIXELS: u32 = 1 << 16;

/// The picture in a file, which takes at most `limit` bytes of memory. The error is a phrase.
pub fn read_png(bytes: &[u8], limit: usize) -> Result<Picture, String> {
    if !is_png(bytes) {
        return Err("it is no PNG file".into());
    }
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), Limits { bytes: limit });
    decoder.set_transformations(Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(describe)?;
    let (width, height) = reader.info().size();
    let size = reader.output_buffer_size().filter(|_| width <= MOST_PIXELS && height <= MOST_PIXELS);
    // The picture is there twice: as samples, of which a pixel has at least one, and as pixels.
    let room = size.filter(|size| size.saturating_mul(5) <= limit).ok_or("it is too large")?;
    let mut samples = vec![0; room];
    let frame = reader.next_frame(&mut samples).map_err(describe)?;
    let pixels = samples.chunks_exact(frame.color_type.samples()).map(|pixel| match frame.color_type {
        ColorType::Grayscale | ColorType::GrayscaleAlpha | ColorType::Indexed => {
            colour(pixel[0], pixel[0], pixel[0])
        }
        ColorType::Rgb | ColorType::Rgba => colour(pixel[0], pixel[1], pixel[2]),
    });
    Ok(Picture { width: width as usize, height: height as usize, pixels: pixels.collect() })
}

fn describe(error: DecodingError) -> String {
    match error {
        DecodingError::LimitsExceeded => "it is too large".to_string(),
        DecodingError::IoError(_) => "it ends too early".to_string(),
        DecodingError::Format(_) | DecodingError::Parameter(_) => format!("it is damaged: {error}"),
    }
}

fn colour(red: u8, green: u8, blue: u8) -> u32 {
    u32::from(red) << 16 | u32::from(green) << 8 | u32::from(blue)
}
