//! Pictures, animations and sounds: values in, the bytes of files out, and back.
//!
//! Pages show what programs compute in formats that every browser knows: [`png`] for pictures and, as APNG, for animations,
//! [`gif`] for animations where people ask for it, [`wav`] for sounds. There is no I/O, no input makes the readers panic,
//! and the same values always give the same bytes.
//!
//! Deliberately absent: lossy formats. Other programs convert to those.

#![forbid(unsafe_code)]

mod animation;
mod bytes;
pub mod gif;
mod picture;
pub mod png;
pub mod wav;

pub use animation::Animation;
pub use picture::{Picture, picture_of, picture_value, pictures_of};
