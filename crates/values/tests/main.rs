//! The tests of this crate, as one program: it is linked once.

mod hostile;
mod numpy;
mod round_trip;
mod speed;
