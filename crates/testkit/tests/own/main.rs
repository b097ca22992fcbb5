//! The tests of the test runner itself, as one program: it is linked once.

mod blocks;
mod cuda;
mod examine;
mod fixed;
mod manual;
mod mutate;
mod shrink;
