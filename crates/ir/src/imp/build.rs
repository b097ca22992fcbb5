//! Making imp programs.
