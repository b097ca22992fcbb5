//! How code is left that fails.
//!
//! A function returns how it ended. A thread of a group kernel goes on behind the guard around it, since others may wait for it
//! there; where there is no guard, it ends.

use crate::code::Code;
use crate::dialect::Side;
use norn_ir::imp::{Block, Exp, SiteId};

/// The guards of a group kernel.
#[derive(Default)]
pub(crate) struct Guards {
    /// Those around the current place, innermost last: the number of each, and whether somebody leaves it.
    open: Vec<(usize, bool)>,
    count: usize,
}

impl Code<'_> {
    /// A statement that leaves by a call which reports how this ended.
    pub fn leave_by(&mut self, call: &str) -> String {
        match self.jump() {
            Some(jump) => format!("{{ {call}; {jump} }}"),
            None => format!("return {call};"),
        }
    }

    /// A statement that leaves after a call that ended as the variable `end` says.
    pub fn leave_call(&mut self, site: SiteId) -> String {
        match (self.jump(), self.dialect.side()) {
            (Some(jump), _) => jump,
            (None, Side::Device) => "return end;".to_string(),
            (None, Side::Cpu) => format!("return norn_leave(w, end, {});", site.0),
        }
    }

    /// Where a thread of a group kernel goes.
    fn jump(&mut self) -> Option<String> {
        let guards = self.guards.as_mut()?;
        Some(match guards.open.last_mut() {
            Some((number, is_left)) => {
                *is_left = true;
                format!("goto norn_left_{number};")
            }
            None => "return;".to_string(),
        })
    }

    pub fn guard(&mut self, block: &Block) {
        let Some(guards) = &mut self.guards else { unreachable!("emit: a guard in a function (I9)") };
        guards.count += 1;
        guards.open.push((guards.count, false));
        self.open("{");
        self.block(block);
        self.close("}");
        if let Some((number, true)) = self.guards.as_mut().and_then(|guards| guards.open.pop()) {
            self.line(format!("norn_left_{number}: ;"));
        }
    }

    pub fn fail(&mut self, site: SiteId, operands: &[Exp]) {
        let words: Vec<String> = operands.iter().map(|operand| self.word(operand).text).collect();
        match self.dialect.side() {
            Side::Cpu => {
                let operands = match words.len() {
                    0 => "0".to_string(),
                    _ => format!("(const u64[]){{{}}}", words.join(", ")),
                };
                self.line(format!("return norn_fail(w, {}, {}, {operands});", site.0, words.len()));
            }
            Side::Device => {
                let words = &words[..words.len().min(MOST_OPERANDS)];
                self.open(format!("if (norn_begin_failure(w->state, {}, {})) {{", site.0, words.len()));
                for (i, word) in words.iter().enumerate() {
                    self.line(format!("w->state->operand[{i}] = {word};"));
                }
                self.line("norn_end_failure(w->state);");
                self.close("}");
                let jump = self.jump().unwrap_or("return NORN_FAILED;".to_string());
                self.line(jump);
            }
        }
    }
}

/// As many fit into the state (rts/gpu/state.h).
const MOST_OPERANDS: usize = 16;
