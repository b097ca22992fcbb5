//! Writes a function from the statements of another: what both directions have in common.
//!
//! Variables of the source are *old*, those of the function being written *new*; `env` has what stands for each old one. A statement may be written several times:
//! each time its old variables get new ones, which is what later statements mean. Nothing else remembers them.

use norn_base::Span;
use norn_ir::nest::build::FunBuilder;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Elem, Exp, Lambda, Prim, Prog, Reduction, Scalar,
    Stm, Type, UnOp, Var, VarInfo,
};
use rustc_hash::FxHashMap;

pub struct Writer {
    pub b: FunBuilder,
    /// The table of the source.
    pub old: Vec<VarInfo>,
    env: FxHashMap<Var, Atom>,
    pub span: Span,
}

impl Writer {
    pub fn new(old: Vec<VarInfo>, span: Span) -> Writer {
        Writer { b: FunBuilder::new(), old, env: FxHashMap::default(), span }
    }

    // # From old to new

    pub fn old_ty(&self, var: Var) -> &Type {
        &self.old[var.0 as usize].ty
    }

    pub fn old_atom_ty(&self, atom: Atom) -> Type {
        match atom {
            Atom::Var(var) => self.old_ty(var).clone(),
            Atom::Const(scalar) => Type::scalar(scalar.prim()),
        }
    }

    /// The type of what stands for an old variable.
    pub fn ty_of(&self, old: Var) -> Type {
        self.ty(self.old_ty(old))
    }

    pub fn ty(&self, ty: &Type) -> Type {
        let mut ty = ty.clone();
        ty.for_each_dim(&mut |dim| {
            if let Dim::Size(atom) = dim {
                *atom = self.atom(*atom);
            }
        });
        ty.for_each_elem_mut(&mut |elem| match elem {
            Elem::Ref(_, Some(region)) => *region = self.var(*region),
            Elem::Prim(_) | Elem::Ref(_, None) => {}
        });
        ty
    }

    pub fn atom(&self, atom: Atom) -> Atom {
        match atom {
            Atom::Var(var) => self.env.get(&var).copied().unwrap_or_else(|| {
                panic!("differentiate: `{}` has no value yet", self.old[var.0 as usize].name)
            }),
            Atom::Const(_) => atom,
        }
    }

    pub fn var(&self, var: Var) -> Var {
        self.atom(var.into())
            .var()
            .unwrap_or_else(|| panic!("differentiate: a constant in place of an array"))
    }

    pub fn set(&mut self, old: Var, to: impl Into<Atom>) {
        self.env.insert(old, to.into());
    }

    /// A new variable for an old one.
    pub fn bind(&mut self, old: Var) -> Var {
        let ty = self.ty_of(old);
        let new = self.b.new_var(self.old[old.0 as usize].name.clone(), ty);
        self.set(old, new);
        new
    }

    pub fn atoms(&self, atoms: &[Atom]) -> Vec<Atom> {
        atoms.iter().map(|atom| self.atom(*atom)).collect()
    }

    pub fn vars(&self, vars: &[Var]) -> Vec<Var> {
        vars.iter().map(|var| self.var(*var)).collect()
    }

    pub fn slice(&self, slice: &[DimIndex]) -> Vec<DimIndex> {
        let dim = |dim: &DimIndex| match dim {
            DimIndex::Fix(at) => DimIndex::Fix(self.atom(*at)),
            DimIndex::Slice { start, count, stride } => DimIndex::Slice {
                start: self.atom(*start),
                count: self.atom(*count),
                stride: self.atom(*stride),
            },
        };
        slice.iter().map(dim).collect()
    }

    // # Copies

    /// The statement as it is, on what stands for its variables.
    pub fn copy(&mut self, stm: &Stm) {
        let copy = self.renamed(stm);
        copy.certs.iter().for_each(|cert| self.b.rely(*cert));
        self.b.attrs(copy.attrs);
        self.b.bind(copy.vars, copy.exp, copy.span);
    }

    pub fn copy_body(&mut self, body: &Body) -> Body {
        let stms = body.stms.iter().map(|stm| self.renamed(stm)).collect();
        Body { stms, result: self.atoms(&body.result) }
    }

    pub fn copy_lambda(&mut self, lambda: &Lambda) -> Lambda {
        let params = lambda.params.iter().map(|param| self.bind(*param)).collect();
        Lambda::new(params, self.copy_body(&lambda.body))
    }

    pub fn copy_reduction(&mut self, op: &Reduction) -> Reduction {
        Reduction {
            neutral: self.atoms(&op.neutral),
            lambda: self.copy_lambda(&op.lambda),
            commutative: op.commutative,
        }
    }

    fn renamed(&mut self, stm: &Stm) -> Stm {
        let mut copy = stm.clone();
        copy.certs.iter_mut().for_each(|cert| *cert = self.var(*cert));
        copy.for_each_part_mut(&mut |part| match part {
            PartMut::Atom(atom) => *atom = self.atom(*atom),
            PartMut::Var(var) => *var = self.var(*var),
            PartMut::Binder(var) => *var = self.bind(*var),
            PartMut::Body(body) => *body = self.copy_body(body),
            PartMut::Lambda(lambda) => *lambda = self.copy_lambda(lambda),
        });
        copy.vars.iter_mut().for_each(|var| *var = self.bind(*var));
        copy
    }

    /// As `copy`, but what it consumes stays as it is: a copy is consumed.
    pub fn copy_keeping(&mut self, prog: &Prog, stm: &Stm) {
        let mut consumed = Vec::new();
        consumed_by(prog, stm, &mut consumed);
        consumed.sort_unstable();
        consumed.dedup();
        let mut before = Vec::new();
        for old in consumed {
            let array = self.var(old);
            before.push((old, array));
            let copy = self.array_copy(array);
            self.set(old, copy);
        }
        self.copy(stm);
        before.into_iter().for_each(|(old, array)| self.set(old, array));
    }

    // # Statements

    pub fn emit(&mut self, name: &str, ty: Type, exp: Exp) -> Var {
        self.b.emit1(name, ty, exp, self.span)
    }

    pub fn bind_new(&mut self, vars: Vec<Var>, exp: Exp) {
        self.b.bind(vars, exp, self.span);
    }

    pub fn un(&mut self, op: UnOp, prim: Prim, x: Atom) -> Atom {
        self.b.un(op.name(), op, prim, x, self.span)
    }

    pub fn bin(&mut self, op: BinOp, prim: Prim, x: Atom, y: Atom) -> Atom {
        self.b.bin(op.name(), op, prim, x, y, self.span)
    }

    pub fn i64(&mut self, op: BinOp, x: Atom, y: Atom) -> Atom {
        use norn_ir::nest::Scalar::I64;
        match (op, x, y) {
            (BinOp::Mul, x, Atom::Const(I64(1))) | (BinOp::Add | BinOp::Sub, x, Atom::Const(I64(0))) => x,
            (BinOp::Mul, Atom::Const(I64(1)), y) | (BinOp::Add, Atom::Const(I64(0)), y) => y,
            _ => self.bin(op, Prim::I64, x, y),
        }
    }

    /// A choice between two values of a type.
    pub fn choose(&mut self, cond: Atom, ty: Type, then: Atom, els: Atom) -> Atom {
        let of = |atom| Body { stms: Vec::new(), result: vec![atom] };
        self.emit("chosen", ty, Exp::if_(cond, of(then), of(els))).into()
    }

    pub fn array_copy(&mut self, array: Var) -> Var {
        let ty = self.b.ty(array).clone();
        self.emit("copy", ty, Exp::copy(array))
    }

    pub fn index(&mut self, array: Var, at: &[Atom]) -> Atom {
        let ty = self.b.ty(array).clone();
        let ty = ty.with_dims(ty.dims()[at.len()..].to_vec());
        let slice = at.iter().map(|at| DimIndex::Fix(*at)).collect();
        self.emit("element", ty, Exp::index(array, slice)).into()
    }

    /// The array, consumed, with this in its place.
    pub fn update(&mut self, array: Var, at: &[Atom], value: Atom) -> Var {
        let ty = self.b.ty(array).clone();
        let slice = at.iter().map(|at| DimIndex::Fix(*at)).collect();
        self.emit("updated", ty, Exp::Array(ArrayExp::Update { array, slice, value }))
    }

    /// A row of an array, and in front of it its length where that varies: what a lambda takes.
    pub fn row_params(&mut self, array: &Type, name: &str) -> (Vec<Var>, Var) {
        let mut row = array.row().unwrap_or_else(|| panic!("differentiate: a row of a scalar"));
        let mut params = Vec::new();
        if array.has_irregular_rows() {
            let length = self.b.new_var("length", Type::i64());
            let mut dims = row.dims().to_vec();
            dims[0] = Dim::size(length);
            row = row.with_dims(dims);
            params.push(length);
        }
        let row = self.b.new_var(name, row);
        params.push(row);
        (params, row)
    }

    /// An array with these elements for each of the same rows.
    fn map_rows(
        &mut self,
        name: &str,
        arrays: &[Var],
        element: impl FnOnce(&mut Writer, &[Atom]) -> Atom,
    ) -> Var {
        let ty = self.b.ty(arrays[0]).clone();
        let width = width(&ty);
        self.b.begin_body();
        let mut params = Vec::new();
        let mut rows = Vec::new();
        for array in arrays {
            let ty = self.b.ty(*array).clone();
            let (all, row) = self.row_params(&ty, "row");
            params.extend(all);
            rows.push(Atom::Var(row));
        }
        let result = element(self, &rows);
        let lambda = Lambda::new(params, self.b.end_body(vec![result]));
        self.emit(name, ty, Exp::map(width, arrays.to_vec(), lambda))
    }

    /// Zeros in the form of a value.
    pub fn zeros_like(&mut self, value: Atom) -> Atom {
        let ty = self.b.atom_ty(value);
        match value {
            Atom::Var(array) if ty.dims().contains(&Dim::Irregular) => {
                self.map_rows("zeros", &[array], |w, rows| w.zeros_like(rows[0])).into()
            }
            Atom::Var(_) | Atom::Const(_) => self.zeros(&ty),
        }
    }

    /// Zeros of a type without `?`.
    pub fn zeros(&mut self, ty: &Type) -> Atom {
        let Some(Elem::Prim(prim)) = ty.elem() else { panic!("differentiate: no zero of {ty:?}") };
        let mut value = Atom::Const(Scalar::zero(prim));
        let dims = ty.dims();
        for at in (0..dims.len()).rev() {
            let Dim::Size(count) = dims[at] else { panic!("differentiate: zeros of unknown number") };
            let ty = ty.with_dims(dims[at..].to_vec());
            value = self.emit("zeros", ty, Exp::replicate(count, value)).into();
        }
        value
    }

    /// The sum of two values of one form.
    pub fn add(&mut self, x: Atom, y: Atom) -> Atom {
        let ty = self.b.atom_ty(x);
        match (x, y) {
            (Atom::Var(xs), Atom::Var(ys)) if ty.is_array() => {
                self.map_rows("sum", &[xs, ys], |w, rows| w.add(rows[0], rows[1])).into()
            }
            (x, y) if is_zero(x) => y,
            (x, y) if is_zero(y) => x,
            (x, y) => {
                let prim = ty.prim().unwrap_or_else(|| panic!("differentiate: a sum of {ty:?}"));
                self.bin(BinOp::Add, prim, x, y)
            }
        }
    }

    /// The operator that adds values of a type, without `?`.
    pub fn sum_of(&mut self, ty: &Type) -> Reduction {
        let neutral = vec![self.zeros(ty)];
        self.b.begin_body();
        let [x, y] = ["x", "y"].map(|name| self.b.new_var(name, ty.clone()));
        let sum = self.add(x.into(), y.into());
        let lambda = Lambda::new(vec![x, y], self.b.end_body(vec![sum]));
        Reduction { lambda, neutral, commutative: true }
    }

    /// The sum of the rows of an array.
    pub fn sum_rows(&mut self, array: Var) -> Atom {
        let ty = self.b.ty(array).clone();
        let row = ty.row().unwrap_or_else(|| panic!("differentiate: rows of a scalar"));
        let op = self.sum_of(&row);
        self.emit("sum", row, Exp::reduce(width(&ty), op, vec![array])).into()
    }

    pub fn iota(&mut self, count: Atom) -> Var {
        let ty = Type::array(Prim::I64, vec![Dim::size(count)]);
        self.emit("iota", ty, Exp::iota(count))
    }
}

pub fn width(array: &Type) -> Atom {
    match array.dims().first() {
        Some(Dim::Size(size)) => *size,
        Some(Dim::Irregular | Dim::Result(_)) | None => panic!("differentiate: {array:?} has no width"),
    }
}

pub fn is_zero(atom: Atom) -> bool {
    matches!(atom, Atom::Const(scalar) if scalar == Scalar::zero(scalar.prim()))
}

/// What a statement consumes, its branches included: what these consume may come from outside.
fn consumed_by(prog: &Prog, stm: &Stm, found: &mut Vec<Var>) {
    match &stm.exp {
        Exp::Array(ArrayExp::Update { array, .. } | ArrayExp::FlatUpdate { array, .. }) => found.push(*array),
        Exp::Control(ControlExp::If { cond: _, then, els }) => {
            [then, els].into_iter().for_each(|body| consumed_from_outside(prog, body, found));
        }
        Exp::Control(ControlExp::Switch { scrutinee: _, cases, default }) => {
            let bodies = cases.iter().map(|(_, body)| body).chain([default]);
            bodies.for_each(|body| consumed_from_outside(prog, body, found));
        }
        Exp::Control(ControlExp::Loop { params, .. }) => {
            found.extend(params.iter().filter(|(p, _)| p.unique).filter_map(|(_, initial)| initial.var()));
        }
        Exp::Control(ControlExp::Call { fun, args }) => {
            let params = &prog.funs[fun.0 as usize].params;
            found.extend(params.iter().zip(args).filter(|(p, _)| p.unique).filter_map(|(_, arg)| arg.var()));
        }
        Exp::Op(op) => found.extend(op.dests()),
        Exp::Scalar(_)
        | Exp::Cell(_)
        | Exp::Control(ControlExp::Const(_) | ControlExp::Check(_))
        | Exp::Array(
            ArrayExp::ArrayLit(_)
            | ArrayExp::Range { .. }
            | ArrayExp::Replicate { .. }
            | ArrayExp::Index { .. }
            | ArrayExp::Concat { .. }
            | ArrayExp::Reshape { .. }
            | ArrayExp::Rearrange { .. }
            | ArrayExp::Copy(_)
            | ArrayExp::Coerce { .. }
            | ArrayExp::FlatIndex { .. }
            | ArrayExp::Lengths(_)
            | ArrayExp::Ends(_)
            | ArrayExp::JoinRows(_)
            | ArrayExp::Segment { .. }
            | ArrayExp::AccWrite { .. },
        ) => {}
    }
}

/// What a branch consumes, without what it binds itself.
fn consumed_from_outside(prog: &Prog, body: &Body, found: &mut Vec<Var>) {
    let mut consumed = Vec::new();
    body.stms.iter().for_each(|stm| consumed_by(prog, stm, &mut consumed));
    let is_own = |var: &Var| body.stms.iter().any(|stm| stm.vars.contains(var));
    found.extend(consumed.into_iter().filter(|var| !is_own(var)));
}
