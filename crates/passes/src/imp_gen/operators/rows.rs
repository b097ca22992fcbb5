//! A store for rows of different lengths, which are kept one by one until all of them are known and then concatenated.
//!
//! For each row it has the pointers and blocks of its parts, and for each `?` of its type the length there. When all rows are
//! there, a prefix sum of the lengths gives the offset of each, and all rows are copied in one launch (`assemble`).
//!
//! ```text
//! map n () \i -> [?]f32      rows: p0 (len 3), p1 (len 0), p2 (len 2)      ==>      offsets 0 3 3 5, elements p0 ++ p1 ++ p2
//! ```

use super::launch::{Grid, Launch};
use super::packs::Pack;
use crate::imp_gen::gather::groups;
use crate::imp_gen::repr::{Array, Part, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Elem, Exp, LoopForm, Prim, Split, Var as ImpVar};

const I64: Elem = Elem::Prim(Prim::I64);

#[derive(Clone, Debug)]
pub struct RowStore {
    prim: Prim,
    /// The sizes of a row; `None` for `?`.
    dims: Vec<Option<Exp>>,
    /// For each `?`, how many there are of it in each row; with room for one more at the end.
    counts: Vec<Part>,
    /// For each part of a row, the pointers and the blocks of all rows.
    parts: Vec<(Exp, Exp)>,
    /// Where short rows go, while a map fills the store.
    pack: Option<Pack>,
}

/// Something of which each row has the same amount, row after row.
pub struct Slot {
    pub elem: Elem,
    pub ptr: Exp,
    pub stride: Exp,
}

impl RowStore {
    /// The first dimension is `?`: each row is as long as it is.
    pub fn is_open(&self) -> bool {
        self.dims[0].is_none()
    }

    /// A row is nothing but its elements.
    pub fn has_one_part(&self) -> bool {
        self.parts.len() == 1
    }

    pub fn prim(&self) -> Prim {
        self.prim
    }

    pub fn pack(&self) -> Option<&Pack> {
        self.pack.as_ref()
    }

    pub fn set_pack(&mut self, pack: Pack) {
        self.pack = Some(pack);
    }

    fn irregular(&self) -> Vec<bool> {
        self.dims.iter().map(Option::is_none).collect()
    }

    /// The sizes before the first `?`, and those from there on.
    fn split(&self) -> (Vec<Exp>, &[Option<Exp>]) {
        let at = self.dims.iter().position(Option::is_none).unwrap_or(self.dims.len());
        (self.dims[..at].iter().flatten().cloned().collect(), &self.dims[at..])
    }

    pub fn for_each_exp_mut(&mut self, f: &mut dyn FnMut(&mut Exp)) {
        self.dims.iter_mut().flatten().for_each(&mut *f);
        for part in &mut self.counts {
            f(&mut part.ptr);
            f(&mut part.block);
        }
        for (ptrs, blocks) in &mut self.parts {
            f(ptrs);
            f(blocks);
        }
    }

    /// Somebody else releases its memory.
    pub fn borrowed(mut self) -> RowStore {
        self.counts.iter_mut().for_each(|part| part.owner = None);
        self
    }

    pub fn slots(&self) -> Vec<Slot> {
        let slot = |elem: Elem, ptr: &Exp| Slot { elem, ptr: ptr.clone(), stride: Exp::i64(1) };
        let mut slots: Vec<Slot> = self.counts.iter().map(|part| slot(I64, &part.ptr)).collect();
        for (ptrs, blocks) in &self.parts {
            slots.push(slot(Elem::Any, ptrs));
            slots.push(slot(Elem::Block, blocks));
        }
        slots
    }

    /// Other pointers for the slots, in their order.
    pub fn set_slots(&mut self, ptrs: Vec<Exp>) {
        let counts = self.counts.iter_mut().map(|part| &mut part.ptr);
        let parts = self.parts.iter_mut().flat_map(|(ptrs, blocks)| [ptrs, blocks]);
        counts.chain(parts).zip(ptrs).for_each(|(slot, ptr)| *slot = ptr);
    }
}

impl Gen<'_> {
    /// Room for so many rows of these dimensions, at least one of which is `?`.
    pub fn new_rows(&mut self, prim: Prim, dims: &[Option<Exp>], rows: &Exp, operator: &str) -> RowStore {
        let site = self.operator_site(operator);
        let levels = dims.iter().filter(|size| size.is_none()).count();
        let entries = self.code.atom("entries", rows.clone().add(1));
        let counts =
            (0..levels).map(|_| self.new_part("counts", Prim::I64, std::slice::from_ref(&entries), site));
        let counts = counts.collect();
        let offsets = levels - usize::from(dims[0].is_none());
        let mut parts = Vec::with_capacity(offsets + 1);
        for _ in 0..=offsets {
            let ptrs = self.new_part("rows", Prim::U64, std::slice::from_ref(rows), site).ptr;
            let blocks = self.new_part("rows", Prim::U64, std::slice::from_ref(rows), site).ptr;
            let ptrs = self.code.bind("rows", Exp::cast(Elem::Any, ptrs));
            let blocks = self.code.bind("blocks", Exp::cast(Elem::Block, blocks));
            parts.push((ptrs.into(), blocks.into()));
        }
        RowStore { prim, dims: dims.to_vec(), counts, parts, pack: None }
    }

    /// Keep a row, which the open body may hand over, as the one with this number.
    pub fn put_row(&mut self, store: &RowStore, index: &Exp, row: &Array) {
        let row = self.row_in_pattern(row, &store.irregular());
        // A view of what is elsewhere needs no memory.
        let pack = store.pack().filter(|_| row.data.owner.is_some());
        let row = self.keep_array(row);
        match pack {
            Some(pack) => self.pack_row(store, pack, index, &row),
            None => self.set_row(store, index, &row),
        }
    }

    /// A row as it is: whoever puts the rows together releases its blocks.
    pub fn set_row(&mut self, store: &RowStore, index: &Exp, row: &Array) {
        let (lead, tail) = store.split();
        let units = groups(tail);
        let mut counts = store.counts.iter().zip(&units);
        // How many rows of the next level, or elements, belong to this row, and which is the first.
        let mut first = Exp::i64(0);
        let mut rows = Exp::product(lead);
        if store.is_open()
            && let Some((part, unit)) = counts.next()
        {
            self.code.store(I64, part.ptr.clone(), index.clone(), row.length());
            rows = row.length().mul(unit.clone());
        }
        let mut starts = Vec::with_capacity(store.parts.len());
        for (offsets, (part, unit)) in row.offsets.iter().zip(counts) {
            let start = self.code.atom("offsets", Exp::offset(I64, offsets.ptr.clone(), first));
            let from = self.code.bind("from", Exp::load(I64, start.clone(), 0));
            let to = Exp::load(I64, start.clone(), rows);
            let count: Exp = self.code.bind("count", to.sub(from)).into();
            self.code.store(I64, part.ptr.clone(), index.clone(), count.clone());
            first = self.code.atom("first", Exp::Var(from).mul(unit.clone()));
            rows = self.code.atom("rows", count.mul(unit.clone()));
            starts.push(start);
        }
        starts.push(Exp::offset(Elem::Prim(store.prim), row.data.ptr.clone(), first));
        for ((start, part), (ptrs, blocks)) in starts.into_iter().zip(row.parts()).zip(&store.parts) {
            self.code.store(Elem::Any, ptrs.clone(), index.clone(), start);
            self.code.store(Elem::Block, blocks.clone(), index.clone(), part.block.clone());
        }
    }

    /// A row that is there, borrowed.
    pub fn stored_row(&mut self, store: &RowStore, index: &Exp) -> Array {
        let (mut lead, tail) = store.split();
        let mut tail = tail.to_vec();
        if store.is_open() {
            let length = Exp::load(I64, store.counts[0].ptr.clone(), index.clone());
            lead.push(self.code.bind("length", length).into());
            let next = tail[1..].iter().position(Option::is_none).map_or(tail.len(), |at| at + 1);
            lead.extend(tail[1..next].iter().flatten().cloned());
            tail.drain(..next);
        }
        let mut parts = Vec::with_capacity(store.parts.len());
        for (at, (ptrs, blocks)) in store.parts.iter().enumerate() {
            let elem = if at + 1 < store.parts.len() { I64 } else { Elem::Prim(store.prim) };
            let ptr = Exp::cast(elem, Exp::load(Elem::Any, ptrs.clone(), index.clone()));
            let ptr = self.code.bind("row", ptr);
            let block = self.code.bind("block", Exp::load(Elem::Block, blocks.clone(), index.clone()));
            parts.push(Part::borrowed(ptr.into(), block.into()));
        }
        let data = parts.pop().expect("imp_gen: a row without parts");
        let lead = self.row_major_lead(&lead);
        Array { prim: store.prim, lead, row_major_from: 0, tail, offsets: parts, data, counted: None }
    }

    /// Another row instead of this one.
    pub fn replace_row(&mut self, store: &RowStore, index: &Exp, row: &Array) {
        let row = self.row_in_pattern(row, &store.irregular());
        let row = self.keep_array(row);
        for (_, blocks) in &store.parts {
            self.code.release(Exp::load(Elem::Block, blocks.clone(), index.clone()));
        }
        self.set_row(store, index, &row);
    }

    /// The array with these leading sizes of all rows, which are released. The open body owns it.
    pub fn assemble(&mut self, name: &str, store: &RowStore, lead: &[Exp], grid: Option<&Grid>) -> Array {
        let rows = self.code.atom("rows", Exp::product(lead.iter().cloned()));
        let totals = self.running_sums(store, &rows);
        let (inner, tail) = store.split();
        let (units, tail) = (groups(tail), tail.to_vec());
        let site = self.operator_site(name);
        let mut entries = self.code.atom("entries", rows.clone().mul(Exp::product(inner.iter().cloned())));
        let mut offsets = Vec::with_capacity(totals.len());
        for (level, total) in totals.iter().enumerate() {
            let part = if level == 0 && store.is_open() {
                store.counts[0].clone()
            } else {
                let count = self.code.atom("entries", entries.clone().add(1));
                let part = self.new_part("offsets", Prim::I64, &[count], site);
                self.code.store(I64, part.ptr.clone(), entries.clone(), *total);
                part
            };
            offsets.push(part);
            entries = self.code.atom("entries", Exp::Var(*total).mul(units[level].clone()));
        }
        let data = self.new_part(name, store.prim, std::slice::from_ref(&entries), site);
        let sizes: Vec<Exp> = lead.iter().cloned().chain(inner).collect();
        let lead = self.row_major_lead(&sizes);
        let array = Array { prim: store.prim, lead, row_major_from: 0, tail, offsets, data, counted: None };
        match grid {
            Some(grid) => {
                let work = self.code.atom("work", entries.add(rows.clone()));
                let chunks = Exp::chunks(rows.clone(), work.clone());
                let split = Split::ByOffsets(store.counts[0].ptr.clone());
                let grid = Grid { work, balance: grid.balance, captured: Vec::new() };
                let launch = Launch { name: "rows", width: rows, chunks, split };
                let mut extra = vec![Repr::Array(array.clone())];
                extra.extend(store.reprs());
                self.launch(&grid, launch, &extra, &mut |this, kernel, given| {
                    let mut given = given.into_iter();
                    let Some(Repr::Array(array)) = given.next() else {
                        panic!("imp_gen: rows for something else")
                    };
                    let store = store.inside(&mut given);
                    this.fill(&store, &array, kernel.from.into(), kernel.to.into());
                });
            }
            None => self.fill(store, &array, Exp::i64(0), rows),
        }
        array
    }

    /// Each count becomes the sum of those before it. Yields the sums of all.
    fn running_sums(&mut self, store: &RowStore, rows: &Exp) -> Vec<ImpVar> {
        let totals: Vec<ImpVar> = store.counts.iter().map(|_| self.code.bind("total", Exp::i64(0))).collect();
        self.each(0, rows.clone(), LoopForm::Plain, &mut |this, i| {
            for (part, total) in store.counts.iter().zip(&totals) {
                let count = this.code.bind("count", Exp::load(I64, part.ptr.clone(), i.clone()));
                this.code.store(I64, part.ptr.clone(), i.clone(), *total);
                this.add_length(*total, count.into());
            }
        });
        for (part, total) in store.counts.iter().zip(&totals) {
            self.code.store(I64, part.ptr.clone(), rows.clone(), *total);
        }
        totals
    }

    /// Copy the rows of a range to where they belong, and release them.
    fn fill(&mut self, store: &RowStore, array: &Array, from: Exp, to: Exp) {
        let (inner, tail) = store.split();
        let inner = self.code.atom("inner", Exp::product(inner));
        let units = groups(tail);
        self.each(from, to, LoopForm::Plain, &mut |this, i| {
            let mut first = i.clone().mul(inner.clone());
            let mut rows = inner.clone();
            let mut sources = store.parts.iter().map(|(ptrs, _)| ptrs.clone());
            for (level, (counts, unit)) in store.counts.iter().zip(&units).enumerate() {
                let sum = this.code.bind("sum", Exp::load(I64, counts.ptr.clone(), i.clone()));
                let next = Exp::load(I64, counts.ptr.clone(), i.clone().add(1));
                let count = this.code.bind("count", next.sub(sum));
                if !(level == 0 && store.is_open())
                    && let Some(ptrs) = sources.next()
                {
                    let source = Exp::cast(I64, Exp::load(Elem::Any, ptrs, i.clone()));
                    let source = this.code.bind("source", source);
                    let shift = Exp::Var(sum).sub(Exp::load(I64, source, 0));
                    let shift = this.code.bind("shift", shift);
                    let first = this.code.atom("first", first.clone());
                    let target = array.offsets[level].ptr.clone();
                    this.each(0, rows.clone(), LoopForm::Independent, &mut |this, j| {
                        let offset = Exp::load(I64, source, j.clone()).add(shift);
                        this.code.store(I64, target.clone(), first.clone().add(j), offset);
                    });
                }
                first = this.code.atom("first", Exp::Var(sum).mul(unit.clone()));
                rows = this.code.atom("rows", Exp::Var(count).mul(unit.clone()));
            }
            let elem = Elem::Prim(store.prim);
            let ptrs = sources.next().expect("imp_gen: rows without elements");
            let source = Exp::cast(elem, Exp::load(Elem::Any, ptrs, i.clone()));
            let target = Exp::offset(elem, array.data.ptr.clone(), first);
            this.code.copy(elem, target, source, rows);
            for (_, blocks) in &store.parts {
                this.code.release(Exp::load(Elem::Block, blocks.clone(), i.clone()));
            }
        });
    }
}

impl RowStore {
    /// Everything in it, to be handed to a kernel.
    pub fn reprs(&self) -> Vec<Repr> {
        let mut reprs = Vec::new();
        self.clone().for_each_exp_mut(&mut |exp| reprs.push(Repr::Scalar(exp.clone())));
        reprs
    }

    /// The same store, as the kernel was handed it.
    pub fn inside(&self, given: &mut dyn Iterator<Item = Repr>) -> RowStore {
        let mut store = self.clone().borrowed();
        store.for_each_exp_mut(&mut |exp| match given.next() {
            Some(Repr::Scalar(inside)) => *exp = inside,
            Some(Repr::Array(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert) | None => {
                panic!("imp_gen: rows were handed to a kernel as something else")
            }
        });
        store
    }
}
