//! The tests of this crate, as one program: it is linked once.

mod prim;
mod render;
