//! Tasks: from nest to the interpreter's code.

use super::{At, Resolver};
use crate::code::{Block, Carry, Join, Op, Portion, Taken, Task, Window};
use crate::resolve::live::Live;
use norn_ir::nest::walk::Part;
use norn_ir::nest::{self, Lambda, Var, task};

impl Resolver<'_> {
    pub(super) fn task(&mut self, task: &nest::Task, at: &mut At) {
        self.repeat(at, |mentions| {
            at.stm.exp.for_each_part(&mut |part| {
                if let Part::Lambda(lambda) = part {
                    mentions.lambda(lambda);
                }
            });
        });
        let joins = self.joins(&task.joins, at);
        let mut inner = at.live.clone();
        let results = self.operands(&task.lambda.body.result, &mut inner).into();
        let ops = self.body(&task.lambda.body, &mut inner, Vec::new());
        let block = self.block(&task.lambda.params, &inner, ops);
        let carried: usize = task.carries.iter().map(|carry| carry.op.neutral.len()).sum();
        let (range, rest) = task.lambda.params.split_at(2);
        let (carried, taken) = rest.split_at(carried);
        let part = self.portion(task, range, taken, block);
        let carried = self.dsts(carried);
        let mut carries: Vec<Carry> =
            task.carries.iter().rev().map(|carry| self.carry(task, carry, at.live)).collect();
        carries.reverse();
        let mut windows: Vec<Window> =
            task.windows.iter().rev().map(|window| self.window(window, at.live)).collect();
        windows.reverse();
        let inputs = self.uses(&task.inputs, at.live);
        let width = self.word_of(task.width);
        let (carries, windows) = (carries.into(), windows.into());
        let task = Task { width, inputs, windows, carries, part, carried, results, joins };
        at.push(Op::Task(Box::new(task)));
    }

    /// What takes a part, in the order of a lambda's parameters.
    fn portion(&self, task: &nest::Task, range: &[Var], taken: &[Var], block: Block) -> Portion {
        let (inputs, mut rest) = taken.split_at(task.inputs.len());
        let mut windows = Vec::new();
        for window in &task.windows {
            let (taken, after) = rest.split_at(2 + window.arrays.len());
            let arrays = taken[2..].iter().map(|var| self.object(*var)).collect();
            windows.push(Taken { first: self.word(taken[0]), size: self.word(taken[1]), arrays });
            rest = after;
        }
        Portion {
            from: self.word(range[0]),
            count: self.word(range[1]),
            inputs: inputs.iter().map(|var| self.object(*var)).collect(),
            windows: windows.into(),
            block,
        }
    }

    fn carry(&mut self, task: &nest::Task, carry: &task::Carry, live: &mut Live) -> Carry {
        let Lambda { params, body } = &carry.total;
        let mut inner = live.clone();
        let total = self.operands(&body.result, &mut inner).into();
        let ops = self.body(body, &mut inner, Vec::new());
        let block = self.block(params, &inner, ops);
        let portion = self.portion(task, &params[..2], &params[2..], block);
        let op = self.operator(&carry.op, live);
        Carry { portion, total, op, neutral: self.operands(&carry.op.neutral, live).into() }
    }

    fn window(&mut self, window: &task::Window, live: &mut Live) -> Window {
        let Lambda { params, body } = &window.need;
        let mut inner = live.clone();
        let ops = self.body(body, &mut inner, Vec::new());
        Window {
            from: self.word(params[0]),
            count: self.word(params[1]),
            need: self.block(params, &inner, ops),
            first: self.word_of(body.result[0]),
            size: self.word_of(body.result[1]),
            arrays: self.uses(&window.arrays, live),
        }
    }

    fn joins(&mut self, joins: &[task::Join], at: &mut At) -> Box<[Join]> {
        let stm = at.stm;
        let mut vars = &stm.vars[..];
        let mut found = Vec::new();
        for join in joins {
            let (bound, after) = vars.split_at(join.results());
            found.push(match join {
                task::Join::Rows => Join::Rows(self.out(bound[0])),
                task::Join::Kept(_) => {
                    let outs = bound[1..].iter().map(|var| self.out(*var)).collect();
                    Join::Kept { count: self.word(bound[0]), outs }
                }
                task::Join::Partial(op) => {
                    let operator = self.operator(op, at.live);
                    let neutral = self.operands(&op.neutral, at.live).into();
                    Join::Partial { neutral, op: operator, dsts: self.dsts(bound) }
                }
            });
            vars = after;
        }
        found.into()
    }
}
