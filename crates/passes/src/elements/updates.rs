//! Rows of an irregular array are replaced: in place if they keep their lengths; otherwise all rows are concatenated into a new array.
//!
//! ```text
//! let r: [n][?]f32 = update xss [i] row                 // k elements
//! ```
//! becomes
//! ```text
//! let old: i64, _ = index xss [i]
//! let same: bool = eq.i64 old k
//! let r: [n][?]f32 = if same {
//!   let r: [n][?]f32 = update xss [i] row               // in place
//!   in r
//! } else {
//!   .. segment, by other lengths, what is before the row, the row, and what is behind it ..
//! }
//! ```
//!
//! In the source, rows keep their lengths, and a check ensures it; then there is only the update. The payloads of sums, which are rows of
//! different lengths, may change theirs.

use super::Elements;
use super::rows::i64s;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, Check, ControlExp, Dim, DimIndex, Exp, Lambda, Operator, Prim, Reduction,
    Scalar, Stm, Type, Var,
};

impl Elements {
    /// Records what the statement reveals about lengths of rows.
    pub fn note_checked(&mut self, stm: &Stm) {
        match (&stm.exp, &stm.vars[..]) {
            (Exp::Array(ArrayExp::Index { array, slice }), [length, _]) => {
                if let [DimIndex::Fix(at)] = slice[..] {
                    self.checked.row_of.insert(*length, (*array, at));
                }
            }
            (Exp::Control(ControlExp::Check(Check::Size { expected, found })), [cert]) => {
                self.checked.equal.insert(*cert, (*expected, *found));
            }
            _ => {}
        }
    }

    /// Whether a check ensures that a row has this length.
    fn keeps_length(&self, stm: &Stm, array: Var, at: Atom, length: Atom) -> bool {
        let is_row =
            |size: Atom| size.var().and_then(|size| self.checked.row_of.get(&size)) == Some(&(array, at));
        stm.certs
            .iter()
            .filter_map(|cert| self.checked.equal.get(cert))
            .any(|(one, other)| is_row(*one) && *other == length || is_row(*other) && *one == length)
    }

    /// Whether the statement, which replaces rows, has been replaced.
    pub fn replace_rows(&mut self, stm: &Stm, array: Var, at: &DimIndex, value: Var) -> bool {
        let ty = self.names.ty(array).clone();
        let rows = ty.dims()[0].atom().unwrap_or(Atom::i64(0));
        let DimIndex::Fix(row) = *at else { return self.replace_several(stm, array, at, value) };
        let length = self.names.ty(value).dims()[0].atom().unwrap_or(Atom::i64(0));
        if self.keeps_length(stm, array, row, length) {
            return false;
        }
        let old = self.names.row_params(array);
        let taken = self.stm(old.clone(), Exp::index(array, vec![at.clone()]));
        self.out.push(Stm { certs: stm.certs.clone(), ..taken });
        let old: Atom = old[0].into();
        let same = self.emit("same", Type::bool(), Exp::bin(BinOp::Eq, Prim::I64, old, length));
        let in_place = self.in_place(stm);
        let outer = std::mem::take(&mut self.out);
        let lengths = self.own_lengths(array, rows);
        let ends = self.emit("ends", i64s(rows), Exp::Array(ArrayExp::Ends(lengths)));
        let end: Atom = self.emit("end", Type::i64(), Exp::index(ends, vec![at.clone()])).into();
        let start = self.minus("start", end, old);
        let copy = self.emit("lengths", i64s(rows), Exp::copy(lengths));
        let exp = Exp::Array(ArrayExp::Update { array: copy, slice: vec![at.clone()], value: length });
        let lengths = self.emit("lengths", i64s(rows), exp);
        let again = self.assemble(&ty, array, [start, end], (length, value), lengths);
        let els = Body { stms: std::mem::replace(&mut self.out, outer), result: vec![again.into()] };
        self.bind(stm.vars.clone(), Exp::if_(same.into(), in_place, els));
        true
    }

    fn replace_several(&mut self, stm: &Stm, array: Var, at: &DimIndex, value: Var) -> bool {
        let DimIndex::Slice { start, count, .. } = at else { return false };
        let ty = self.names.ty(array).clone();
        let rows = ty.dims()[0].atom().unwrap_or(Atom::i64(0));
        let part_ty = ty.with_dims([&[Dim::Size(*count)], &ty.dims()[1..]].concat());
        let part = self.names.fresh("rows", part_ty);
        let taken = self.stm(vec![part], Exp::index(array, vec![at.clone()]));
        self.out.push(Stm { certs: stm.certs.clone(), ..taken });
        let (old, new) = (self.own_lengths(part, *count), self.own_lengths(value, *count));
        let [a, b] = [(); 2].map(|()| self.names.fresh("length", Type::i64()));
        let equal = self.names.fresh("equal", Type::bool());
        let body = Body {
            stms: vec![self.stm(vec![equal], Exp::bin(BinOp::Eq, Prim::I64, a.into(), b.into()))],
            result: vec![equal.into()],
        };
        let exp = Exp::Op(Operator::Fused {
            width: *count,
            inputs: vec![old, new],
            lambda: Lambda::new(vec![a, b], body),
            scans: Vec::new(),
            reductions: vec![self.all_hold()],
        });
        let same = self.emit("same", Type::bool(), exp);
        let in_place = self.in_place(stm);
        let outer = std::mem::take(&mut self.out);
        let lengths = self.own_lengths(array, rows);
        let ends = self.emit("ends", i64s(rows), Exp::Array(ArrayExp::Ends(lengths)));
        let behind: Atom =
            self.emit("behind", Type::i64(), Exp::bin(BinOp::Add, Prim::I64, *start, *count)).into();
        let places = [*start, behind].map(|row| self.end_before(ends, row));
        let copy = self.emit("lengths", i64s(rows), Exp::copy(lengths));
        let exp = Exp::Array(ArrayExp::Update { array: copy, slice: vec![at.clone()], value: new.into() });
        let lengths = self.emit("lengths", i64s(rows), exp);
        let (total, all) = self.own_elements(value);
        let again = self.assemble(&ty, array, places, (total, all), lengths);
        let els = Body { stms: std::mem::replace(&mut self.out, outer), result: vec![again.into()] };
        self.bind(stm.vars.clone(), Exp::if_(same.into(), in_place, els));
        true
    }

    fn all_hold(&mut self) -> Reduction {
        let [x, y, z] = [(); 3].map(|()| self.names.fresh("holds", Type::bool()));
        let body = Body {
            stms: vec![self.stm(vec![z], Exp::bin(BinOp::And, Prim::Bool, x.into(), y.into()))],
            result: vec![z.into()],
        };
        let neutral = vec![Atom::Const(Scalar::Bool(true))];
        Reduction { lambda: Lambda::new(vec![x, y], body), neutral, commutative: true }
    }

    fn in_place(&mut self, stm: &Stm) -> Body {
        let vars = self.names.like(&stm.vars);
        let result = vars.iter().map(|var| (*var).into()).collect();
        Body { stms: vec![Stm { vars, ..stm.clone() }], result }
    }

    /// Of an array that may be overwritten, so that nothing is noted.
    fn own_lengths(&mut self, array: Var, rows: Atom) -> Var {
        self.emit("lengths", i64s(rows), Exp::Array(ArrayExp::Lengths(array)))
    }

    fn own_elements(&mut self, array: Var) -> (Atom, Var) {
        let total = self.names.fresh("total", Type::i64());
        let ty = self.names.ty(array).clone();
        let all = ty.with_dims([&[Dim::size(total)], &ty.dims()[2..]].concat());
        let all = self.names.fresh(&self.names.name(array), all);
        self.bind(vec![total, all], Exp::Array(ArrayExp::JoinRows(array)));
        (total.into(), all)
    }

    fn minus(&mut self, name: &str, x: Atom, y: Atom) -> Atom {
        self.emit(name, Type::i64(), Exp::bin(BinOp::Sub, Prim::I64, x, y)).into()
    }

    /// Where the row with this number begins, which may be the one behind the last.
    fn end_before(&mut self, ends: Var, row: Atom) -> Atom {
        let some = self.emit("some", Type::bool(), Exp::bin(BinOp::Lt, Prim::I64, Atom::i64(0), row));
        let outer = std::mem::take(&mut self.out);
        let before = self.minus("before", row, Atom::i64(1));
        let end = self.emit("end", Type::i64(), Exp::index(ends, vec![DimIndex::Fix(before)]));
        let then = Body { stms: std::mem::replace(&mut self.out, outer), result: vec![end.into()] };
        let els = Body { stms: Vec::new(), result: vec![Atom::i64(0)] };
        self.emit("place", Type::i64(), Exp::if_(some.into(), then, els)).into()
    }

    /// An array with rows of these lengths: the elements of `array`, of which those between two places are replaced by `value`.
    fn assemble(
        &mut self,
        ty: &Type,
        array: Var,
        [start, end]: [Atom; 2],
        (count, value): (Atom, Var),
        lengths: Var,
    ) -> Var {
        let (total, all) = self.own_elements(array);
        let rest = self.minus("rest", total, end);
        let part = |this: &mut Self, start: Atom, count: Atom| {
            let part = ty.with_dims([&[Dim::Size(count)], &ty.dims()[2..]].concat());
            let slice = vec![DimIndex::Slice { start, count, stride: Atom::i64(1) }];
            this.emit("part", part, Exp::index(all, slice))
        };
        let before = part(self, Atom::i64(0), start);
        let behind = part(self, end, rest);
        let sum = |this: &mut Self, x: Atom, y: Atom| -> Atom {
            this.emit("size", Type::i64(), Exp::bin(BinOp::Add, Prim::I64, x, y)).into()
        };
        let size = sum(self, start, count);
        let size = sum(self, size, rest);
        let joined = ty.with_dims([&[Dim::Size(size)], &ty.dims()[2..]].concat());
        let arrays = vec![before, value, behind];
        let joined = self.emit("all", joined, Exp::Array(ArrayExp::Concat { arrays, size }));
        self.emit("rows", ty.clone(), Exp::segment(lengths, joined))
    }
}
