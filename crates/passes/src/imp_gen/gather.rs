//! New irregular arrays from rows of others: count what there is at each level, then copy it.
//!
//! A source is a range of rows of an irregular array, or a single row. In both a level is a range of what lies one after
//! the other in memory, so that copying goes range by range: offsets are rebased, elements copied as they are.

use super::repr::{Array, Part};
use super::state::Gen;
use norn_ir::imp::{Elem, Exp, LoopForm, Prim, Var as ImpVar};

const I64: Elem = Elem::Prim(Prim::I64);

/// Where rows come from.
pub enum Rows {
    /// So many rows of the outermost offsets, from this one on.
    Range { array: Array, first: Exp, count: Exp },
    /// One row, taken out of its array.
    One(Array),
}

/// What is done with all rows, those of one source after the other.
pub type EachRows<'a, Gen> = &'a mut dyn FnMut(&mut Gen, Rows);

impl Gen<'_> {
    /// An irregular array with these leading sizes and these dimensions behind, owned by the open body. `sources` makes the
    /// loops that go over all rows in order, and hands them on; it is called twice.
    pub fn gather(
        &mut self,
        name: &str,
        prim: Prim,
        lead: &[Exp],
        tail: &[Option<Exp>],
        operator: &str,
        sources: &mut dyn FnMut(&mut Self, EachRows<'_, Self>),
    ) -> Array {
        let levels = tail.iter().filter(|size| size.is_none()).count();
        // How many rows there are at each level but the first, and then elements.
        let totals: Vec<ImpVar> = (0..levels).map(|_| self.code.bind("total", Exp::i64(0))).collect();
        sources(self, &mut |this, rows| {
            for (total, (from, to)) in totals.iter().zip(this.ranges(&rows, tail)) {
                this.add_length(*total, to.sub(from));
            }
        });
        let site = self.operator_site(operator);
        let count = Exp::product(lead.iter().cloned());
        let mut offsets = Vec::with_capacity(levels);
        for level in 0..levels {
            let rows = if level == 0 { count.clone() } else { totals[level - 1].into() };
            let entries = self.code.atom("entries", rows.add(1));
            let part = self.new_part("offsets", Prim::I64, &[entries], site);
            self.code.store(I64, part.ptr.clone(), 0, Exp::i64(0));
            offsets.push(part);
        }
        let data = self.new_part(name, prim, &[totals[levels - 1].into()], site);
        // Where the next row of each level, and the next element, goes.
        let next: Vec<ImpVar> = (0..=levels).map(|_| self.code.bind("next", Exp::i64(0))).collect();
        sources(self, &mut |this, rows| this.append(&rows, tail, prim, &offsets, &data, &next));
        let lead = self.row_major_lead(lead);
        Array { prim, lead, row_major_from: 0, tail: tail.to_vec(), offsets, data, counted: None }
    }

    /// What the source has at each level behind the first: the last are elements.
    fn ranges(&mut self, rows: &Rows, tail: &[Option<Exp>]) -> Vec<(Exp, Exp)> {
        let (mut from, mut to, offsets) = match rows {
            Rows::Range { array, first, count } => {
                let offsets = array.offsets[0].ptr.clone();
                let from = Exp::load(I64, offsets.clone(), first.clone());
                let to = Exp::load(I64, offsets, first.clone().add(count.clone()));
                (self.code.atom("first", from), self.code.atom("end", to), &array.offsets[1..])
            }
            Rows::One(row) => (Exp::i64(0), row.length(), &row.offsets[..]),
        };
        let mut ranges = Vec::new();
        let mut groups = groups(tail).into_iter();
        let unit = groups.next().expect("imp_gen: an irregular array without rows");
        (from, to) = self.scaled(from, to, &unit);
        ranges.push((from.clone(), to.clone()));
        for (part, unit) in offsets.iter().zip(groups) {
            let first = Exp::load(I64, part.ptr.clone(), from);
            let end = Exp::load(I64, part.ptr.clone(), to);
            (from, to) = (self.code.atom("first", first), self.code.atom("end", end));
            (from, to) = self.scaled(from, to, &unit);
            ranges.push((from.clone(), to.clone()));
        }
        ranges
    }

    fn scaled(&mut self, from: Exp, to: Exp, unit: &Exp) -> (Exp, Exp) {
        let from = self.code.atom("first", from.mul(unit.clone()));
        let to = self.code.atom("end", to.mul(unit.clone()));
        (from, to)
    }

    fn append(
        &mut self,
        rows: &Rows,
        tail: &[Option<Exp>],
        prim: Prim,
        offsets: &[Part],
        data: &Part,
        next: &[ImpVar],
    ) {
        let ranges = self.ranges(rows, tail);
        let inner = match rows {
            Rows::Range { array, first, count } => {
                let end = self.code.atom("end", first.clone().add(count.clone()));
                let source = array.offsets[0].ptr.clone();
                self.append_offsets(&source, first, &end, &offsets[0], next[0]);
                &array.offsets[1..]
            }
            Rows::One(row) => {
                let before = Exp::load(I64, offsets[0].ptr.clone(), next[0]);
                let at = Exp::Var(next[0]).add(1);
                self.code.store(I64, offsets[0].ptr.clone(), at.clone(), before.add(row.length()));
                self.code.set(next[0], at);
                &row.offsets[..]
            }
        };
        for (level, source) in inner.iter().enumerate() {
            let (from, to) = &ranges[level];
            self.append_offsets(&source.ptr, from, to, &offsets[level + 1], next[level + 1]);
        }
        let (from, to) = &ranges[ranges.len() - 1];
        let last = next[next.len() - 1];
        let (Rows::Range { array, .. } | Rows::One(array)) = rows;
        let count = self.code.atom("count", to.clone().sub(from.clone()));
        let target = Exp::offset(Elem::Prim(prim), data.ptr.clone(), last);
        let source = Exp::offset(Elem::Prim(prim), array.data.ptr.clone(), from.clone());
        self.code.copy(Elem::Prim(prim), target, source, count.clone());
        self.code.set(last, Exp::Var(last).add(count));
    }

    /// Rows that are as long as those from `from` to `to` of the source.
    fn append_offsets(&mut self, source: &Exp, from: &Exp, to: &Exp, offsets: &Part, next: ImpVar) {
        let before = Exp::load(I64, offsets.ptr.clone(), next);
        let shift = before.sub(Exp::load(I64, source.clone(), from.clone()));
        let shift = self.code.bind("shift", shift);
        let count = self.code.atom("count", to.clone().sub(from.clone()));
        let start = self.code.bind("start", Exp::Var(next).add(1));
        let i = self.code.new_i64("i");
        self.code.open();
        let end = Exp::load(I64, source.clone(), from.clone().add(i).add(1));
        self.code.store(I64, offsets.ptr.clone(), Exp::Var(start).add(i), end.add(shift));
        let body = self.code.close();
        self.code.for_(i, 0, count.clone(), LoopForm::Independent, body);
        self.code.set(next, Exp::Var(next).add(count));
    }
}

/// How many rows of the next level, or elements, each row of a `?` has: the sizes between it and the next `?`.
pub fn groups(tail: &[Option<Exp>]) -> Vec<Exp> {
    let mut groups: Vec<Exp> = Vec::new();
    for size in tail {
        match (size, groups.last_mut()) {
            (None, _) => groups.push(Exp::i64(1)),
            (Some(size), Some(group)) => *group = group.clone().mul(size.clone()),
            (Some(_), None) => panic!("imp_gen: a tail that begins with a size"),
        }
    }
    groups
}
