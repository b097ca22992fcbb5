//! The rules of imp.
