//! What one device of a team lacks and another has, moved without the host waiting for either.
//!
//! Only where nothing that the giver does can turn out to have failed, or to have to be done again: what is handed over would be wrong then, and nobody has looked.

use super::program::{Halt, Program};

/// What is larger is moved while the host waits: it would have to keep it.
const MOST: usize = 1 << 20;

impl Program {
    /// Copies bytes from here to another device, in the order of the commands of both. Whether that is possible.
    pub(super) fn hand_over(&self, from: u64, taker: &Program, to: u64, bytes: usize) -> Result<bool, Halt> {
        if bytes > MOST
            || !self.can_go_on()
            || !taker.can_go_on()
            || !taker.gpu().queue().device.can_receive()
        {
            return Ok(false);
        }
        let sent = {
            let (mut running, mut queue) = self.lock();
            running.check_generation(&queue).map_err(Halt::Trouble)?;
            let owner = running.owner;
            let sent = queue.ask(owner, |queue| queue.device.send(from, bytes)).map_err(Halt::Trouble)?;
            let Some(sent) = sent else { return Ok(false) };
            running.ledger.traffic.bytes_from_device += bytes as u64;
            running.busy = true;
            sent
        };
        let (mut running, mut queue) = taker.lock();
        running.check_generation(&queue).map_err(Halt::Trouble)?;
        running.ledger.traffic.bytes_to_device += bytes as u64;
        running.busy = true;
        let owner = running.owner;
        queue.ask(owner, |queue| queue.device.receive(to, sent)).map_err(Halt::Trouble)?;
        Ok(true)
    }

    /// Whether nobody has to look at what the device did before something else can rely on it; nor wants to know when it was moved.
    fn can_go_on(&self) -> bool {
        let (running, _queue) = self.lock();
        running.is_sure() && !running.ledger.timing
    }
}
