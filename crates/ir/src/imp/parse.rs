//! imp from text.
