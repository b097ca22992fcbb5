//! How fast a device copies: within its memory, from the host and to it.

use super::Gpu;
use super::device::{Device, Part};
use super::device_error::DeviceError;
use crate::RuntimeError;
use std::time::{Duration, Instant};

/// In bytes a second.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rates {
    pub to_device: f64,
    pub from_device: f64,
    /// Bytes that are read, which are as many as are written.
    pub within: f64,
}

/// How much is copied at a time, if there is room for it twice.
const MOST: u64 = 64 << 20;
/// The best of so many counts: what disturbs only makes it slower.
const TIMES: usize = 5;

impl Gpu {
    /// Copies some memory to and fro.
    pub fn measure(&self) -> Result<Rates, RuntimeError> {
        let mut queue = self.queue();
        let device = &mut *queue.device;
        let bytes = MOST.min(self.facts.memory / 8).min(self.facts.largest);
        let Some(from) = device.alloc(bytes)? else { return Err(no_memory()) };
        let to = device.alloc(bytes);
        let rates = match to {
            Ok(Some(to)) => {
                let rates = measure(device, to, from, bytes);
                device.free(to)?;
                rates.map_err(RuntimeError::from)
            }
            Ok(None) => Err(no_memory()),
            Err(device_error) => Err(device_error.into()),
        };
        device.free(from)?;
        rates
    }
}

fn no_memory() -> RuntimeError {
    RuntimeError::Device("the GPU has no memory to copy".into())
}

fn measure(device: &mut dyn Device, to: u64, from: u64, bytes: u64) -> Result<Rates, DeviceError> {
    // Not only zeros, which some devices copy faster.
    let mut host: Vec<u8> = (0..bytes).map(|i| (i ^ (i >> 11)) as u8).collect();
    let rate = |time: Duration| bytes as f64 / time.as_secs_f64().max(1e-9);
    let to_device = best(device, &mut |device| {
        device.write(from, &host)?;
        device.synchronise()
    })?;
    let within = best(device, &mut |device| {
        device.copy(to, from, bytes)?;
        device.synchronise()
    })?;
    let from_device = best(device, &mut |device| device.read(&mut [Part { from: to, to: &mut host }]))?;
    Ok(Rates { to_device: rate(to_device), from_device: rate(from_device), within: rate(within) })
}

fn best(
    device: &mut dyn Device,
    work: &mut dyn FnMut(&mut dyn Device) -> Result<(), DeviceError>,
) -> Result<Duration, DeviceError> {
    let mut best = Duration::MAX;
    for _ in 0..TIMES {
        let begin = Instant::now();
        work(device)?;
        best = best.min(begin.elapsed());
    }
    Ok(best)
}
