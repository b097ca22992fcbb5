//! What a device could not do, and what that means for what lies on it.

use std::fmt;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceError {
    /// What it was asked for: `copy to the device`.
    pub doing: &'static str,
    /// In the words of its driver.
    pub error: String,
    /// Whether the device has lost its memory and its modules, and has to be reset before it does anything else.
    pub lost: bool,
}

impl DeviceError {
    /// A request that makes no sense, which leaves the device as it was.
    pub fn refused(doing: &'static str, error: impl Into<String>) -> DeviceError {
        DeviceError { doing, error: error.into(), lost: false }
    }
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {}: {}", self.doing, self.error)
    }
}
