//! Devices: what runs compiled kernels, and the memory they work on.
