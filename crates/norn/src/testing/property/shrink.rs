//! From a counterexample to a small one.
//!
//! A shrinker of the user is called again and again until it has failed to help a few times. Where
//! there is none, or it fails, smaller sizes are tried with the seed that led to the counterexample,
//! and then, if the candidate was made up by us, so that every value of its type is a fair one, it
//! is simplified step by step. A candidate for which the property does not finish is no
//! counterexample: it would be that of another error.

use super::simplify::{Step, steps, take_step};
use super::{Candidate, Property};
use crate::engine::Item;
use crate::testing::random::Rng;
use norn_values::Value;

/// How often in a row the user's shrinker may fail to give a counterexample.
const TRIES: usize = 50;

/// How often the property is called at most, by the user's shrinker and by ours.
const MOST_CALLS: usize = 2000;

/// The smallest counterexample found, and what there is to say about how.
pub(super) fn shrink(property: &mut Property, found: Candidate, seed: u64, rng: &mut Rng) -> (Item, String) {
    let Some(shrinker) = property.shrinker.clone() else {
        return (shrink_by_size(property, found, seed), String::new());
    };
    let mut smallest = found;
    match shrink_by_user(property, &shrinker, &mut smallest, rng) {
        Ok(()) => (smallest.item, String::new()),
        Err(rendered) => {
            let note =
                format!("note: The shrinker `{shrinker}` failed, and ours was used instead.\n{rendered}");
            (shrink_by_size(property, smallest, seed), note)
        }
    }
}

fn shrink_by_user(
    property: &mut Property,
    shrinker: &str,
    smallest: &mut Candidate,
    rng: &mut Rng,
) -> Result<(), String> {
    let mut tries = 0;
    for _ in 0..MOST_CALLS {
        let args = vec![smallest.item.clone(), Item::Value(Value::scalar(rng.next_u64()))];
        let item = property.engine.call(shrinker, &args).map_err(|error| error.rendered)?;
        // A shrinker that gives back what it got has not helped.
        let is_new = property.show(&item) != property.show(&smallest.item);
        if is_new && property.holds(&item) == Ok(false) {
            *smallest = Candidate { item, made: None };
            tries = 0;
        } else {
            tries += 1;
            if tries == TRIES {
                break;
            }
        }
    }
    Ok(())
}

fn shrink_by_size(property: &mut Property, found: Candidate, seed: u64) -> Item {
    let mut smallest = found;
    for size in (0..property.size).rev().take(MOST_CALLS) {
        // A generator that does not like a size leaves us with what we have.
        let Ok(candidate) = property.candidate(size, seed) else { continue };
        if property.holds(&candidate.item) == Ok(false) {
            smallest = candidate;
        }
    }
    simplify(property, smallest)
}

/// Takes steps as long as one leads to a counterexample.
fn simplify(property: &mut Property, mut smallest: Candidate) -> Item {
    let mut calls = 0;
    while let Some(made) = &smallest.made {
        let mut made = made.clone();
        let mut has_changed = false;
        for step in steps(&made) {
            while let Some(simpler) = take_step(&made, step) {
                if calls == MOST_CALLS {
                    return smallest.item;
                }
                calls += 1;
                match simpler.item(property.engine, property.ty) {
                    Ok(item) if property.holds(&item) == Ok(false) => smallest.item = item,
                    Ok(_) | Err(_) => break,
                }
                made = simpler;
                has_changed = true;
            }
            // Now there are other rows to leave out, and other scalars.
            if has_changed && matches!(step, Step::Remove { .. }) {
                break;
            }
        }
        if !has_changed {
            break;
        }
        smallest.made = Some(made);
    }
    smallest.item
}
