//! Short ways to build types, expressions and atoms, and to ask about them.
//!
//! ```text
//! Type::array(Prim::F32, vec![Dim::size(n)])          [n]f32
//! ty.row()                                            the type of an element: f32
//! Exp::iota(n)                                        range.i64 n 0i64 1i64
//! ```
//!
//! Passes would otherwise take enums apart in hundreds of places, each with its own idea of what a scalar is. Nothing here needs
//! to know the program: questions whose answer depends on other statements belong to `walk`, `verify` or a pass. A constructor
//! checks nothing; the verifier does.

use super::walk::Part;
use super::{
    ArrayExp, Atom, BinOp, Body, Check, ControlExp, Dim, DimIndex, Elem, Exp, Fun, FunId, Lambda, Operators,
    Param, Prim, Prog, Ret, Scalar, ScalarExp, Side, Stm, TriOp, Type, UnOp, Var, VarInfo,
};
use norn_base::Span;

impl Type {
    pub fn scalar(prim: Prim) -> Type {
        Type::Value(Elem::Prim(prim), Vec::new())
    }

    pub fn i64() -> Type {
        Type::scalar(Prim::I64)
    }

    pub fn bool() -> Type {
        Type::scalar(Prim::Bool)
    }

    pub fn array(prim: Prim, dims: Vec<Dim>) -> Type {
        Type::Value(Elem::Prim(prim), dims)
    }

    /// What it is made of; nothing for accumulators, regions and certificates.
    pub fn elem(&self) -> Option<Elem> {
        match self {
            Type::Value(elem, _) => Some(*elem),
            Type::Acc(_) | Type::Seg { .. } | Type::Region | Type::Cert => None,
        }
    }

    /// The primitive type of a scalar.
    pub fn prim(&self) -> Option<Prim> {
        match self {
            Type::Value(Elem::Prim(prim), dims) if dims.is_empty() => Some(*prim),
            Type::Value(..) | Type::Acc(_) | Type::Seg { .. } | Type::Region | Type::Cert => None,
        }
    }

    pub fn dims(&self) -> &[Dim] {
        match self {
            Type::Value(_, dims) => dims,
            Type::Acc(_) | Type::Seg { .. } | Type::Region | Type::Cert => &[],
        }
    }

    pub fn rank(&self) -> usize {
        self.dims().len()
    }

    /// A primitive value or a ref, without dimensions.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Type::Value(_, dims) if dims.is_empty())
    }

    pub fn is_array(&self) -> bool {
        self.rank() > 0
    }

    /// Its rows, if it is an array, differ in length.
    pub fn has_irregular_rows(&self) -> bool {
        self.dims().get(1) == Some(&Dim::Irregular)
    }

    /// An array's rows. The first dimension of the row may be `?`: whoever binds a row gives it a size.
    pub fn row(&self) -> Option<Type> {
        match self {
            Type::Value(elem, dims) if !dims.is_empty() => Some(Type::Value(*elem, dims[1..].to_vec())),
            Type::Value(..) | Type::Acc(_) | Type::Seg { .. } | Type::Region | Type::Cert => None,
        }
    }

    /// An array with rows of this type; of anything but values, the type itself.
    pub fn array_of(&self, dim: Dim) -> Type {
        match self {
            Type::Value(elem, dims) => {
                let mut outer = Vec::with_capacity(dims.len() + 1);
                outer.push(dim);
                outer.extend_from_slice(dims);
                Type::Value(*elem, outer)
            }
            Type::Acc(_) | Type::Seg { .. } | Type::Region | Type::Cert => self.clone(),
        }
    }

    /// The same elements with other dimensions; of anything but values, the type itself.
    pub fn with_dims(&self, dims: Vec<Dim>) -> Type {
        match self {
            Type::Value(elem, _) => Type::Value(*elem, dims),
            Type::Acc(_) | Type::Seg { .. } | Type::Region | Type::Cert => self.clone(),
        }
    }

    /// Whether both are of values of the same kind, with the same dimensions but for the names of sizes.
    pub fn same_pattern(&self, other: &Type) -> bool {
        self.elem().is_some() && self.elem() == other.elem() && Dim::same_pattern(self.dims(), other.dims())
    }

    /// Of an element that is a number.
    pub fn elem_bytes(&self) -> i64 {
        match self.elem() {
            Some(Elem::Prim(prim)) => prim.size() as i64,
            // The number of a cell.
            Some(Elem::Ref(..)) => 4,
            None => 0,
        }
    }

    /// What it is made of, and what the arrays behind an accumulator are made of.
    pub fn for_each_elem_mut(&mut self, f: &mut impl FnMut(&mut Elem)) {
        match self {
            Type::Value(elem, _) => f(elem),
            Type::Acc(types) => types.iter_mut().for_each(|ty| ty.for_each_elem_mut(f)),
            Type::Seg { .. } | Type::Region | Type::Cert => {}
        }
    }

    /// Every dimension, those of the arrays behind an accumulator included.
    pub fn for_each_dim(&mut self, f: &mut impl FnMut(&mut Dim)) {
        match self {
            Type::Value(_, dims) => dims.iter_mut().for_each(f),
            Type::Acc(types) => types.iter_mut().for_each(|ty| ty.for_each_dim(f)),
            Type::Seg { count, total } => [count, total].into_iter().for_each(f),
            Type::Region | Type::Cert => {}
        }
    }
}

impl VarInfo {
    pub fn new(name: impl Into<String>, ty: Type) -> VarInfo {
        VarInfo { name: name.into(), ty, side: None, bound: None }
    }
}

impl Side {
    pub const ALL: [Side; 3] = [Side::Host, Side::Device, Side::Both];

    pub fn name(self) -> &'static str {
        match self {
            Side::Host => "host",
            Side::Device => "device",
            Side::Both => "both",
        }
    }
}

impl Elem {
    pub fn prim(self) -> Option<Prim> {
        match self {
            Elem::Prim(prim) => Some(prim),
            Elem::Ref(..) => None,
        }
    }
}

impl Dim {
    pub fn size(atom: impl Into<Atom>) -> Dim {
        Dim::Size(atom.into())
    }

    /// Whether rows are irregular in the same places.
    pub fn same_pattern(a: &[Dim], b: &[Dim]) -> bool {
        let irregular = |dim: &Dim| *dim == Dim::Irregular;
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| irregular(a) == irregular(b))
    }

    pub fn atom(self) -> Option<Atom> {
        match self {
            Dim::Size(atom) => Some(atom),
            Dim::Irregular | Dim::Result(_) => None,
        }
    }
}

impl DimIndex {
    /// All of a dimension of this size.
    pub fn whole(count: impl Into<Atom>) -> DimIndex {
        DimIndex::Slice { start: Atom::i64(0), count: count.into(), stride: Atom::i64(1) }
    }
}

impl<O> Stm<O> {
    pub fn new(vars: Vec<Var>, exp: Exp<O>, span: Span) -> Stm<O> {
        Stm { vars, certs: Vec::new(), grid: None, exp, attrs: Vec::new(), span }
    }

    /// Whether nothing may be known across this statement: what computes its operand and what uses its result stay apart.
    pub fn is_opaque(&self) -> bool {
        self.attrs.iter().any(|attr| attr == "opaque")
    }
}

impl<O> Exp<O> {
    // # What is built often

    pub fn atom(atom: Atom) -> Exp<O> {
        Exp::Scalar(ScalarExp::Atom(atom))
    }

    pub fn un(op: UnOp, prim: Prim, x: Atom) -> Exp<O> {
        Exp::Scalar(ScalarExp::Un(op, prim, x))
    }

    pub fn bin(op: BinOp, prim: Prim, x: Atom, y: Atom) -> Exp<O> {
        Exp::Scalar(ScalarExp::Bin(op, prim, x, y))
    }

    pub fn tri(op: TriOp, prim: Prim, x: Atom, y: Atom, z: Atom) -> Exp<O> {
        Exp::Scalar(ScalarExp::Tri(op, prim, x, y, z))
    }

    pub fn convert(from: Prim, to: Prim, value: Atom) -> Exp<O> {
        Exp::Scalar(ScalarExp::Convert { from, to, value })
    }

    pub fn if_(cond: Atom, then: Body<O>, els: Body<O>) -> Exp<O> {
        Exp::Control(ControlExp::If { cond, then, els })
    }

    pub fn call(fun: FunId, args: Vec<Atom>) -> Exp<O> {
        Exp::Control(ControlExp::Call { fun, args })
    }

    pub fn check(check: Check) -> Exp<O> {
        Exp::Control(ControlExp::Check(check))
    }

    pub fn array(rows: Vec<Atom>) -> Exp<O> {
        Exp::Array(ArrayExp::ArrayLit(rows))
    }

    pub fn replicate(count: Atom, value: Atom) -> Exp<O> {
        Exp::Array(ArrayExp::Replicate { count, value })
    }

    pub fn index(array: Var, slice: Vec<DimIndex>) -> Exp<O> {
        Exp::Array(ArrayExp::Index { array, slice })
    }

    pub fn reshape(array: Var, old: usize, new: Vec<Atom>) -> Exp<O> {
        Exp::Array(ArrayExp::Reshape { array, old, new })
    }

    pub fn rearrange(array: Var, perm: Vec<usize>) -> Exp<O> {
        Exp::Array(ArrayExp::Rearrange { array, perm })
    }

    pub fn copy(array: Var) -> Exp<O> {
        Exp::Array(ArrayExp::Copy(array))
    }

    pub fn coerce(array: Var, dims: Vec<Dim>) -> Exp<O> {
        Exp::Array(ArrayExp::Coerce { array, dims })
    }

    pub fn segment(lengths: Var, array: Var) -> Exp<O> {
        Exp::Array(ArrayExp::Segment { lengths, array })
    }

    /// 0, 1, .., as many.
    pub fn iota(count: impl Into<Atom>) -> Exp<O> {
        Exp::Array(ArrayExp::Range {
            prim: Prim::I64,
            count: count.into(),
            start: Atom::i64(0),
            step: Atom::i64(1),
        })
    }

    /// The parallel operator that it is.
    pub fn op(&self) -> Option<&O> {
        match self {
            Exp::Op(op) => Some(op),
            Exp::Scalar(_) | Exp::Control(_) | Exp::Array(_) | Exp::Cell(_) => None,
        }
    }

    pub fn op_mut(&mut self) -> Option<&mut O> {
        match self {
            Exp::Op(op) => Some(op),
            Exp::Scalar(_) | Exp::Control(_) | Exp::Array(_) | Exp::Cell(_) => None,
        }
    }

    /// A scalar, an element or a view: nothing that goes through an array.
    pub fn is_scalar_or_view(&self) -> bool {
        matches!(
            self,
            Exp::Scalar(
                ScalarExp::Atom(_)
                    | ScalarExp::Un(..)
                    | ScalarExp::Bin(..)
                    | ScalarExp::Tri(..)
                    | ScalarExp::Convert { .. }
            ) | Exp::Array(
                ArrayExp::Index { .. }
                    | ArrayExp::Range { .. }
                    | ArrayExp::Rearrange { .. }
                    | ArrayExp::Coerce { .. }
            )
        )
    }
}

impl<O> Default for Prog<O> {
    fn default() -> Prog<O> {
        let (datas, consts, funs) = (Vec::new(), Vec::new(), Vec::new());
        Prog { datas, consts, funs, entries: Vec::new(), ifaces: Vec::new() }
    }
}

impl<O> Default for Body<O> {
    fn default() -> Body<O> {
        Body { stms: Vec::new(), result: Vec::new() }
    }
}

impl<O: Operators> Body<O> {
    /// How many statements there are, those inside of others included.
    pub fn statements(&self) -> usize {
        let mut count = self.stms.len();
        for stm in &self.stms {
            stm.for_each_part(&mut |part| match part {
                Part::Body(body) => count += body.statements(),
                Part::Lambda(lambda) => count += lambda.body.statements(),
                Part::Atom(_) | Part::Var(_) | Part::Binder(_) => {}
            });
        }
        count
    }
}

impl<O> Fun<O> {
    /// Stands in a program for a function that is being changed.
    pub fn nothing() -> Fun<O> {
        Fun {
            name: String::new(),
            params: Vec::new(),
            ret: Vec::new(),
            body: Body::default(),
            vars: Vec::new(),
            attrs: Vec::new(),
            span: super::print::NOWHERE,
        }
    }
}

impl Atom {
    pub fn i64(value: i64) -> Atom {
        Atom::Const(Scalar::I64(value))
    }

    pub fn bool(value: bool) -> Atom {
        Atom::Const(Scalar::Bool(value))
    }

    /// An integer as a constant of any primitive type.
    pub fn int(prim: Prim, value: i128) -> Atom {
        Atom::Const(Scalar::from_int(prim, value))
    }

    pub fn var(self) -> Option<Var> {
        match self {
            Atom::Var(var) => Some(var),
            Atom::Const(_) => None,
        }
    }

    pub fn constant(self) -> Option<Scalar> {
        match self {
            Atom::Var(_) => None,
            Atom::Const(scalar) => Some(scalar),
        }
    }
}

impl From<Var> for Atom {
    fn from(var: Var) -> Atom {
        Atom::Var(var)
    }
}

impl From<Scalar> for Atom {
    fn from(scalar: Scalar) -> Atom {
        Atom::Const(scalar)
    }
}

impl Param {
    pub fn plain(var: Var) -> Param {
        Param { var, unique: false }
    }

    pub fn unique(var: Var) -> Param {
        Param { var, unique: true }
    }
}

impl Ret {
    pub fn plain(ty: Type) -> Ret {
        Ret { ty, unique: false }
    }

    pub fn unique(ty: Type) -> Ret {
        Ret { ty, unique: true }
    }
}

impl<O> Lambda<O> {
    pub fn new(params: Vec<Var>, body: Body<O>) -> Lambda<O> {
        Lambda { params, body }
    }
}
