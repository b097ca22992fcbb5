//! Irregular arrays: rows of their own length, by offsets.
//!
//! An array `[n][?]t` is one buffer of elements and one of `n + 1` offsets: row `i` has the elements from `offsets[i]` to
//! `offsets[i + 1]`. With more dimensions there are offsets for each `?`, each counted in units of what comes after it.
//! A slice of rows shares both buffers, so its first offset need not be 0; whatever needs all rows side by side asks
//! `all_rows` or makes a copy.
//!
//! This file changes the form of such arrays: copies, concatenation, replication, a size in the place of a `?` and the
//! reverse, updates. `gather` computes offsets and moves rows.

use super::gather::{Rows, groups};
use super::repr::{Array, Part, Repr};
use super::state::{Gen, Where};
use super::views::At;
use norn_ir::failure::CheckKind;
use norn_ir::imp::{BinOp, Elem, Exp, LoopForm, Prim};
use norn_ir::nest::{Dim, Var};

const I64: Elem = Elem::Prim(Prim::I64);

impl Gen<'_> {
    /// A row-major copy in memory of its own.
    pub fn copy_irregular(&mut self, name: &str, array: &Array, operator: &str) -> Array {
        let lead: Vec<Exp> = array.lead.iter().map(|lead| lead.size.clone()).collect();
        let array = array.clone();
        let tail = array.tail.clone();
        self.gather(name, array.prim, &lead, &tail, operator, &mut |this, row| this.all_rows(&array, row))
    }

    /// All rows in order: at once if they lie one after the other.
    fn all_rows(&mut self, array: &Array, row: &mut dyn FnMut(&mut Self, Rows)) {
        if array.is_row_major() {
            let count = Exp::product(array.lead.iter().map(|lead| lead.size.clone()));
            let count = self.code.atom("rows", count);
            return row(self, Rows::Range { array: array.clone(), first: Exp::i64(0), count });
        }
        let mut loops = Vec::new();
        let mut first = Exp::i64(0);
        for lead in &array.lead {
            let i = self.code.new_i64("i");
            self.code.open();
            first = self.code.atom("first", first.add(Exp::Var(i).mul(lead.stride.clone())));
            loops.push((i, lead.size.clone()));
        }
        row(self, Rows::Range { array: array.clone(), first, count: Exp::i64(1) });
        for (i, size) in loops.into_iter().rev() {
            let body = self.code.close();
            self.code.for_(i, 0, size, LoopForm::Plain, body);
        }
    }

    pub fn replicate_irregular(&mut self, var: Var, count: Exp, row: &Array) -> Array {
        let mut lead = vec![count.clone()];
        lead.extend(row.lead.iter().map(|lead| lead.size.clone()));
        let (row, name) = (row.clone(), self.name(var));
        let tail = row.tail.clone();
        self.gather(name, row.prim, &lead, &tail, "replicate", &mut |this, each| {
            let i = this.code.new_i64("i");
            this.code.open();
            this.all_rows(&row, each);
            let body = this.code.close();
            this.code.for_(i, 0, count.clone(), LoopForm::Plain, body);
        })
    }

    pub fn concat_irregular(&mut self, var: Var, arrays: &[Array], size: Exp) -> Array {
        let mut lead = vec![size];
        lead.extend(arrays[0].lead[1..].iter().map(|lead| lead.size.clone()));
        let (prim, tail, name) = (arrays[0].prim, arrays[0].tail.clone(), self.name(var));
        self.gather(name, prim, &lead, &tail, "concat", &mut |this, each| {
            arrays.iter().for_each(|array| this.all_rows(array, each));
        })
    }

    /// Rows one by one, as the variable's type has them.
    pub fn stack_irregular(&mut self, var: Var, rows: &[Repr]) -> Array {
        let dims = self.ty(var).dims();
        let irregular: Vec<bool> = dims.iter().map(|dim| *dim == Dim::Irregular).collect();
        let sizes = self.sizes(dims);
        let at = irregular.iter().position(|irregular| *irregular).unwrap_or(dims.len());
        let rows: Vec<Array> = rows
            .iter()
            .map(|row| match row {
                Repr::Array(row) => self.row_in_pattern(row, &irregular[1..]),
                Repr::Scalar(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert => {
                    panic!("imp_gen: an irregular row that is no array")
                }
            })
            .collect();
        let lead: Vec<Exp> = sizes[..at].iter().flatten().cloned().collect();
        let prim = super::repr::prim_of(self.ty(var).elem().expect("imp_gen: an array of no values"));
        let name = self.name(var);
        self.gather(name, prim, &lead, &sizes[at..], "array", &mut |this, each| {
            for row in &rows {
                if at == 1 { each(this, Rows::One(row.clone())) } else { this.all_rows(row, each) }
            }
        })
    }

    /// A row of an array whose rows have these irregular dimensions, the first of which is the row's own length.
    pub fn row_in_pattern(&mut self, row: &Array, irregular: &[bool]) -> Array {
        let mut pattern = irregular.to_vec();
        pattern[0] = false;
        let row = self.in_pattern(row, &pattern);
        self.in_row_major(row)
    }

    /// The array with `?` for these dimensions, where it had sizes. What is `?` stays so.
    pub fn in_pattern(&mut self, array: &Array, irregular: &[bool]) -> Array {
        let sizes = array.sizes();
        if sizes.iter().zip(irregular).all(|(size, irregular)| size.is_none() == *irregular) {
            return array.clone();
        }
        let array = self.in_row_major(array.clone());
        let site = self.operator_site("rows");
        let mut old = array.offsets.iter();
        let mut offsets = Vec::new();
        // How many rows there are at the level, from the first in memory on.
        let mut rows = Exp::i64(1);
        for (size, irregular) in sizes.iter().zip(irregular) {
            match size {
                None => {
                    let part = old.next().expect("imp_gen: a `?` without offsets").clone();
                    rows = self.code.bind("rows", Exp::load(I64, part.ptr.clone(), rows)).into();
                    offsets.push(part);
                }
                Some(size) => {
                    if *irregular {
                        let entries = self.code.atom("entries", rows.clone().add(1));
                        let part = self.new_part("offsets", Prim::I64, std::slice::from_ref(&entries), site);
                        let i = self.code.new_i64("i");
                        self.code.open();
                        self.code.store(I64, part.ptr.clone(), i, Exp::Var(i).mul(size.clone()));
                        let body = self.code.close();
                        self.code.for_(i, 0, entries, LoopForm::Independent, body);
                        offsets.push(part);
                    }
                    rows = self.code.atom("rows", rows.mul(size.clone()));
                }
            }
        }
        let at = irregular.iter().position(|irregular| *irregular).unwrap_or(sizes.len());
        let lead: Vec<Exp> = sizes[..at].iter().flatten().cloned().collect();
        let lead = self.row_major_lead(&lead);
        let tail = sizes[at..].iter().zip(&irregular[at..]);
        let tail = tail.map(|(size, irregular)| size.clone().filter(|_| !irregular)).collect();
        Array { prim: array.prim, lead, row_major_from: 0, tail, offsets, data: array.data, counted: None }
    }

    /// The same elements under these sizes: other names of sizes, `?` for a size, or a size that all rows have.
    pub fn with_sizes(&mut self, array: &Array, sizes: &[Option<Exp>]) -> Array {
        let irregular: Vec<bool> =
            array.sizes().iter().zip(sizes).map(|(old, new)| old.is_none() || new.is_none()).collect();
        let mut array = self.in_pattern(array, &irregular);
        if let Some(at) =
            array.sizes().iter().zip(sizes).position(|(old, new)| old.is_none() && new.is_some())
        {
            array = self.in_row_major(array);
            array = self.regular_level(&array, at, sizes);
            return self.with_sizes(&array, sizes);
        }
        let known = array.lead.len();
        for (lead, size) in array.lead.iter_mut().zip(sizes.iter().flatten()) {
            lead.size = size.clone();
        }
        array.tail = sizes[known..].to_vec();
        array
    }

    /// The row-major array with a size for the `?` of dimension `at`: all rows have it. Their offsets are not needed any more.
    fn regular_level(&mut self, array: &Array, at: usize, sizes: &[Option<Exp>]) -> Array {
        let size = sizes[at].clone().expect("imp_gen: no size for a level");
        let known = array.lead.len();
        let level = array.tail[..at - known].iter().filter(|size| size.is_none()).count();
        // The first row of the level that belongs to the array.
        let mut row = Exp::i64(0);
        let units = groups(&array.tail);
        for (part, unit) in array.offsets[..level].iter().zip(&units) {
            let first = Exp::load(I64, part.ptr.clone(), row).mul(unit.clone());
            row = self.code.atom("row", first);
        }
        let mut result = array.clone();
        let removed = result.offsets.remove(level);
        // Row `r` begins where the first does, and `size` rows later for each row in between.
        let first = Exp::load(I64, removed.ptr, row.clone()).sub(row.mul(size.clone()));
        let shift = self.code.atom("shift", first.mul(units[level].clone()));
        let (part, elem) = match result.offsets.get_mut(level) {
            Some(offsets) => (offsets, I64),
            None => (&mut result.data, Elem::Prim(array.prim)),
        };
        part.ptr = self.code.atom("rows", Exp::offset(elem, part.ptr.clone(), shift));
        let mut all = array.sizes();
        all[at] = Some(size);
        let next = all.iter().position(Option::is_none).unwrap_or(all.len());
        let lead: Vec<Exp> = all[..next].iter().flatten().cloned().collect();
        result.lead = self.row_major_lead(&lead);
        result.tail = all[next..].to_vec();
        result
    }

    pub fn rearrange_tail(&mut self, array: &Array, perm: &[usize]) -> Array {
        let array = self.in_row_major(array.clone());
        let sizes = array.sizes();
        let group = sizes.iter().rposition(Option::is_none).map_or(0, |at| at + 1);
        if perm[..group.min(perm.len())].iter().enumerate().any(|(i, from)| i != *from) {
            let what = "a change of dimensions between irregular ones";
            self.out.unsupported.push(super::state::Unsupported { what: what.into(), span: self.span });
            return array;
        }
        let mut rows = Exp::i64(1);
        let mut old = array.offsets.iter();
        for size in &sizes[..group] {
            rows = match size {
                Some(size) => self.code.atom("rows", rows.mul(size.clone())),
                None => {
                    let part = old.next().expect("imp_gen: a `?` without offsets");
                    self.code.bind("rows", Exp::load(I64, part.ptr.clone(), rows)).into()
                }
            };
        }
        let inner: Vec<Exp> = sizes[group..].iter().flatten().cloned().collect();
        let mut flat = vec![rows];
        flat.extend(inner.iter().cloned());
        let from = self.row_major(array.prim, &flat, array.data.clone());
        let order: Vec<usize> = (group..sizes.len()).map(|i| perm.get(i).copied().unwrap_or(i)).collect();
        let mut view = from.clone();
        for (at, source) in order.iter().enumerate() {
            view.lead[at + 1] = from.lead[source - group + 1].clone();
        }
        view.row_major_from = view.lead.len();
        let copy = self.copy_array("rearranged", &view, "rearrange");
        let mut result = array.clone();
        result.data = copy.data;
        let known = result.lead.len();
        for (at, source) in order.iter().enumerate() {
            result.tail[group + at - known] = sizes[*source].clone();
        }
        result
    }

    pub fn lengths(&mut self, var: Var, array: Var) {
        let array = self.array(array);
        if self.at == Where::Host {
            return self.lengths_on_device(var, &array);
        }
        let result = self.new_array(var, Prim::I64, &[array.length()], "lengths");
        let i = self.code.new_i64("i");
        self.code.open();
        let row = Exp::Var(i).mul(array.lead[0].stride.clone());
        let offsets = &array.offsets[0].ptr;
        let end = Exp::load(I64, offsets.clone(), row.clone().add(1));
        let length = end.sub(Exp::load(I64, offsets.clone(), row));
        self.store(&result, &[i.into()], length);
        let body = self.code.close();
        self.code.for_(i, 0, array.length(), LoopForm::Independent, body);
        self.bind(var, Repr::Array(result));
    }

    /// Where rows of these lengths end: the offsets of what is segmented by them, but for the first.
    pub fn ends(&mut self, var: Var, lengths: Var) {
        let mut part = self.offsets_by(lengths);
        part.ptr = self.code.atom("view", Exp::offset(I64, part.ptr.clone(), 1));
        let count = self.array(lengths).length();
        let ends = self.row_major(Prim::I64, &[count], part);
        if self.at == Where::Host {
            self.sums.insert(var);
        }
        self.bind(var, Repr::Array(ends));
    }

    /// Where rows of these lengths begin and end.
    fn offsets_by(&mut self, lengths: Var) -> Part {
        match self.at {
            Where::Host => self.known_offsets(lengths),
            Where::Cpu | Where::Thread | Where::Group => self.offsets_of_lengths(lengths),
        }
    }

    /// All rows one after the other: how many elements they have, and these.
    pub fn join_rows(&mut self, vars: &[Var], array: Var) {
        let array = self.array(array);
        let (count, joined) = self.joined_rows(array);
        self.bind(vars[0], Repr::Scalar(count));
        self.bind(vars[1], Repr::Array(joined));
    }

    /// How many elements all rows of an array have, and these in one array.
    pub fn joined_rows(&mut self, array: Array) -> (Exp, Array) {
        let array = self.in_row_major(array);
        let offsets = array.offsets[0].ptr.clone();
        let first = match self.begins_at_zero(&offsets) {
            true => Exp::i64(0),
            false => {
                let first = self.offset_at(offsets.clone(), Exp::i64(0));
                self.code.bind("first", first).into()
            }
        };
        let end = self.offset_at(offsets, array.length());
        let count: Exp = self.code.bind("count", end.sub(first.clone())).into();
        let next = array.tail[1..].iter().position(Option::is_none).map_or(array.tail.len(), |at| at + 1);
        let mut sizes = vec![count.clone()];
        sizes.extend(array.tail[1..next].iter().flatten().cloned());
        let lead = self.row_major_lead(&sizes);
        let start = first.mul(lead[0].stride.clone());
        let mut joined = Array {
            prim: array.prim,
            lead,
            row_major_from: 0,
            tail: array.tail[next..].to_vec(),
            offsets: array.offsets[1..].to_vec(),
            data: array.data.clone(),
            counted: None,
        };
        let (part, elem) = match joined.offsets.first_mut() {
            Some(offsets) => (offsets, I64),
            None => (&mut joined.data, Elem::Prim(array.prim)),
        };
        part.ptr = self.code.atom("rows", Exp::offset(elem, part.ptr.clone(), start));
        (count, joined)
    }

    /// Whether the first of these offsets is certainly 0: they have been made here, for all rows.
    fn begins_at_zero(&self, offsets: &Exp) -> bool {
        self.at == Where::Host && matches!(offsets, Exp::Var(var) if self.from_zero.contains(var))
    }

    /// One of the offsets of rows.
    pub fn offset_at(&mut self, offsets: Exp, index: Exp) -> Exp {
        match self.at {
            Where::Host => self.read_i64(offsets, index),
            Where::Cpu | Where::Thread | Where::Group => Exp::load(I64, offsets, index),
        }
    }

    /// Cut into rows of these lengths.
    pub fn segment(&mut self, var: Var, lengths: Var, array: Var) {
        let array = self.array(array);
        let array = self.in_row_major(array);
        let part = self.offsets_by(lengths);
        let count = self.array(lengths).length();
        let mut tail = vec![None];
        tail.extend(array.sizes().into_iter().skip(1));
        let mut offsets = vec![part];
        offsets.extend(array.offsets.iter().cloned());
        let lead = self.row_major_lead(&[count]);
        let segmented = Array {
            prim: array.prim,
            lead,
            row_major_from: 0,
            tail,
            offsets,
            data: array.data,
            counted: None,
        };
        self.bind(var, Repr::Array(segmented));
    }

    fn offsets_of_lengths(&mut self, lengths: Var) -> Part {
        let lengths = self.array(lengths);
        let site = self.operator_site("segment");
        let entries = self.code.atom("entries", lengths.length().add(1));
        let part = self.new_part("offsets", Prim::I64, &[entries], site);
        let sum = self.code.bind("sum", Exp::i64(0));
        self.code.store(I64, part.ptr.clone(), 0, sum);
        let i = self.code.new_i64("i");
        self.code.open();
        let at = self.element_index(&lengths, &[i.into()]);
        let length = Exp::load(I64, lengths.data.ptr.clone(), at);
        self.code.set(sum, Exp::Var(sum).add(length));
        self.code.store(I64, part.ptr.clone(), Exp::Var(i).add(1), sum);
        let body = self.code.close();
        self.code.for_(i, 0, lengths.length(), LoopForm::Plain, body);
        part
    }

    /// All rows have the sizes that are given.
    pub fn check_shape(&mut self, array: &Array, sizes: &[Option<Exp>]) {
        let array = self.in_row_major(array.clone());
        for (lead, size) in array.lead.iter().zip(sizes) {
            if let Some(size) = size {
                let holds = size.clone().eq(lead.size.clone());
                self.require(holds, CheckKind::RowSize, vec![size.clone(), lead.size.clone()]);
            }
        }
        let known = array.lead.len();
        let mut from = Exp::i64(0);
        let mut to = Exp::product(array.lead.iter().map(|lead| lead.size.clone()));
        to = self.code.atom("rows", to);
        let mut old = array.offsets.iter();
        for (at, (have, want)) in array.tail.iter().zip(&sizes[known..]).enumerate() {
            match have {
                Some(have) => {
                    if let Some(want) = want {
                        let holds = want.clone().eq(have.clone()).or(to.clone().le(from.clone()));
                        self.require(holds, CheckKind::RowSize, vec![want.clone(), have.clone()]);
                    }
                    from = self.code.atom("first", from.mul(have.clone()));
                    to = self.code.atom("end", to.mul(have.clone()));
                }
                None => {
                    let part: &Part = old.next().expect("imp_gen: a `?` without offsets");
                    if let Some(want) = want
                        && self.at == Where::Host
                    {
                        self.check_lengths_on_device(&part.ptr, &from, &to, want);
                    } else if let Some(want) = want {
                        let row = self.code.new_i64("row");
                        self.code.open();
                        let end = Exp::load(I64, part.ptr.clone(), Exp::Var(row).add(1));
                        let length = end.sub(Exp::load(I64, part.ptr.clone(), row));
                        let length = self.code.bind("length", length);
                        let holds = Exp::Var(length).eq(want.clone());
                        self.require(holds, CheckKind::RowSize, vec![want.clone(), length.into()]);
                        let body = self.code.close();
                        self.code.for_(row, from.clone(), to.clone(), LoopForm::Plain, body);
                    }
                    // The numbers of what is inside, if something is.
                    if at + 1 < array.tail.len() {
                        let (first, end) =
                            (self.offset_at(part.ptr.clone(), from), self.offset_at(part.ptr.clone(), to));
                        from = self.code.bind("first", first).into();
                        to = self.code.bind("end", end).into();
                    }
                }
            }
        }
    }

    // # Updates

    /// The array with a part replaced: in place where by its type no length changes, otherwise as a new array.
    pub fn update_irregular(&mut self, var: Var, array: &Array, slice: &[At], value: &Repr) -> Array {
        if self.at == Where::Host {
            return self.update_rows_on_device(array, slice, value);
        }
        let regular_from = array.sizes().iter().rposition(Option::is_none).map_or(0, |at| at + 1);
        if slice.len() >= regular_from && !self.is_column(array, slice) {
            match (self.part_of(array, &slice[..regular_from]).pop(), value) {
                (Some(Repr::Array(row)), value) => self.write(&row, &slice[regular_from..], value),
                (Some(Repr::Scalar(_)), Repr::Scalar(value)) => {
                    self.write_element(array, slice, value.clone())
                }
                (_, _) => panic!("imp_gen: an update of no value"),
            }
            return array.clone();
        }
        let fixed = array.lead.len() == 1 && slice.len() == 1;
        if !fixed {
            self.unsupported("an update of part of an irregular row that is irregular itself", var);
            return array.clone();
        }
        let irregular: Vec<bool> = array.sizes().iter().map(Option::is_none).collect();
        let (array, name) = (array.clone(), self.name(var));
        let (lead, tail) = ([array.length()], array.tail.clone());
        let value = match value {
            Repr::Array(value) if slice[0].is_slice() => value.clone(),
            Repr::Array(value) => self.row_in_pattern(value, &irregular[1..]),
            Repr::Scalar(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert => {
                panic!("imp_gen: an irregular row that is no array")
            }
        };
        let at = slice[0].clone();
        self.gather(name, array.prim, &lead, &tail, "update", &mut |this, each| {
            let i = this.code.new_i64("i");
            this.code.open();
            let (replaced, new) = match &at {
                At::Fix(index) => (Exp::Var(i).eq(index.clone()), None),
                At::Slice { start, count, stride } => {
                    let from_start = this.code.bind("k", Exp::Var(i).sub(start.clone()));
                    let k = Exp::bin(BinOp::Quot, Prim::I64, from_start, stride.clone());
                    let k = this.code.bind("k", k);
                    let hit = Exp::Var(k).mul(stride.clone()).eq(from_start);
                    let inside = Exp::i64(0).le(k).and(Exp::Var(k).lt(count.clone()));
                    (hit.and(inside), Some(k))
                }
            };
            let replaced = this.code.bind("replaced", replaced);
            this.code.open();
            match new {
                None => each(this, Rows::One(value.clone())),
                Some(k) => {
                    let first = Exp::Var(k).mul(value.lead[0].stride.clone());
                    let first = this.code.atom("first", first);
                    each(this, Rows::Range { array: value.clone(), first, count: Exp::i64(1) });
                }
            }
            let then = this.code.close();
            this.code.open();
            let first = this.code.atom("first", Exp::Var(i).mul(array.lead[0].stride.clone()));
            each(this, Rows::Range { array: array.clone(), first, count: Exp::i64(1) });
            let els = this.code.close();
            this.code.if_(replaced, then, els);
            let body = this.code.close();
            this.code.for_(i, 0, array.length(), LoopForm::Plain, body);
        })
    }

    /// Write a regular part of a regular row.
    fn write(&mut self, row: &Array, slice: &[At], value: &Repr) {
        match value {
            Repr::Scalar(value) => {
                let indices: Vec<Exp> = slice
                    .iter()
                    .map(|at| match at {
                        At::Fix(index) => index.clone(),
                        At::Slice { .. } => panic!("imp_gen: a scalar for a slice"),
                    })
                    .collect();
                self.store(row, &indices, value.clone());
            }
            Repr::Array(value) => match self.part_of(row, slice).pop() {
                Some(Repr::Array(place)) => self.copy_into(&place, value),
                _ => panic!("imp_gen: an array for an element"),
            },
            Repr::Acc(_) | Repr::Region(_) | Repr::Cert => panic!("imp_gen: an update with no value"),
        }
    }

    /// Write the element that all indices lead to.
    fn write_element(&mut self, array: &Array, slice: &[At], value: Exp) {
        let mut rows = self.part_of(array, &slice[..slice.len() - 1]);
        let (Some(Repr::Array(row)), Some(At::Fix(index))) = (rows.pop(), slice.last()) else {
            panic!("imp_gen: an element of no row")
        };
        self.store(&row, std::slice::from_ref(index), value);
    }
}
