//! The functions by which a program changes and exchanges elements that several threads see.
//!
//! What the device can do at once is called by its name; everything else is a loop that swaps words until nobody else was
//! faster (rts/gpu/atomic.h). Elements of 8 and 16 bits are parts of words.

use crate::dialect::{DeviceDialect, memory_type};
use crate::group::Space;
use crate::scalar::unsigned;
use norn_ir::imp::{BinOp, Prim};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

#[derive(Default)]
pub(crate) struct Atomics {
    /// What comes out of an element `x` and a value `y`.
    changes: BTreeMap<(Prim, BinOp, Space), String>,
    /// Those of them that look first whether there is something to change.
    improvements: BTreeSet<(Prim, BinOp, Space)>,
    others: BTreeSet<(Prim, Access, Space)>,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Access {
    SwapIf,
    Acquire,
    Peek,
    Publish,
}

impl Access {
    /// As macros call it, and functions.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Access::SwapIf => ("SWAP_IF", "swap_if"),
            Access::Acquire => ("ACQUIRE", "acquire_one"),
            Access::Peek => ("PEEK", "peek_one"),
            Access::Publish => ("PUBLISH", "publish_one"),
        }
    }
}

impl Space {
    /// In names of functions, and as the dialect's qualifier.
    fn names(self) -> (&'static str, &'static str) {
        match self {
            Space::Global => ("global", "NORN_GLOBAL"),
            Space::Shared => ("local", "NORN_LOCAL"),
        }
    }
}

impl Atomics {
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty() && self.others.is_empty()
    }

    /// Whether there are words of 64 bits among them.
    pub fn are_wide(&self) -> bool {
        self.changes
            .keys()
            .map(|(prim, ..)| prim)
            .chain(self.others.iter().map(|(prim, ..)| prim))
            .any(|prim| prim.size() == 8)
    }

    /// The function that changes an element.
    pub fn change(&mut self, op: BinOp, prim: Prim, space: Space, combined: String) -> String {
        self.changes.insert((prim, op, space), combined);
        format!("norn_atomic_{}_{prim}_{}", op.name(), space.names().0)
    }

    /// The function that changes an element, or only looks at it if it would stay the same. What it was, nobody learns.
    pub fn improve(&mut self, op: BinOp, prim: Prim, space: Space, combined: String) -> String {
        let change = self.change(op, prim, space, combined);
        let same_again = matches!(op, BinOp::Min | BinOp::Max | BinOp::And | BinOp::Or);
        if !same_again || space == Space::Shared || prim.size() < 4 {
            return change;
        }
        self.improvements.insert((prim, op, space));
        format!("norn_improve_{}_{prim}_{}", op.name(), space.names().0)
    }

    pub fn swap_if(&mut self, prim: Prim, space: Space) -> String {
        self.access(prim, Access::SwapIf, space)
    }

    pub fn acquire(&mut self, prim: Prim, space: Space) -> String {
        self.access(prim, Access::Acquire, space)
    }

    pub fn peek(&mut self, prim: Prim, space: Space) -> String {
        self.access(prim, Access::Peek, space)
    }

    pub fn publish(&mut self, prim: Prim, space: Space) -> String {
        self.access(prim, Access::Publish, space)
    }

    fn access(&mut self, prim: Prim, access: Access, space: Space) -> String {
        self.others.insert((prim, access, space));
        format!("norn_{}_{prim}_{}", access.names().1, space.names().0)
    }

    /// The lines that make them.
    pub fn definitions(&self, dialect: &dyn DeviceDialect) -> String {
        let mut out = String::new();
        for ((prim, op, space), combined) in &self.changes {
            let (name, qualifier) = space.names();
            let line = match dialect.native_atomic(*op, *prim) {
                Some((function, at)) => {
                    format!("NORN_ATOMIC({}, {prim}, {at}, {name}, {qualifier}, {function})", op.name())
                }
                None => format!(
                    "NORN_CHANGE_{}({}, {}, {name}, {qualifier}, {combined})",
                    size(*prim),
                    op.name(),
                    parts(*prim)
                ),
            };
            writeln!(out, "{line}").expect("writing to a string");
            if self.improvements.contains(&(*prim, *op, *space)) {
                let (op, parts) = (op.name(), parts(*prim));
                writeln!(out, "NORN_IMPROVE({op}, {parts}, {name}, {qualifier}, {combined})")
                    .expect("writing to a string");
            }
        }
        for (prim, access, space) in &self.others {
            let (name, qualifier) = space.names();
            let line =
                format!("NORN_{}_{}({}, {name}, {qualifier})", access.names().0, size(*prim), parts(*prim));
            writeln!(out, "{line}").expect("writing to a string");
        }
        out
    }
}

/// Whether an element is a word, or a part of one.
fn size(prim: Prim) -> &'static str {
    if prim.size() < 4 { "PART" } else { "WORD" }
}

/// A type, what it is in memory, and its bits.
fn parts(prim: Prim) -> String {
    format!("{prim}, {}, {}", memory_type(prim), unsigned(prim))
}
