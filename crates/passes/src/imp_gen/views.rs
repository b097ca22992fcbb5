//! Parts of arrays and other views: the same memory under another layout.
//!
//! ```text
//! index xss [i]            a pointer to the row, without the first dimension
//! index xss [0:n:2, j]     the same pointer with another stride and start
//! rearrange xss (1, 0)     the strides change places
//! reshape xss 2 (n*m)      if the dimensions follow each other in memory; else of a copy
//! ```
//!
//! Nothing is computed but where the view begins. Two views have no layout and are copies: what takes something out of each of several irregular
//! rows (`column`), and another shape of what does not lie in one piece. What a kernel stores transposed, because it is transposed at once (`device::layouts`), is row-major afterwards.

use super::repr::{Array, Lead, Repr};
use super::short_circuit::Reserved;
use super::state::{Gen, Where};
use norn_ir::imp::{Elem, Exp, LoopForm, Prim};
use norn_ir::nest::{Atom, Dim, DimIndex, Var};

impl Gen<'_> {
    /// What a lambda takes of an input at this index: an element, a row, or for irregular rows length and row.
    pub fn row(&mut self, array: &Array, index: Exp) -> Vec<Repr> {
        self.part_of(array, &[At::Fix(index)])
    }

    pub fn index(&mut self, vars: &[Var], array: Var, slice: &[DimIndex]) {
        let is_sum = self.at == Where::Host && self.sums.contains(&array);
        let array = self.array(array);
        let slice: Vec<At> = slice.iter().map(|dim| self.at(dim)).collect();
        let parts = if self.is_column(&array, &slice) {
            vec![self.column(vars[vars.len() - 1], &array, &slice)]
        } else {
            self.part_of(&array, &slice)
        };
        for (var, part) in vars.iter().zip(parts) {
            if let (true, Repr::Scalar(sum)) = (is_sum, &part) {
                self.refuse_uncounted(sum);
            }
            self.bind(*var, part);
        }
    }

    pub fn at(&self, dim: &DimIndex) -> At {
        match dim {
            DimIndex::Fix(index) => At::Fix(self.scalar(*index)),
            DimIndex::Slice { start, count, stride } => At::Slice {
                start: self.scalar(*start),
                count: self.scalar(*count),
                stride: self.scalar(*stride),
            },
        }
    }

    /// Whether a slice keeps a dimension and goes on into irregular rows: such a part has no layout.
    pub fn is_column(&self, array: &Array, slice: &[At]) -> bool {
        slice.len() > array.lead.len() && slice[..array.lead.len()].iter().any(At::is_slice)
    }

    /// An element, a view, or for a whole irregular row its length and the view.
    pub fn part_of(&mut self, array: &Array, slice: &[At]) -> Vec<Repr> {
        if matches!(self.at, Where::Thread | Where::Group)
            && array.is_regular()
            && slice.len() == array.lead.len()
            && let Some(indices) = slice.iter().map(At::fixed).collect::<Option<Vec<Exp>>>()
        {
            // By its index, which is clearer to whoever compiles it.
            let at = self.element_index(array, &indices);
            let element = self.element(array, at);
            if self.at == Where::Group {
                self.note_read();
            }
            return vec![Repr::Scalar(self.code.bind("element", element).into())];
        }
        let (here, inside) = slice.split_at(slice.len().min(array.lead.len()));
        let view = self.slice_lead(array, here);
        if !view.lead.is_empty() {
            return vec![Repr::Array(view)];
        }
        if view.is_regular() {
            let element = self.element(&view, Exp::i64(0));
            return vec![Repr::Scalar(self.code.bind("element", element).into())];
        }
        let (length, row) = self.open_row(&view);
        if inside.is_empty() {
            return vec![Repr::Scalar(length), Repr::Array(row)];
        }
        self.part_of(&row, inside)
    }

    /// Slice or fix some of the leading dimensions.
    fn slice_lead(&mut self, array: &Array, slice: &[At]) -> Array {
        let mut view = array.clone();
        let mut start = Exp::i64(0);
        let mut kept: Vec<Kept> = Vec::new();
        for (dim, lead) in array.lead.iter().enumerate() {
            match slice.get(dim) {
                Some(At::Fix(index)) => start = start.add(index.clone().mul(lead.stride.clone())),
                Some(At::Slice { start: first, count, stride }) => {
                    // Where nothing is taken may be outside; but where rows begin and end is read, even of none.
                    let first = match array.is_regular() || first.as_i64() == Some(0) {
                        true => first.clone(),
                        false => {
                            let none = count.clone().eq(0);
                            self.code.atom("first", Exp::select(none, Exp::i64(0), first.clone()))
                        }
                    };
                    start = start.add(first.clone().mul(lead.stride.clone()));
                    let step = stride.as_i64() == Some(1);
                    let whole = step && first.as_i64() == Some(0) && *count == lead.size;
                    let stride = self.code.atom("stride", lead.stride.clone().mul(stride.clone()));
                    kept.push(Kept { dim, lead: Lead { size: count.clone(), stride }, step, whole });
                }
                None => kept.push(Kept { dim, lead: lead.clone(), step: true, whole: true }),
            }
        }
        view.row_major_from = row_major_from(array, &kept);
        view.lead = kept.into_iter().map(|kept| kept.lead).collect();
        if let Some(counted) = &mut view.counted {
            counted.start = self.code.atom("first", counted.element(array.prim, start));
            return view;
        }
        let (part, elem) = match view.offsets.first_mut() {
            Some(offsets) => (offsets, Elem::Prim(Prim::I64)),
            None => (&mut view.data, Elem::Prim(array.prim)),
        };
        part.ptr = self.code.atom("view", Exp::offset(elem, part.ptr.clone(), start));
        view
    }

    /// The row that an irregular array without leading dimensions is: its length and its elements.
    pub fn open_row(&mut self, view: &Array) -> (Exp, Array) {
        let i64 = Elem::Prim(Prim::I64);
        let offsets = view.offsets[0].ptr.clone();
        let start = self.offset_at(offsets.clone(), Exp::i64(0));
        let start = self.code.bind("start", start);
        let end = self.offset_at(offsets, Exp::i64(1));
        let length: Exp = self.code.bind("length", end.sub(start)).into();
        let next = view.tail[1..].iter().position(Option::is_none).map_or(view.tail.len(), |at| at + 1);
        let mut sizes = vec![length.clone()];
        sizes.extend(view.tail[1..next].iter().flatten().cloned());
        let lead = self.row_major_lead(&sizes);
        let first = Exp::Var(start).mul(lead[0].stride.clone());
        let mut row = Array {
            prim: view.prim,
            lead,
            row_major_from: 0,
            tail: view.tail[next..].to_vec(),
            offsets: view.offsets[1..].to_vec(),
            data: view.data.clone(),
            counted: None,
        };
        let (part, elem) = match row.offsets.first_mut() {
            Some(offsets) => (offsets, i64),
            None => (&mut row.data, Elem::Prim(view.prim)),
        };
        part.ptr = self.code.atom("row", Exp::offset(elem, part.ptr.clone(), first));
        (length, row)
    }

    /// A part that takes something out of each of several irregular rows, gathered into memory of its own.
    fn column(&mut self, var: Var, array: &Array, slice: &[At]) -> Repr {
        let sizes = self.sizes(self.ty(var).dims());
        let sizes: Vec<Exp> = sizes.into_iter().flatten().collect();
        if sizes.len() != self.ty(var).rank() {
            return self.unsupported("a slice of several irregular rows that is irregular itself", var);
        }
        let result = self.new_array(var, array.prim, &sizes, "slice");
        let (here, inside) = slice.split_at(array.lead.len());
        let mut fixed = Vec::with_capacity(slice.len());
        let mut loops = Vec::new();
        let mut place = Vec::new();
        for at in here {
            match at {
                At::Fix(_) => fixed.push(at.clone()),
                At::Slice { start, count, stride } => {
                    let i = self.code.new_i64("i");
                    self.code.open();
                    let index = start.clone().add(Exp::Var(i).mul(stride.clone()));
                    fixed.push(At::Fix(self.code.atom("index", index)));
                    place.push(At::Fix(i.into()));
                    loops.push((i, count.clone()));
                }
            }
        }
        fixed.extend_from_slice(inside);
        let value = self.part_of(array, &fixed).pop().expect("imp_gen: a part of nothing");
        match value {
            Repr::Scalar(value) => {
                let indices: Vec<Exp> = loops.iter().map(|(i, _)| Exp::Var(*i)).collect();
                self.store(&result, &indices, value);
            }
            Repr::Array(row) => {
                let place = self.slice_lead(&result, &place);
                self.copy_into(&place, &row);
            }
            Repr::Acc(_) | Repr::Region(_) | Repr::Cert => panic!("imp_gen: an array of no values"),
        }
        for (i, count) in loops.into_iter().rev() {
            let body = self.code.close();
            self.code.for_(i, 0, count, LoopForm::Plain, body);
        }
        Repr::Array(result)
    }

    pub fn reshape(&mut self, var: Var, array: Var, old: usize, new: &[Atom]) {
        let array = self.array(array);
        let sizes: Vec<Exp> = new.iter().map(|size| self.scalar(*size)).collect();
        let view = if array.is_row_major() { None } else { self.reshaped_view(&array, old, &sizes) };
        if let Some(view) = view {
            return self.bind(var, Repr::Array(view));
        }
        let array = self.in_row_major(array);
        let mut sizes = sizes;
        sizes.extend(array.lead[old..].iter().map(|lead| lead.size.clone()));
        let lead = self.row_major_lead(&sizes);
        self.bind(var, Repr::Array(Array { lead, ..array }));
    }

    /// Without a copy, where the dimensions that change follow each other in memory at one distance: those before them stay as they are.
    fn reshaped_view(&mut self, array: &Array, old: usize, sizes: &[Exp]) -> Option<Array> {
        let (changed, kept) = array.lead.split_at(old);
        let same = changed.iter().zip(sizes).take_while(|(lead, size)| lead.size == **size).count();
        if same == old && same == sizes.len() {
            return Some(array.clone());
        }
        let last = changed[same..].last()?;
        let follows = |pair: &[Lead]| pair[0].stride == pair[1].stride.clone().mul(pair[1].size.clone());
        if !array.is_regular() || !changed[same..].windows(2).all(follows) {
            return None;
        }
        let mut lead = changed[..same].to_vec();
        for Lead { size, stride } in self.row_major_lead(&sizes[same..]) {
            let stride = self.code.atom("stride", stride.mul(last.stride.clone()));
            lead.push(Lead { size, stride });
        }
        lead.extend_from_slice(kept);
        let row_major_from = match array.row_major_from {
            from if from <= same => from,
            from if from < old => same,
            from => sizes.len() + from - old,
        };
        Some(Array { lead, row_major_from, ..array.clone() })
    }

    pub fn rearrange(&mut self, var: Var, array: Var, perm: &[usize]) {
        let made = self.made_transposed.get(&array).cloned();
        self.places.remove(&array);
        let reserved = self.reserved.remove(&var);
        let (operand, array) = (array, self.array(array));
        if let Some(Reserved { array: whole, parts }) = reserved {
            if parts.get(&operand).is_none_or(|place| place.data.ptr != array.data.ptr) {
                let transposed = array.lead_in_order(perm);
                self.copy_into(&whole, &transposed.borrowed());
            }
            return self.bind(var, Repr::Array(whole));
        }
        if let Some(lead) = made {
            return self.bind(var, Repr::Array(Array { lead, row_major_from: 0, ..array }));
        }
        let moved = perm.iter().enumerate().filter(|(i, from)| i != *from).map(|(i, _)| i);
        let Some(last) = moved.clone().max() else { return self.bind(var, Repr::Array(array)) };
        if last >= array.lead.len() {
            let result = self.rearrange_tail(&array, perm);
            return self.bind(var, Repr::Array(result));
        }
        let lead = array.lead_in_order(perm).lead;
        // What was transposed may have been transposed back.
        let is_row_major = array.is_regular()
            && lead.last().is_some_and(|last| last.stride.as_i64() == Some(1))
            && lead.windows(2).all(|pair| pair[0].stride == pair[1].stride.clone().mul(pair[1].size.clone()));
        let row_major_from = if is_row_major { 0 } else { array.row_major_from.max(last + 1) };
        self.bind(var, Repr::Array(Array { lead, row_major_from, ..array }));
    }

    pub fn coerce(&mut self, var: Var, array: Var, dims: &[Dim]) {
        let array = self.array(array);
        let sizes = self.sizes(dims);
        let array = self.with_sizes(&array, &sizes);
        self.bind(var, Repr::Array(array));
    }

    pub fn flat_index(&mut self, var: Var, array: Var, offset: Atom, dims: &[(Atom, Atom)]) {
        let array = self.array(array);
        let strides: Vec<Atom> = dims.iter().map(|(_, stride)| *stride).collect();
        let counts: Vec<Exp> = dims.iter().map(|(count, _)| self.scalar(*count)).collect();
        let view = self.flat_view(&array, offset, &strides, &counts);
        self.bind(var, Repr::Array(view));
    }

    pub fn flat_update(&mut self, var: Var, array: Var, offset: Atom, strides: &[Atom], value: Var) {
        let (array, value) = (self.array(array), self.array(value));
        let counts: Vec<Exp> = value.lead[..strides.len()].iter().map(|lead| lead.size.clone()).collect();
        let view = self.flat_view(&array, offset, strides, &counts);
        self.copy_into(&view, &value);
        self.bind(var, Repr::Array(array));
    }

    /// A view with these dimensions in place of the first one.
    fn flat_view(&mut self, array: &Array, offset: Atom, strides: &[Atom], counts: &[Exp]) -> Array {
        let first = array.lead[0].stride.clone();
        let offset = self.scalar(offset).mul(first.clone());
        let mut view = array.clone();
        let ptr = Exp::offset(Elem::Prim(array.prim), array.data.ptr.clone(), offset);
        view.data.ptr = self.code.atom("view", ptr);
        view.lead.clear();
        for (size, stride) in counts.iter().zip(strides) {
            let stride = self.scalar(*stride).mul(first.clone());
            let stride = self.code.atom("stride", stride);
            view.lead.push(Lead { size: size.clone(), stride });
        }
        view.lead.extend_from_slice(&array.lead[1..]);
        view.row_major_from = counts.len() + array.row_major_from.saturating_sub(1);
        view
    }
}

/// What is taken of a dimension.
#[derive(Clone, Debug)]
pub enum At {
    Fix(Exp),
    Slice { start: Exp, count: Exp, stride: Exp },
}

impl At {
    fn fixed(&self) -> Option<Exp> {
        match self {
            At::Fix(index) => Some(index.clone()),
            At::Slice { .. } => None,
        }
    }

    pub fn is_slice(&self) -> bool {
        match self {
            At::Fix(_) => false,
            At::Slice { .. } => true,
        }
    }
}

/// A dimension that remains.
struct Kept {
    /// Which it was.
    dim: usize,
    lead: Lead,
    /// Neighbours stay neighbours.
    step: bool,
    whole: bool,
}

/// From which of the dimensions that remain on the view is row-major.
fn row_major_from(array: &Array, kept: &[Kept]) -> usize {
    let mut from = kept.len();
    let mut next: Option<&Kept> = None;
    for (at, this) in kept.iter().enumerate().rev() {
        let follows = match next {
            None => this.dim + 1 == array.lead.len(),
            Some(next) => this.dim + 1 == next.dim && next.whole,
        };
        if !(follows && this.step && array.row_major_from <= this.dim) {
            break;
        }
        from = at;
        next = Some(this);
    }
    from
}
