//! imp as text.
