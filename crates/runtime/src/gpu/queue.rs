//! A device with its memory, and what is under way on it: what all programs of a device share, one at a time.

use super::device::{Device, Launch, Part, Timer};
use super::device_error::DeviceError;
use super::pool::{Piece, Pool};
use super::recent::{Launched, Recent, Trouble};
use crate::RuntimeError;

pub struct Queue {
    pub device: Box<dyn Device>,
    pub pool: Pool,
    recent: Recent,
    /// What made the device lose everything, if it has to be reset.
    lost: Option<Trouble>,
    /// How often it was reset. What was made in an earlier generation does not exist any more.
    generation: u64,
    /// Whether to wait after every launch.
    patient: bool,
}

impl Drop for Queue {
    fn drop(&mut self) {
        // The driver may outlive us in this process. What it does not take back is lost anyway.
        if self.lost.is_none() {
            let _ = self.pool.shrink(&mut *self.device, 0);
        }
    }
}

impl Queue {
    pub fn new(device: Box<dyn Device>, pool: Pool, patient: bool) -> Queue {
        Queue { device, pool, recent: Recent::default(), lost: None, generation: 1, patient }
    }

    pub fn generation(&self) -> u64 {
        self.generation
    }

    pub fn is_lost(&self) -> bool {
        self.lost.is_some()
    }

    /// Makes a device that has lost everything ready again.
    pub fn revive(&mut self) -> Result<(), RuntimeError> {
        if self.lost.is_some() {
            if let Err(error) = self.device.reset() {
                // What comes later has not done it.
                let message = format!("There is no device any more: {error}.");
                self.lost = Some(Trouble { message, kernel: None, site: None });
                return Err(error);
            }
            self.recent.clear();
            self.generation += 1;
            self.lost = None;
        }
        Ok(())
    }

    pub fn obtain(&mut self, owner: u64, bytes: u64) -> Result<Option<Piece>, Trouble> {
        self.ask(owner, |queue| queue.pool.obtain(&mut *queue.device, bytes))
    }

    pub fn give_back(&mut self, owner: u64, address: u64) -> Result<(), Trouble> {
        self.ask(owner, |queue| queue.pool.give_back(&mut *queue.device, address))
    }

    pub fn write(&mut self, owner: u64, to: u64, from: &[u8]) -> Result<(), Trouble> {
        if from.is_empty() { Ok(()) } else { self.ask(owner, |queue| queue.device.write(to, from)) }
    }

    pub fn copy(&mut self, owner: u64, to: u64, from: u64, bytes: u64) -> Result<(), Trouble> {
        if bytes == 0 || to == from {
            return Ok(());
        }
        self.ask(owner, |queue| queue.device.copy(to, from, bytes))
    }

    pub fn fill(&mut self, owner: u64, to: u64, byte: u8, bytes: u64) -> Result<(), Trouble> {
        if bytes == 0 { Ok(()) } else { self.ask(owner, |queue| queue.device.fill(to, byte, bytes)) }
    }

    /// Flushes: commands that were issued and may wait for more to come begin.
    pub fn begin(&mut self, owner: u64) -> Result<(), Trouble> {
        self.ask(owner, |queue| queue.device.begin())
    }

    /// Waits, and reads the parts.
    pub fn read(&mut self, owner: u64, parts: &mut [Part]) -> Result<(), Trouble> {
        self.ask(owner, |queue| queue.device.read(parts))?;
        self.recent.clear();
        Ok(())
    }

    pub fn launch(&mut self, launched: Launched, launch: &Launch) -> Result<Option<Timer>, Trouble> {
        if let Some(trouble) = &self.lost {
            return Err(trouble.clone());
        }
        let timer = match self.device.launch(launch) {
            Ok(timer) => timer,
            // An earlier kernel caused a loss.
            Err(device_error) if device_error.lost => return Err(self.note(launched.owner, &device_error)),
            Err(device_error) => return Err(Trouble::of_launch(&launched, &device_error)),
        };
        let owner = launched.owner;
        self.recent.add(launched);
        if self.patient {
            self.ask(owner, |queue| queue.device.synchronise())?;
            self.recent.clear();
        }
        Ok(timer)
    }

    /// Has the device do something, unless all is lost.
    pub fn ask<R>(
        &mut self,
        owner: u64,
        request: impl FnOnce(&mut Queue) -> Result<R, DeviceError>,
    ) -> Result<R, Trouble> {
        if let Some(trouble) = &self.lost {
            return Err(trouble.clone());
        }
        request(self).map_err(|device_error| self.note(owner, &device_error))
    }

    fn note(&mut self, owner: u64, device_error: &DeviceError) -> Trouble {
        let trouble = self.recent.blame(owner, device_error);
        if device_error.lost {
            self.lost = Some(trouble.clone());
            self.pool.clear();
        }
        trouble
    }
}
