//! Who does which part next, where there are more parts than devices: each device has its own, in order, and who has none left takes the last of whoever has most rows left.
//!
//! So nobody is idle while there is a part that nobody has begun, however long the rows of a part take. From a device that has not begun at all, nothing is taken: it is free, and its thread is about to
//! begin. What a part reads is where its first owner is, so that it has to be
//! moved; owners go from the front, thieves from the back.

use super::Part;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

pub struct Turns<'a> {
    parts: &'a [Part],
    /// By device.
    left: Mutex<Vec<Own>>,
    can_steal: bool,
    /// Who takes nothing over: what the others have not begun, they do sooner than it would.
    helper: Option<usize>,
}

/// The parts that a device has left.
#[derive(Clone, Default)]
struct Own {
    parts: VecDeque<usize>,
    has_begun: bool,
}

impl<'a> Turns<'a> {
    pub fn new(parts: &'a [Part], can_steal: bool) -> Turns<'a> {
        let devices = parts.iter().map(|part| part.device + 1).max().unwrap_or(0);
        let mut left = vec![Own::default(); devices];
        parts.iter().enumerate().for_each(|(at, part)| left[part.device].parts.push_back(at));
        Turns { parts, left: Mutex::new(left), can_steal, helper: None }
    }

    /// The same where one of the devices only helps the others.
    pub fn with_helper(self, helper: Option<usize>) -> Turns<'a> {
        Turns { helper, ..self }
    }

    /// The devices that have parts, in the order of their first ones.
    pub fn devices(&self) -> Vec<usize> {
        let mut devices: Vec<usize> = Vec::new();
        for part in self.parts {
            if !devices.contains(&part.device) {
                devices.push(part.device);
            }
        }
        devices
    }

    /// The number of the part that this device does next; nothing if none is left for it.
    pub fn next(&self, device: usize) -> Option<usize> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        let own = left.get_mut(device)?;
        own.has_begun = true;
        if let Some(next) = own.parts.pop_front() {
            return Some(next);
        }
        let rows = |own: &Own| -> u64 {
            own.parts.iter().map(|at| self.parts[*at].rows.end - self.parts[*at].rows.start).sum()
        };
        let can_steal = self.can_steal && self.helper != Some(device);
        let are_open = |own: &&mut Own| can_steal && own.has_begun && !own.parts.is_empty();
        left.iter_mut().filter(are_open).max_by_key(|own| rows(own))?.parts.pop_back()
    }

    /// Whether all parts have begun.
    pub fn are_over(&self) -> bool {
        self.left.lock().unwrap_or_else(PoisonError::into_inner).iter().all(|own| own.parts.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts() -> Vec<Part> {
        let rows = [(1, 0..40), (1, 40..70), (1, 70..100), (0, 100..150), (0, 150..200)];
        rows.map(|(device, rows)| Part { device, rows }).to_vec()
    }

    #[test]
    fn owners_go_from_the_front_and_thieves_from_the_back() {
        let parts = parts();
        let turns = Turns::new(&parts, true);
        assert_eq!(turns.devices(), [1, 0]);
        let taken: Vec<Option<usize>> = [0, 0, 0, 1, 0, 1, 0].map(|device| turns.next(device)).to_vec();
        assert_eq!(taken, [Some(3), Some(4), None, Some(0), Some(2), Some(1), None]);
        assert!(turns.are_over());
    }

    #[test]
    fn nobody_steals_who_must_not() {
        let parts = parts();
        let turns = Turns::new(&parts, false);
        let taken: Vec<Option<usize>> = [0, 0, 0, 1, 2].map(|device| turns.next(device)).to_vec();
        assert_eq!(taken, [Some(3), Some(4), None, Some(0), None]);
        assert!(!turns.are_over());
    }
}
