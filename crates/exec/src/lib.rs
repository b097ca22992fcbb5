//! Runs imp programs on a device.
