//! Conversions between representations of one type. Where values meet (branches, loops, elements of arrays), a common representation is found (`join`), and each value is converted to it (`coerce`).
//!
//! ```text
//! if c then \x -> x + a else \x -> x * b      join: a class with two members; coerce: a tag, and columns for a and b
//! if c then xs: [n]i32 else ys: [?]i32        join: [?]i32; coerce: xs as an irregular row
//! ```
//!
//! Converting an array converts its elements, by a map (`map_rows`). Columns of the member or constructor that a value does not have are filled with blanks (`blank`). A representation is never made less general: where a
//! class would know too much about captured functions, these become classes, too (`bounded_knowledge`).

use crate::classes::{ClassId, Place};
use crate::lower::Lower;
use crate::mono::{Mono, MonoSize};
use crate::rep::{FnRep, Rep};
use crate::value::{Layout, Value, tag_of};
use norn_base::Span;
use norn_ir::nest::{Atom, CellExp, Dim, Elem, Exp, Lambda, Scalar, Type, Var};
use std::rc::Rc;

impl Lower<'_> {
    /// A representation that both can be converted to.
    pub fn join(&mut self, a: &Rep, b: &Rep, place: &Place, part: &mut usize) -> Rep {
        self.classes.join(a, b, place, part)
    }

    /// With classes instead of known functions: what may change from iteration to iteration.
    pub fn dynamic(&mut self, r: &Rep, place: &Place, part: &mut usize) -> Rep {
        match r {
            Rep::Prim(_) | Rep::Data(_) => r.clone(),
            Rep::Dyn(_) => {
                *part += 1;
                r.clone()
            }
            Rep::Record(fields) => {
                Rep::Record(fields.iter().map(|(f, r)| (*f, self.dynamic(r, place, part))).collect())
            }
            Rep::Sum(sum) => Rep::Sum(sum.map(&mut |r| self.dynamic(r, place, part))),
            Rep::Array(irregular, elem) => Rep::Array(*irregular, Rc::new(self.dynamic(elem, place, part))),
            Rep::Acc(elem) => Rep::Acc(Rc::new(self.dynamic(elem, place, part))),
            Rep::Fn(_) => {
                *part += 1;
                Rep::Dyn(self.classes.at(place, *part - 1))
            }
        }
    }

    /// What an element of an array can be: every part must have a column.
    pub fn element(&mut self, r: &Rep, place: &Place, part: &mut usize) -> Rep {
        match r {
            Rep::Prim(_) | Rep::Data(_) | Rep::Dyn(_) | Rep::Acc(_) => r.clone(),
            Rep::Record(fields) => {
                Rep::Record(fields.iter().map(|(f, r)| (*f, self.element(r, place, part))).collect())
            }
            Rep::Sum(sum) => Rep::Sum(sum.map(&mut |r| self.element(r, place, part))).as_element(),
            Rep::Array(irregular, elem) => Rep::Array(*irregular, Rc::new(self.element(elem, place, part))),
            Rep::Fn(_) if self.width(r) > 0 => r.clone(),
            Rep::Fn(_) => self.dynamic(r, place, part),
        }
    }

    /// With the irregular dimensions that a type has.
    pub fn irregular_as(&self, r: &Rep, m: &Mono) -> Rep {
        match (r, m) {
            (Rep::Record(fields), Mono::Record(ms)) if fields.len() == ms.len() => Rep::Record(
                fields.iter().zip(ms.iter()).map(|((f, r), (_, m))| (*f, self.irregular_as(r, m))).collect(),
            ),
            (Rep::Sum(sum), Mono::Sum(ms)) if sum.constrs.len() == ms.len() => {
                let mut slots = sum.slots.clone();
                for ((_, places), (_, ms)) in sum.constrs.iter().zip(ms.iter()) {
                    for (slot, m) in places.iter().zip(ms) {
                        slots[*slot] = self.irregular_as(&slots[*slot], m);
                    }
                }
                sum.with_slots(slots)
            }
            (Rep::Array(irregular, elem), Mono::Array(s, m)) => {
                Rep::Array(*irregular || *s == MonoSize::Irregular, Rc::new(self.irregular_as(elem, m)))
            }
            _ => r.clone(),
        }
    }

    /// The same value in another representation of its type.
    pub fn coerce(&mut self, v: Value, target: &Rep, span: Span) -> Value {
        let target = &self.classes.canonical(target);
        if self.classes.canonical(&v.rep) == *target {
            return Value { rep: target.clone(), cols: v.cols };
        }
        match (&v.rep, target) {
            (Rep::Record(_), Rep::Record(targets)) => {
                let fields = self.fields(&v);
                let cols = fields
                    .into_iter()
                    .zip(targets.iter())
                    .flat_map(|((_, v), (_, t))| self.coerce(v, t, span).cols)
                    .collect();
                Value { rep: target.clone(), cols }
            }
            (Rep::Sum(sum), Rep::Sum(targets)) => {
                let (tag, slots) = self.slots(sum, &v);
                let mut cols = vec![tag];
                for (v, t) in slots.into_iter().zip(&targets.slots) {
                    cols.extend(self.coerce(v, t, span).cols);
                }
                Value { rep: target.clone(), cols }
            }
            (Rep::Array(..), Rep::Array(..)) if needs_size(&v.rep, target, 0) => {
                let message = "Rows of different lengths come where rows of one length are needed.";
                self.unsupported(span, message);
                self.blank(target, None, span)
            }
            (Rep::Array(..), Rep::Array(..)) if differ_in_regularity(&v.rep, target) => {
                let dims = self.dims(&v);
                let kept = self.kept_dims(&v.rep, target, &dims);
                let types = self.types_of_sizes(target, &kept);
                let cols = v.cols.into_iter().zip(types).map(|(c, t)| self.with_type(c, t, span)).collect();
                Value { rep: target.clone(), cols }
            }
            (Rep::Array(..), Rep::Array(_, row)) => {
                let row = row.open();
                self.map_rows(v, span, |l, elem| l.coerce(elem, &row, span), target)
            }
            (Rep::Fn(f), Rep::Fn(g)) => {
                let reps: Vec<Rep> = f.parts().cloned().collect();
                let targets: Vec<Rep> = g.parts().cloned().collect();
                let mut cols = v.cols[..f.holes].to_vec();
                for (part, t) in self.parts(&reps, &v.cols[f.holes..]).into_iter().zip(&targets) {
                    cols.extend(self.coerce(part, t, span).cols);
                }
                Value { rep: target.clone(), cols }
            }
            (Rep::Fn(f), Rep::Dyn(class)) => {
                let f = f.clone();
                self.enter_class(v, &f, *class, span)
            }
            // Two classes that will be one in the next round.
            (Rep::Dyn(c), Rep::Dyn(d)) => {
                self.classes.unite(*c, *d);
                self.blank(target, None, span)
            }
            _ => Value { rep: target.clone(), cols: v.cols },
        }
    }

    /// An array column under another type of the same elements.
    pub fn with_type(&mut self, col: Atom, ty: Type, span: Span) -> Atom {
        if self.b.atom_ty(col) == ty {
            return col;
        }
        let Atom::Var(array) = col else { return col };
        let exp = Exp::coerce(array, ty.dims().to_vec());
        let name = self.b.name(array).to_string();
        self.b.emit1(&name, ty, exp, span).into()
    }

    /// Of the dimensions of a value, those that a more irregular representation has too.
    pub fn kept_dims(&self, from: &Rep, to: &Rep, dims: &[Atom]) -> Vec<Atom> {
        let marks: Vec<MonoSize> = dims.iter().map(|a| MonoSize::Atom(*a)).collect();
        let mut marks = marks.into_iter();
        let mut out = Vec::new();
        self.keep(from, to, 0, &mut marks, &mut out);
        out
    }

    fn keep(
        &self,
        from: &Rep,
        to: &Rep,
        depth: usize,
        dims: &mut dyn Iterator<Item = MonoSize>,
        out: &mut Vec<Atom>,
    ) {
        match (from, to) {
            (Rep::Array(i, x), Rep::Array(j, y)) => {
                let had = if depth == 0 || !i { dims.next() } else { None };
                if depth == 0 || !j {
                    match had {
                        Some(MonoSize::Atom(a)) => out.push(a),
                        _ => panic!("lower: {from:?} has no size for {to:?}"),
                    }
                }
                self.keep(x, y, depth + 1, dims, out);
            }
            (Rep::Record(xs), Rep::Record(ys)) => {
                xs.iter().zip(ys.iter()).for_each(|((_, x), (_, y))| self.keep(x, y, depth, dims, out));
            }
            (Rep::Sum(x), Rep::Sum(y)) => {
                x.slots.iter().zip(&y.slots).for_each(|(x, y)| self.keep(x, y, depth, dims, out));
            }
            (Rep::Fn(f), Rep::Fn(g)) => {
                f.parts().zip(g.parts()).for_each(|(x, y)| self.keep(x, y, depth, dims, out));
            }
            (Rep::Acc(x), Rep::Acc(y)) => self.keep(x, y, depth, dims, out),
            _ => {
                for _ in 0..self.dims_at(from, depth) {
                    if let Some(MonoSize::Atom(a)) = dims.next() {
                        out.push(a);
                    }
                }
            }
        }
    }

    fn dims_at(&self, r: &Rep, depth: usize) -> usize {
        if depth == 0 {
            return self.dim_count(r);
        }
        // Inside an array: as part of one.
        self.dim_count(&Rep::Array(false, Rc::new(r.clone()))) - 1
    }

    /// An array made by a function of each element; the rows have the kind that `target` says.
    pub fn map_rows(
        &mut self,
        v: Value,
        span: Span,
        f: impl FnOnce(&mut Self, Value) -> Value,
        target: &Rep,
    ) -> Value {
        let Rep::Array(_, elem) = v.rep.clone() else { panic!("lower: rows of {:?}", v.rep) };
        let width = self.dims(&v)[0];
        let inputs = self.array_vars(&v.cols);
        self.b.begin_body();
        let (params, row) = self.row_params(&v, &elem);
        let result = f(self, row);
        let Rep::Array(_, target_row) = target else { panic!("lower: rows for {target:?}") };
        let row_dims = self.dims(&result);
        // Sizes of the rows that exist outside are the regular ones.
        let kept = self.kept_dims_of_rows(&result.rep, target_row, &row_dims);
        let body = self.b.end_body(result.cols);
        let mut dims = vec![width];
        dims.extend(kept);
        let types = self.types_of_sizes(target, &dims);
        let exp = Exp::map(width, inputs, Lambda { params, body });
        let vars = self.b.emit("rows", types, exp, span);
        Value { rep: target.clone(), cols: vars.into_iter().map(Atom::Var).collect() }
    }

    fn kept_dims_of_rows(&self, row: &Rep, target_row: &Rep, dims: &[Atom]) -> Vec<Atom> {
        let from = Rep::Array(false, Rc::new(row.clone()));
        let to = Rep::Array(false, Rc::new(target_row.clone()));
        let mut all = vec![Atom::i64(0)];
        all.extend(dims);
        self.kept_dims(&from, &to, &all)[1..].to_vec()
    }

    /// Parameters of a lambda for an element of an array: with its length in front of each row that is
    /// irregular.
    pub fn row_params(&mut self, array: &Value, elem: &Rep) -> (Vec<Var>, Value) {
        let mut params = Vec::new();
        let mut cols = Vec::new();
        for col in &array.cols {
            let ty = self.b.atom_ty(*col);
            let mut row = ty.row().unwrap_or_else(|| panic!("lower: a row of {ty:?}"));
            if let Type::Value(_, dims) = &mut row
                && dims.first() == Some(&Dim::Irregular)
            {
                let k = self.b.new_var("k", Type::i64());
                params.push(k);
                dims[0] = Dim::Size(k.into());
            }
            let name = match col {
                Atom::Var(v) => self.b.name(*v).trim_end_matches('s').to_string(),
                Atom::Const(_) => "x".to_string(),
            };
            let p = self.b.new_var(if name.is_empty() { "x".into() } else { name }, row);
            params.push(p);
            cols.push(Atom::Var(p));
        }
        (params, Value { rep: elem.open(), cols })
    }

    pub fn array_vars(&self, cols: &[Atom]) -> Vec<Var> {
        cols.iter()
            .map(|c| match c {
                Atom::Var(v) => *v,
                Atom::Const(_) => panic!("lower: a constant where an array is needed"),
            })
            .collect()
    }

    /// A known function as a value of a class.
    fn enter_class(&mut self, v: Value, f: &FnRep, class: ClassId, span: Span) -> Value {
        let target = Rep::Dyn(class);
        let member = self.classes.canonical(&Rep::Fn(Rc::new(f.map(&mut Rep::all_irregular))));
        let Rep::Fn(function) = &member else { panic!("lower: a function became another thing") };
        let Some((at, member)) = self.classes.member(class, function) else {
            // Not known yet: this round is only for finding out.
            return self.blank(&target, None, span);
        };
        let member = Rep::Fn(member);
        let own = self.coerce(v, &member, span);
        match self.layout(class) {
            Layout::Cell(data) => {
                let cell = self.alloc(data, at, vec![own], span);
                Value { rep: target, cols: vec![cell] }
            }
            Layout::Inline(shape) => {
                let mut leaves = Vec::new();
                member.leaves(&mut leaves);
                let parts = self.parts(&leaves, &own.cols);
                let mut cols = vec![tag_of(at, shape.members.len())];
                for (i, slot) in shape.slots.iter().enumerate() {
                    match shape.places[at].iter().position(|place| *place == i) {
                        Some(leaf) => cols.extend(&parts[leaf].cols),
                        None => cols.extend(self.blank(slot, None, span).cols),
                    }
                }
                Value { rep: target, cols }
            }
        }
    }

    /// A function that has captured others, as far as these stay known: where it would know too much, what it
    /// has captured becomes classes.
    pub fn bounded_knowledge(&mut self, v: Value) -> Value {
        let Rep::Fn(f) = &v.rep else { return v };
        if !f.parts().any(Rep::has_fn) || self.classes.stays_known(f) {
            return v;
        }
        let place = Place::Captures(Rc::new(f.key()));
        let mut part = 0;
        let target = f.map(&mut |r| self.dynamic(r, &place, &mut part));
        let span = self.at;
        self.coerce(v, &Rep::Fn(Rc::new(target)), span)
    }

    /// Columns that do not matter. Arrays have the sizes that their type says, or none.
    pub fn blank(&mut self, rep: &Rep, mono: Option<&Mono>, span: Span) -> Value {
        let sizes: Vec<Atom> = self
            .known_dims(mono, rep)
            .into_iter()
            .map(|s| match s {
                MonoSize::Atom(a) => a,
                MonoSize::Hole(_) | MonoSize::Irregular | MonoSize::Unknown => Atom::i64(0),
            })
            .collect();
        self.check_sizes_at_least_zero(&sizes, &[], span);
        let types = self.types_of_sizes(rep, &sizes);
        let cols = types.into_iter().map(|t| self.blank_column(t, span)).collect();
        Value { rep: rep.clone(), cols }
    }

    pub fn blank_column(&mut self, ty: Type, span: Span) -> Atom {
        let Type::Value(elem, dims) = &ty else { panic!("lower: no blank of {ty:?}") };
        let mut atom = match elem {
            Elem::Prim(p) => Atom::Const(Scalar::zero(*p)),
            Elem::Ref(data, _) => self
                .b
                .emit1("null", Type::Value(*elem, Vec::new()), Exp::Cell(CellExp::Null(*data)), span)
                .into(),
        };
        let mut inner: Vec<Dim> = Vec::new();
        for dim in dims.iter().rev() {
            let count = match dim {
                Dim::Size(a) => *a,
                Dim::Irregular | Dim::Result(_) => Atom::i64(0),
            };
            inner.insert(0, Dim::Size(count));
            let exp = Exp::replicate(count, atom);
            atom = self.b.emit1("blank", Type::Value(*elem, inner.clone()), exp, span).into();
        }
        self.with_type(atom, ty, span)
    }
}

/// Whether two representations are the same but for which dimensions are irregular, at least one
/// of which is.
fn differ_in_regularity(a: &Rep, b: &Rep) -> bool {
    match (a, b) {
        (Rep::Prim(p), Rep::Prim(q)) => p == q,
        (Rep::Data(d), Rep::Data(e)) => d == e,
        (Rep::Record(xs), Rep::Record(ys)) => {
            xs.iter().zip(ys.iter()).all(|((_, x), (_, y))| differ_in_regularity(x, y))
        }
        (Rep::Sum(x), Rep::Sum(y)) => x.slots.iter().zip(&y.slots).all(|(x, y)| differ_in_regularity(x, y)),
        (Rep::Array(_, x), Rep::Array(_, y)) | (Rep::Acc(x), Rep::Acc(y)) => differ_in_regularity(x, y),
        (Rep::Fn(f), Rep::Fn(g)) => {
            f.same_code(g) && f.parts().zip(g.parts()).all(|(x, y)| differ_in_regularity(x, y))
        }
        (Rep::Dyn(c), Rep::Dyn(d)) => c == d,
        _ => false,
    }
}

/// Whether a dimension that varies would have to become one that does not.
fn needs_size(from: &Rep, to: &Rep, depth: usize) -> bool {
    match (from, to) {
        (Rep::Array(i, x), Rep::Array(j, y)) => (depth > 0 && *i && !*j) || needs_size(x, y, depth + 1),
        (Rep::Record(xs), Rep::Record(ys)) => {
            xs.iter().zip(ys.iter()).any(|((_, x), (_, y))| needs_size(x, y, depth))
        }
        (Rep::Sum(x), Rep::Sum(y)) => x.slots.iter().zip(&y.slots).any(|(x, y)| needs_size(x, y, depth)),
        (Rep::Fn(f), Rep::Fn(g)) => f.parts().zip(g.parts()).any(|(x, y)| needs_size(x, y, depth)),
        _ => false,
    }
}
