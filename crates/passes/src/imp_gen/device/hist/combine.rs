//! Combining a value with what many threads combine theirs with, at once: by an operation of memory, by comparing and swapping a word, or
//! under a lock; or one after the other (`turns`).
//!
//! - `Swap`: a thread reads the word, applies the operator, and writes the result if nobody has changed the word meanwhile; else it begins
//!   again with what the word is now. If the result is what is there, nothing is written: most elements do not change a minimum. Several
//!   columns lie in one word.
//! - `Lock`: the thread that sets the lock of a bin from 0 to 1 combines, and resets it. Threads of a warp run in step, so that one that waits
//!   must not keep another from going on: each iteration of the loop either does the work or does nothing. An operator that fails does not
//!   keep the lock.
//!
//! Only the threads of a group swap and lock, in the memory that they share. In the memory of all, where hundreds of thousands of threads
//! may want the same bin, only one of them would get on at a time, after all others have tried: there elements are sorted.

use super::operator::column_prims;
use super::{Cell, Hist};
use crate::imp_gen::device::lookback::Combine;
use crate::imp_gen::operators::elementwise::primitive_columns;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::operators::sort::rank::bits_of;
use crate::imp_gen::state::Gen;
use norn_ir::flat::Line;
use norn_ir::imp::{BinOp, Elem, Exp, GroupStmt, Prim, Scalar, Stmt, Type, UnOp};
use norn_ir::nest::{Lambda, VarInfo};

/// Shared memory for the bins of a group.
const SHARED_BYTES: i64 = 40 << 10;

pub(super) enum UpdateMethod {
    Atomic(Vec<(BinOp, Prim)>),
    /// Columns of these types are in words of this type.
    Swap {
        word: Prim,
        columns: Vec<Prim>,
    },
    Lock(Vec<Prim>),
    /// In the order of threads.
    Turns(Vec<Prim>),
}

/// Where the columns of a cell are (or the word that they are in), and its lock.
pub(super) struct CellPlace {
    pub columns: Vec<(Exp, Exp)>,
    pub lock: Option<(Exp, Exp)>,
}

impl UpdateMethod {
    pub fn of(line: Line, vars: &[VarInfo], scalars: &Lambda) -> UpdateMethod {
        let columns = column_prims(vars, scalars);
        match line {
            Line::HistAtomic => UpdateMethod::Atomic(
                primitive_columns(scalars).expect("imp_gen: a histogram that is no memory operation"),
            ),
            Line::HistSwap => {
                let word = match columns[..] {
                    [column] => column,
                    _ if columns.iter().map(|prim| prim.size()).sum::<usize>() <= 4 => Prim::U32,
                    _ => Prim::U64,
                };
                UpdateMethod::Swap { word, columns }
            }
            Line::HistDecks => UpdateMethod::Turns(columns),
            _ => UpdateMethod::Lock(columns),
        }
    }

    /// The arrays that hold cells.
    pub fn homes(&self) -> Vec<Prim> {
        match self {
            UpdateMethod::Atomic(columns) => columns.iter().map(|(_, prim)| *prim).collect(),
            UpdateMethod::Swap { word, columns: _ } => vec![*word],
            UpdateMethod::Lock(columns) | UpdateMethod::Turns(columns) => columns.clone(),
        }
    }

    /// What the word beside a cell is at first, if there is one, which says whose turn it is.
    pub fn lock(&self) -> Option<i32> {
        match self {
            UpdateMethod::Atomic(_) | UpdateMethod::Swap { .. } => None,
            UpdateMethod::Lock(_) => Some(0),
            UpdateMethod::Turns(_) => Some(i32::MAX),
        }
    }

    /// How many cells have room in the memory of a group.
    pub fn room(&self) -> i64 {
        let lock = if self.lock().is_some() { Prim::I32.size() } else { 0 };
        let bytes = self.homes().iter().map(|prim| prim.size()).sum::<usize>() + lock;
        SHARED_BYTES / bytes as i64
    }

    /// What the arrays hold for the values of a cell.
    pub fn pack(&self, values: Vec<Exp>) -> Vec<Exp> {
        match self {
            UpdateMethod::Swap { word, columns } if columns.len() > 1 => {
                let mut shift = 0;
                let mut packed = Exp::Const(Scalar::zero(*word));
                for (prim, value) in columns.iter().zip(values) {
                    let bits = to_bits(*prim, value).convert(bits_of(*prim), *word);
                    let by = Scalar::from_int(*word, shift.into());
                    let placed = if shift == 0 { bits } else { Exp::bin(BinOp::Shl, *word, bits, by) };
                    packed = if shift == 0 { placed } else { Exp::bin(BinOp::Or, *word, packed, placed) };
                    shift += 8 * prim.size() as i64;
                }
                vec![packed]
            }
            UpdateMethod::Atomic(_)
            | UpdateMethod::Swap { .. }
            | UpdateMethod::Lock(_)
            | UpdateMethod::Turns(_) => values,
        }
    }

    /// The values of a cell, given what the arrays hold.
    pub fn unpack(&self, held: Vec<Exp>) -> Vec<Exp> {
        match self {
            UpdateMethod::Swap { word, columns } if columns.len() > 1 => {
                let mut shift = 0;
                let mut values = Vec::with_capacity(columns.len());
                for prim in columns {
                    let by = Scalar::from_int(*word, shift.into());
                    let bits = Exp::bin(BinOp::Lshr, *word, held[0].clone(), by);
                    values.push(of_bits(*prim, bits.convert(*word, bits_of(*prim))));
                    shift += 8 * prim.size() as i64;
                }
                values
            }
            UpdateMethod::Atomic(_)
            | UpdateMethod::Swap { .. }
            | UpdateMethod::Lock(_)
            | UpdateMethod::Turns(_) => held,
        }
    }
}

impl Gen<'_> {
    /// By an operation of memory: each thread where its element belongs. In rows, neighbouring threads have neighbours.
    pub(super) fn hist_in_memory(&mut self, hist: &Hist, method: &UpdateMethod, grid: &Grid) {
        let total = hist.width.clone().mul(Exp::product(hist.row_sizes()));
        let total = self.code.atom("total", total);
        if hist.row_sizes().is_empty() {
            return self.hist_near(hist, method, &total, grid);
        }
        let groups = self.groups_for(&total, 1, None);
        self.launch_looping_groups("hist", &grid.captured, &hist.reprs(), groups, &mut |this, _, given| {
            let hist = hist.inside(&mut given.into_iter());
            this.each_cell(&hist, &mut |this, cell| {
                let values = this.values_at(hist.values, &cell.position);
                this.combine_in_memory(&hist, method, cell, &values);
            });
        });
    }

    /// In a kernel: values are combined with a cell of the destinations, by an operation of memory.
    pub(super) fn combine_in_memory(
        &mut self,
        hist: &Hist,
        method: &UpdateMethod,
        cell: &Cell,
        values: &[Exp],
    ) {
        let mut columns = Vec::with_capacity(hist.dests.len());
        for dest in &hist.dests {
            columns.push((dest.data.ptr.clone(), self.index_of_cell(dest, cell)));
        }
        let scalars = self.scalar_operator(hist);
        self.combine_at_once(scalars, method, &CellPlace { columns, lock: None }, values);
    }

    /// In a kernel: values are combined with what is in a place.
    pub(super) fn combine_at_once(
        &mut self,
        op: &Lambda,
        method: &UpdateMethod,
        place: &CellPlace,
        values: &[Exp],
    ) {
        match method {
            UpdateMethod::Atomic(operators) => {
                for (((ptr, index), value), (op, prim)) in place.columns.iter().zip(values).zip(operators) {
                    let (op, prim) = (*op, *prim);
                    let (ptr, index, value) = (ptr.clone(), index.clone(), value.clone());
                    self.code.push(Stmt::Group(GroupStmt::Atomic { op, prim, ptr, index, value, old: None }));
                }
            }
            UpdateMethod::Swap { word, columns: _ } => {
                self.swap_until_done(op, method, *word, &place.columns[0], values)
            }
            UpdateMethod::Lock(columns) => self.combine_locked(op, columns, place, values),
            UpdateMethod::Turns(_) => panic!("imp_gen: nobody has a turn at once"),
        }
    }

    fn swap_until_done(
        &mut self,
        op: &Lambda,
        method: &UpdateMethod,
        word: Prim,
        (ptr, index): &(Exp, Exp),
        values: &[Exp],
    ) {
        let old = self.code.new_var("old", Type::Scalar(word));
        let (prim, ptr, index) = (word, ptr.clone(), self.code.atom("at", index.clone()));
        self.code.push(Stmt::Group(GroupStmt::Peek {
            var: old,
            prim,
            ptr: ptr.clone(),
            index: index.clone(),
        }));
        let again = self.code.bind("again", Exp::bool(true));
        self.code.open();
        let mut there = Vec::new();
        for value in method.unpack(vec![old.into()]) {
            there.push(self.code.atom("there", value));
        }
        let combined = self.combined(Combine::Lambda(op), &there, values);
        let value = self.code.bind("new", method.pack(combined).remove(0));
        self.code.set(again, same_bits(word, value.into(), old.into()).not());
        self.code.open();
        let seen = self.code.new_var("seen", Type::Scalar(word));
        let (expected, value) = (old.into(), value.into());
        self.code.push(Stmt::Group(GroupStmt::CompareAndSwap {
            prim,
            ptr,
            index,
            expected,
            value,
            old: seen,
        }));
        self.code.set(again, same_bits(word, seen.into(), old.into()).not());
        self.code.set(old, seen);
        let swap = self.code.close();
        self.code.when(again, swap);
        let body = self.code.close();
        self.code.while_(Vec::new(), again, body);
    }

    fn combine_locked(&mut self, op: &Lambda, columns: &[Prim], place: &CellPlace, values: &[Exp]) {
        let (lock, number) = place.lock.clone().expect("imp_gen: a bin without a lock");
        let word = |value: i32| Exp::Const(Scalar::I32(value));
        let prim = Prim::I32;
        let done = self.code.bind("done", Exp::bool(false));
        self.code.open();
        let seen = self.code.new_var("seen", Type::Scalar(prim));
        self.code.push(Stmt::Group(GroupStmt::CompareAndSwap {
            prim,
            ptr: lock.clone(),
            index: number.clone(),
            expected: word(0),
            value: word(1),
            old: seen,
        }));
        self.code.open();
        self.code.push(Stmt::Group(GroupStmt::Fence));
        self.guarded(&mut |this| {
            let mut there = Vec::with_capacity(columns.len());
            for ((ptr, index), prim) in place.columns.iter().zip(columns) {
                let value = Exp::load(Elem::Prim(*prim), ptr.clone(), index.clone());
                there.push(this.code.bind("there", value).into());
            }
            let combined = this.combined(Combine::Lambda(op), &there, values);
            for (((ptr, index), prim), value) in place.columns.iter().zip(columns).zip(combined) {
                this.code.store(Elem::Prim(*prim), ptr.clone(), index.clone(), value);
            }
        });
        self.code.push(Stmt::Group(GroupStmt::Publish { prim, ptr: lock, index: number, value: word(0) }));
        self.code.set(done, Exp::bool(true));
        let inside = self.code.close();
        self.code.when(Exp::bin(BinOp::Eq, prim, seen, word(0)), inside);
        let body = self.code.close();
        self.code.while_(Vec::new(), Exp::Var(done).not(), body);
    }
}

/// Whether two values of a type are the same to memory.
pub(super) fn same_bits(prim: Prim, x: Exp, y: Exp) -> Exp {
    match prim.is_float() {
        true => Exp::bin(BinOp::Eq, bits_of(prim), to_bits(prim, x), to_bits(prim, y)),
        false => Exp::bin(BinOp::Eq, prim, x, y),
    }
}

/// A value as an unsigned integer that is as wide.
pub(super) fn to_bits(prim: Prim, value: Exp) -> Exp {
    match prim {
        _ if prim.is_float() => Exp::un(UnOp::ToBits, prim, value),
        _ if prim == bits_of(prim) => value,
        _ => value.convert(prim, bits_of(prim)),
    }
}

pub(super) fn of_bits(prim: Prim, bits: Exp) -> Exp {
    match prim {
        _ if prim.is_float() => Exp::un(UnOp::FromBits, bits_of(prim), bits),
        Prim::Bool => Exp::bin(BinOp::Eq, Prim::U8, bits, Scalar::U8(0)).not(),
        _ if prim == bits_of(prim) => bits,
        _ => bits.convert(bits_of(prim), prim),
    }
}
