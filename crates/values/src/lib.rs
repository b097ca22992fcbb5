//! Run-time values: what they are, how files hold them, and when two of them agree.
//!
//! A [`Value`] is a regular array of one primitive type, or a scalar. Programs read and write values
//! in Futhark's text and binary formats ([`Reader`], [`mod@text`], [`mod@binary`]); numpy files come
//! in and go out through [`mod@npy`] and [`mod@npz`]; [`mod@gzip`] unpacks data files that are
//! compressed; tests ask [`compare`](compare::compare) whether a result is the expected one.
//!
//! Of ours the crate knows only the primitive types, and it does no I/O: it takes and returns bytes. No input makes
//! it panic, and none makes it allocate more than a small multiple of the bytes that are there,
//! except what is compressed: `.npz` members and gzip files may grow up to the limit that their reader sets.

#![forbid(unsafe_code)]

pub mod binary;
mod bytes;
pub mod compare;
mod convert;
mod data;
mod error;
mod expected;
pub mod gzip;
pub mod npy;
pub mod npz;
mod reader;
mod rows;
pub mod text;
mod value;

pub use compare::{Difference, Mismatch, TOLERANCE, compare, compare_all};
pub use data::{Data, Element};
pub use error::{ErrorKind, Place, ReadError};
pub use expected::Expected;
pub use half::f16;
pub use norn_base::Prim;
pub use reader::{Reader, end_of_balanced, read_value, read_values};
pub use value::{MAX_RANK, ShapeError, Value, element_count};
