//! imp as text for the compilers of platforms. C, for now; one printer, one file for what a dialect does its own way.
