//! What a run asks of a GPU: `structure run { launches 2 waits 1 }` behind an input.
//!
//! `launches` are those of kernels, `waits` are where the host waits for the GPU, `sent` and `received` are bytes to the GPU and from
//! it; neither arguments nor results of the run are among them. What is not mentioned may be anything. Backends without a GPU
//! have nothing to compare.

use super::blocks::{BlockError, Count, Structure};
use super::event::Event;
use norn_runtime::gpu::Traffic;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TrafficVerdict {
    AsExpected,
    /// What was asked for more or less often than expected, one line for each.
    Different(String),
}

/// Compares what a run should ask for with what it did. Reports the numbers that are wrong, so that they can be replaced.
pub fn check_traffic(
    traffic: &Traffic,
    run: &Structure,
    tell: &mut dyn FnMut(Event),
) -> Result<TrafficVerdict, BlockError> {
    let mut different = String::new();
    for Count { what, expected, at } in &run.counts {
        let Some(found) = count(traffic, &what.text) else {
            let message = format!("A run has no `{}` that could be counted.", what.text);
            let help = "It has `launches`, `waits`, and `sent` and `received` in bytes.";
            return Err(BlockError::new(what.at.clone(), message).with_help(help));
        };
        if found != *expected {
            different += &format!("{}: expected {expected}, found {found}\n", what.text);
            tell(Event::Miscounted { at: at.clone(), right: found });
        }
    }
    Ok(if different.is_empty() { TrafficVerdict::AsExpected } else { TrafficVerdict::Different(different) })
}

fn count(traffic: &Traffic, what: &str) -> Option<usize> {
    let count = match what {
        "launches" => traffic.launches,
        "waits" => traffic.waits,
        "sent" => traffic.bytes_to_device,
        "received" => traffic.bytes_from_device,
        _ => return None,
    };
    Some(count as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::blocks::parse_blocks;

    #[test]
    fn counts_are_compared_and_corrected() {
        let traffic = Traffic { launches: 2, waits: 1, bytes_from_device: 4, ..Traffic::default() };
        let check = |counts: &str| {
            let text = format!("-- ==\n-- input {{ 1 }} structure run {{ {counts} }}\n");
            let spec = parse_blocks(&text).unwrap();
            let run = spec.groups[0].cases[0].run.as_ref().unwrap();
            let mut corrected = text.clone();
            let verdict = check_traffic(&traffic, run, &mut |event| {
                if let Event::Miscounted { at, right } = event {
                    corrected.replace_range(at, &right.to_string());
                }
            });
            (verdict.map_err(|error| error.message), corrected != text)
        };
        assert_eq!(check("launches 2 waits 1 sent 0 received 4"), (Ok(TrafficVerdict::AsExpected), false));
        let different = TrafficVerdict::Different("launches: expected 3, found 2\n".into());
        assert_eq!(check("waits 1 launches 3"), (Ok(different), true));
        assert_eq!(check("maps 1").0, Err("A run has no `maps` that could be counted.".into()));
    }
}
