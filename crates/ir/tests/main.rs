//! The tests of this crate, as one program: it is linked once.

mod code;
mod failure;
mod flat;
mod grids;
mod head;
mod imp;
mod nest;
mod programs;
mod scalar;

/// How far the places are apart at which a text is damaged; the second number if everything is tested (`NORN_TEST_ALL`).
fn distance(usual: usize, thorough: usize) -> usize {
    if std::env::var_os("NORN_TEST_ALL").is_some() { thorough } else { usual }
}
