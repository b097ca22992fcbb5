//! The parts of a task that are run at the same time: a kernel of the host for each, whose statements ask the device of the part.
//!
//! ```text
//! #[apart]
//! let ys: [n]f32 = loop (all: *[n]f32 = none) for part: i64 < parts { .. update all [from:count:1i64] .. }
//!
//! launch main_parts(none, ..) over 0 in parts parts          whoever runs it knows the plan: which rows each part has, and who does it
//! ```
//!
//! Where the processor can do parts, too, the kernel has the same statements twice: as a device does them, and in the processor's own memory, with its own threads.
//!
//! What the loop carries is written in place, so that nothing has to be handed from one part to the next. What the host itself has to know of each part, it notes in memory of its own.

use super::appended::is_appended;
use crate::imp_gen::in_place::origin;
use crate::imp_gen::repr::{Array, Part, Repr};
use crate::imp_gen::state::{Gen, OwnRows, Where};
use crate::imp_gen::views::At;
use norn_ir::imp::walk::for_each_stmt;
use norn_ir::imp::{Block, DeviceStmt, Elem, Exp, Planned, Prim, Split, Stmt, Type, Var as ImpVar};
use norn_ir::nest::grids::PROCESSOR;
use norn_ir::nest::{ArrayExp, Body, ControlExp, DimIndex, Exp as NestExp, LoopForm, Stm, Var};
use rustc_hash::FxHashMap;

const NUMBER: Elem = Elem::Prim(Prim::I64);

impl Gen<'_> {
    pub fn parts_apart(&mut self, stm: &Stm) {
        let NestExp::Control(ControlExp::Loop { params, form: LoopForm::For(part, bound), body }) = &stm.exp
        else {
            panic!("imp_gen: parts without a loop in {}", self.fun.name)
        };
        let chunks = self.scalar(*bound);
        let appended = self.begin_appending(stm, params, body, &chunks);
        let mut carried = Vec::with_capacity(params.len());
        for (at, (param, initial)) in params.iter().enumerate() {
            if is_appended(body, at) {
                continue;
            }
            let is_in_place = origin(&self.fun.vars, body, body.result[at]) == Some(param.var);
            let Some(initial) = initial.var().filter(|_| is_in_place) else {
                panic!("imp_gen: a part hands something on in {}", self.fun.name)
            };
            let array = self.array(initial);
            self.env.insert(param.var, Repr::Array(array.clone()));
            carried.push((stm.vars[at], array));
        }
        let captured = self.captured_by_body(body);
        let grain = std::mem::replace(&mut self.grain, 1);
        let processor_can = stm.attrs.iter().any(|attr| attr == PROCESSOR);
        let written: Vec<Var> = params.iter().map(|(param, _)| param.var).collect();
        let mut wait = false;
        self.rooms = written.iter().copied().collect();
        let (kernel, args) = self.make_kernel("part", &captured, &[], &mut |this, kernel, _| {
            let outer = this.part.replace(kernel);
            let rows = std::mem::take(&mut this.own_rows);
            this.bind_scalar(*part, kernel.chunk.into());
            let here = processor_can.then(|| this.part_of_processor(body, &written));
            this.code.open();
            this.begin_body(body, &[]);
            this.end_body();
            let on_device = this.code.close();
            wait = may_wait(&on_device);
            match here {
                Some(here) => {
                    let processor = this.code.new_i64("processor");
                    let what = Planned::Processor;
                    this.code.push(Stmt::Device(DeviceStmt::Planned { var: processor, what }));
                    this.code.if_(Exp::Var(processor).eq(1), here, on_device);
                }
                None => this.code.append(on_device),
            }
            this.part = outer;
            this.own_rows = rows;
        });
        let grain = std::mem::replace(&mut self.grain, grain);
        self.plan_by(grain);
        self.rooms.clear();
        let (site, width, split) = (self.operator_site("task"), Exp::i64(0), Split::Parts { wait });
        self.code.push(Stmt::Launch { kernel, args, width, chunks: chunks.clone(), split, site });
        for (var, array) in carried {
            self.bind(var, Repr::Array(array));
        }
        appended.into_iter().for_each(|appended| self.end_appending(appended, &chunks));
    }

    /// What was planned last should be cut at multiples of this.
    fn plan_by(&mut self, rows: i64) {
        let plan = self.code.open_block().iter_mut().rev().find_map(|stmt| match stmt {
            Stmt::Device(DeviceStmt::Plan { grain, .. }) => Some(grain),
            _ => None,
        });
        plan.into_iter().for_each(|grain| *grain = grain.clone().max(rows));
    }

    /// As many points as the whole task has, for so many of a part: in what order floats are combined is decided by this, so that it does not depend on how the task is cut.
    pub fn of_task(&self, points: &Exp) -> Exp {
        match &self.own_rows {
            OwnRows { count: Some(count), whole: Some(whole), from: _ } => {
                points.clone().quot(count.clone().max(1)).mul(whole.clone())
            }
            _ => points.clone(),
        }
    }

    /// How many points of the task come before those of a part, which are so many; nothing outside of parts.
    pub fn points_before(&self, points: &Exp) -> Option<Exp> {
        let OwnRows { from: Some(from), count: Some(count), whole: _ } = &self.own_rows else { return None };
        Some(points.clone().quot(count.clone().max(1)).mul(from.clone()))
    }

    /// The same part as the processor does it: all arrays are in its own memory, where it reads what was brought, and reports what it has written.
    fn part_of_processor(&mut self, body: &Body, written: &[Var]) -> Block {
        self.code.open();
        let (env, away) = (self.env.clone(), std::mem::take(&mut self.away));
        let mut known: Vec<Var> = env.keys().copied().collect();
        known.sort_unstable();
        let mut places = FxHashMap::default();
        for var in known {
            if let Some(Repr::Array(array)) = env.get(&var)
                && let Some(here) = self.array_here(array, &mut places)
            {
                if written.contains(&var) {
                    self.written_by_part.insert(var, array.clone());
                }
                self.env.insert(var, Repr::Array(here));
            }
        }
        let mut scalars: Vec<(Var, &Array)> = away.iter().map(|(var, array)| (*var, array)).collect();
        scalars.sort_unstable_by_key(|(var, _)| *var);
        for (var, array) in scalars {
            self.bring(array);
            if let Some(here) = self.array_here(array, &mut places) {
                let value = Exp::load(Elem::Prim(here.prim), here.data.ptr, Exp::i64(0));
                self.bind_scalar(var, value);
            }
        }
        let (at, inside_loops) = (self.at, self.inside_loops);
        (self.at, self.inside_loops) = (Where::Cpu, 0);
        self.begin_body(body, &[]);
        self.end_body();
        (self.at, self.inside_loops) = (at, inside_loops);
        (self.env, self.away) = (env, away);
        // What was found out of the processor's arrays is not so of the device's.
        self.offsets.clear();
        self.sums.clear();
        self.from_zero.clear();
        self.written_by_part.clear();
        self.code.close()
    }

    /// The array in the processor's memory, if it is one of devices.
    fn array_here(&mut self, array: &Array, places: &mut FxHashMap<ImpVar, ImpVar>) -> Option<Array> {
        let mut here = array.clone();
        for (at, part) in here.parts_mut().enumerate() {
            let elem = if at < array.offsets.len() { NUMBER } else { Elem::Prim(array.prim) };
            let ptr = match &part.ptr {
                Exp::Var(ptr) => *ptr,
                Exp::Null(Type::Remote(_)) => {
                    *part = Part::lent(Exp::null_ptr(elem));
                    continue;
                }
                _ => return None,
            };
            if self.code.var_ty(ptr) != Type::Remote(elem) {
                return None;
            }
            let place = *places.entry(ptr).or_insert_with(|| {
                let name = self.code.name(ptr).to_string();
                let place = self.code.new_var(name, Type::Ptr(elem));
                self.code.push(Stmt::Device(DeviceStmt::Here { var: place, elem, ptr: ptr.into() }));
                place
            });
            *part = Part::lent(place.into());
        }
        Some(here)
    }

    /// After the update of an array that a part of the processor writes to: devices that read this have to get it from there.
    pub fn note_written(&mut self, array: Var, slice: &[DimIndex]) {
        let Some(array) = self.written_by_part.get(&array).cloned() else { return };
        let slice: Vec<At> = slice.iter().map(|dim| self.at(dim)).collect();
        let at = std::mem::replace(&mut self.at, Where::Host);
        match self.part_of(&array, &slice).pop() {
            Some(Repr::Array(rows)) => self.written(&rows),
            _ => panic!("imp_gen: a part writes an element in {}", self.fun.name),
        }
        self.at = at;
    }

    /// Numbers that are the host's own: an array of them, which one is written to, or read of.
    pub fn note(&mut self, stm: &Stm) {
        match &stm.exp {
            NestExp::Array(ArrayExp::Replicate { count, value: _ }) => {
                let notes = self.notes(stm.vars[0], self.scalar(*count));
                self.bind(stm.vars[0], Repr::Array(notes));
            }
            NestExp::Array(ArrayExp::Update { array, slice, value }) => {
                let (array, index, value) = (self.array(*array), self.noted(slice), self.scalar(*value));
                self.code.push(Stmt::Store { elem: NUMBER, ptr: array.data.ptr.clone(), index, value });
                self.bind(stm.vars[0], Repr::Array(array));
            }
            NestExp::Array(ArrayExp::Index { array, slice }) => {
                let number = Exp::load(NUMBER, self.array(*array).data.ptr, self.noted(slice));
                self.bind_scalar(stm.vars[0], number);
            }
            NestExp::Scalar(_)
            | NestExp::Control(_)
            | NestExp::Array(_)
            | NestExp::Cell(_)
            | NestExp::Op(_) => {
                panic!("imp_gen: no note in {}", self.fun.name)
            }
        }
    }

    fn noted(&self, slice: &[DimIndex]) -> Exp {
        match slice {
            [DimIndex::Fix(index)] => self.scalar(*index),
            _ => panic!("imp_gen: several notes in {}", self.fun.name),
        }
    }
}

/// Whether a part may wait until its device has done something: it reads what a kernel has written, or calls what may do so.
fn may_wait(part: &Block) -> bool {
    let mut waits = false;
    for_each_stmt(part, &mut |stmt| {
        waits |= match stmt {
            Stmt::Device(stmt) => stmt.waits(),
            stmt => matches!(stmt, Stmt::Call { .. } | Stmt::Const { .. } | Stmt::Launch { .. }),
        };
    });
    waits
}
