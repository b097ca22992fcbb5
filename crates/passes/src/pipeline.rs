//! The passes in their order.

use norn_ir::nest::Prog;

/// A step that improves a nest program.
pub struct NestPass {
    pub name: &'static str,
    /// What it does, in a few words.
    pub about: &'static str,
    pub run: fn(&mut Prog),
}

pub const NEST_PASSES: &[NestPass] = &[];
