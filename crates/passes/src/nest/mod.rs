//! Passes on nest.
