//! Which kernels a device may be running.
//!
//! A device reports that a kernel went wrong only when somebody waits for it, and not which. What is known is what was launched
//! since the wait before. With `NORN_GPU_WAIT=1` the host waits after every launch, and the kernel is known.

use super::device_error::DeviceError;
use std::fmt;
use std::sync::Arc;

/// The launches since the last wait.
#[derive(Default)]
pub struct Recent {
    count: usize,
    last: Option<Launched>,
}

#[derive(Clone)]
pub struct Launched {
    /// The program.
    pub owner: u64,
    pub kernel: Arc<str>,
    pub site: i32,
}

/// Why a device cannot go on with a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Trouble {
    /// A sentence.
    pub message: String,
    /// The kernel that is to blame; of several, the last.
    pub kernel: Option<String>,
    /// Where it was launched, if this run did.
    pub site: Option<usize>,
}

impl Trouble {
    /// Kernels that have to be compiled in the middle of a run cannot be.
    pub fn of_compiler(error: crate::RuntimeError) -> Trouble {
        Trouble { message: format!("{error}."), kernel: None, site: None }
    }
}

impl Recent {
    pub fn add(&mut self, launched: Launched) {
        self.count += 1;
        self.last = Some(launched);
    }

    pub fn clear(&mut self) {
        *self = Recent::default();
    }

    /// What a program reports of an error that was found at one of its commands.
    pub fn blame(&self, owner: u64, device_error: &DeviceError) -> Trouble {
        let DeviceError { doing, error, lost } = device_error;
        let Some(last) = self.last.as_ref().filter(|_| *lost) else {
            return Trouble {
                message: format!("The device cannot {doing}: {error}."),
                kernel: None,
                site: None,
            };
        };
        let kernel = &last.kernel;
        let what = match self.count {
            1 => format!("The kernel {kernel} failed on the device: {error}."),
            count => format!(
                "One of the last {count} kernels failed on the device: {error}. The last was {kernel}; \
                 with NORN_GPU_WAIT=1 it is known which."
            ),
        };
        Trouble {
            message: format!("{what} All that was on the device is lost."),
            kernel: Some(kernel.to_string()),
            site: if last.owner == owner { usize::try_from(last.site).ok() } else { None },
        }
    }
}

impl Trouble {
    /// A launch that the device did not take.
    pub fn of_launch(launched: &Launched, device_error: &DeviceError) -> Trouble {
        Trouble {
            message: format!("The kernel {} cannot be launched: {}.", launched.kernel, device_error.error),
            kernel: Some(launched.kernel.to_string()),
            site: usize::try_from(launched.site).ok(),
        }
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn launched(owner: u64, kernel: &str, site: i32) -> Launched {
        Launched { owner, kernel: kernel.into(), site }
    }

    #[test]
    fn one_kernel_is_blamed_many_are_suspected() {
        let device_error = |lost| DeviceError { doing: "wait", error: "illegal address".into(), lost };
        let mut recent = Recent::default();
        assert_eq!(recent.blame(1, &device_error(true)).kernel, None);
        recent.add(launched(1, "map", 7));
        let blamed = recent.blame(1, &device_error(true));
        assert!(blamed.message.starts_with("The kernel map failed"), "{blamed}");
        assert_eq!(blamed.site, Some(7));
        recent.add(launched(1, "scan", 8));
        let blamed = recent.blame(2, &device_error(true));
        assert!(blamed.message.contains("One of the last 2") && blamed.message.contains("scan"), "{blamed}");
        assert_eq!(blamed.site, None, "the site is one of another program");
        assert_eq!(
            recent.blame(1, &device_error(false)).kernel,
            None,
            "a request that was refused is nobody's fault"
        );
    }
}
