//! The parts of an expression, in the order of its text: the only traversal that knows all expressions.
//!
//! `for_each_part` hands out what stands directly in an expression: operands, variables that it binds
//! for its bodies, and these bodies. It does not enter them: whoever walks decides what a scope means.
//! Groups without bodies have nothing but operands, and need no type parameter.

use super::{
    ArrayExp, Atom, Body, CellExp, Check, ControlExp, Dim, DimIndex, Elem, Exp, Grid, Lambda, LoopForm,
    Operators, Reduction, ScalarExp, Stm, Type, Var, VarInfo,
};

/// What an expression computes with.
pub enum Operand<'a> {
    /// An operand, or a size in dimensions that the expression mentions.
    Atom(&'a Atom),
    /// An operand that can only be a variable.
    Var(&'a Var),
}

/// As `Operand`, to be changed.
pub enum OperandMut<'a> {
    Atom(&'a mut Atom),
    Var(&'a mut Var),
}

/// Something that stands directly in an expression.
pub enum Part<'a, O> {
    /// An operand, or a size in dimensions that the expression mentions.
    Atom(&'a Atom),
    /// An operand that can only be a variable.
    Var(&'a Var),
    /// A variable bound for the bodies that follow.
    Binder(&'a Var),
    Body(&'a Body<O>),
    Lambda(&'a Lambda<O>),
}

/// As `Part`, to be changed.
pub enum PartMut<'a, O> {
    Atom(&'a mut Atom),
    Var(&'a mut Var),
    Binder(&'a mut Var),
    Body(&'a mut Body<O>),
    Lambda(&'a mut Lambda<O>),
}

macro_rules! operands {
    ($Operand:ident, $each:ident, $check:ident, $slice:ident, $dims:ident, $($mutable:tt)?) => {
        impl ScalarExp {
            pub fn $each(&$($mutable)? self, f: &mut dyn FnMut($Operand<'_>)) {
                match self {
                    ScalarExp::Atom(x) | ScalarExp::Un(_, _, x) => f($Operand::Atom(x)),
                    ScalarExp::Bin(_, _, x, y) => {
                        f($Operand::Atom(x));
                        f($Operand::Atom(y));
                    }
                    ScalarExp::Tri(_, _, x, y, z) => {
                        f($Operand::Atom(x));
                        f($Operand::Atom(y));
                        f($Operand::Atom(z));
                    }
                    ScalarExp::Convert { from: _, to: _, value } => f($Operand::Atom(value)),
                    ScalarExp::Workers | ScalarExp::Tunable(_) => {}
                }
            }
        }

        impl ArrayExp {
            pub fn $each(&$($mutable)? self, f: &mut dyn FnMut($Operand<'_>)) {
                match self {
                    ArrayExp::ArrayLit(rows) => rows.into_iter().for_each(|x| f($Operand::Atom(x))),
                    ArrayExp::Range { prim: _, count, start, step } => {
                        f($Operand::Atom(count));
                        f($Operand::Atom(start));
                        f($Operand::Atom(step));
                    }
                    ArrayExp::Replicate { count, value } => {
                        f($Operand::Atom(count));
                        f($Operand::Atom(value));
                    }
                    ArrayExp::Index { array, slice } => {
                        f($Operand::Var(array));
                        $slice(slice, f);
                    }
                    ArrayExp::Update { array, slice, value } => {
                        f($Operand::Var(array));
                        $slice(slice, f);
                        f($Operand::Atom(value));
                    }
                    ArrayExp::Concat { size, arrays } => {
                        f($Operand::Atom(size));
                        arrays.into_iter().for_each(|x| f($Operand::Var(x)));
                    }
                    ArrayExp::Reshape { array, old: _, new } => {
                        f($Operand::Var(array));
                        new.into_iter().for_each(|x| f($Operand::Atom(x)));
                    }
                    ArrayExp::Rearrange { array, perm: _ } | ArrayExp::Copy(array) => f($Operand::Var(array)),
                    ArrayExp::Coerce { array, dims } => {
                        f($Operand::Var(array));
                        $dims(dims, f);
                    }
                    ArrayExp::FlatIndex { array, offset, dims } => {
                        f($Operand::Var(array));
                        f($Operand::Atom(offset));
                        for (count, stride) in dims {
                            f($Operand::Atom(count));
                            f($Operand::Atom(stride));
                        }
                    }
                    ArrayExp::FlatUpdate { array, offset, strides, value } => {
                        f($Operand::Var(array));
                        f($Operand::Atom(offset));
                        strides.into_iter().for_each(|x| f($Operand::Atom(x)));
                        f($Operand::Var(value));
                    }
                    ArrayExp::Lengths(array) | ArrayExp::Ends(array) | ArrayExp::JoinRows(array) => f($Operand::Var(array)),
                    ArrayExp::Segment { lengths, array } => {
                        f($Operand::Var(lengths));
                        f($Operand::Var(array));
                    }
                    ArrayExp::AccWrite { acc, index, values } => {
                        f($Operand::Var(acc));
                        f($Operand::Atom(index));
                        values.into_iter().for_each(|x| f($Operand::Atom(x)));
                    }
                }
            }
        }

        impl CellExp {
            pub fn $each(&$($mutable)? self, f: &mut dyn FnMut($Operand<'_>)) {
                match self {
                    CellExp::Region | CellExp::Null(_) => {}
                    CellExp::Alloc { region, data: _, constr: _, fields } => {
                        region.into_iter().for_each(|x| f($Operand::Var(x)));
                        fields.into_iter().for_each(|x| f($Operand::Atom(x)));
                    }
                    CellExp::Tag { cell } | CellExp::Load { constr: _, cell } => f($Operand::Atom(cell)),
                }
            }
        }

        fn $check(check: &$($mutable)? Check, f: &mut dyn FnMut($Operand<'_>)) {
            match check {
                Check::Index { index, length } => {
                    f($Operand::Atom(index));
                    f($Operand::Atom(length));
                }
                Check::Slice { start, count, stride, length } => {
                    f($Operand::Atom(start));
                    f($Operand::Atom(count));
                    f($Operand::Atom(stride));
                    f($Operand::Atom(length));
                }
                Check::Size { expected, found } => {
                    f($Operand::Atom(expected));
                    f($Operand::Atom(found));
                }
                Check::Shape { array, dims } => {
                    f($Operand::Var(array));
                    $dims(dims, f);
                }
                Check::NonNegative(x) | Check::NonZero(_, x) | Check::Exponent(_, x) => f($Operand::Atom(x)),
                Check::Range { prim: _, start, second, end, ok } => {
                    f($Operand::Atom(start));
                    f($Operand::Atom(second));
                    f($Operand::Atom(end));
                    f($Operand::Atom(ok));
                }
                Check::Segments { lengths, total } => {
                    f($Operand::Var(lengths));
                    f($Operand::Atom(total));
                }
                Check::Flat { offset, dims, length } => {
                    f($Operand::Atom(offset));
                    for (count, stride) in dims {
                        f($Operand::Atom(count));
                        f($Operand::Atom(stride));
                    }
                    f($Operand::Atom(length));
                }
                Check::Assert { cond, text: _ } => f($Operand::Atom(cond)),
                Check::Fail { text: _ } => {}
            }
        }

        fn $slice(slice: &$($mutable)? [DimIndex], f: &mut dyn FnMut($Operand<'_>)) {
            for dim in slice {
                match dim {
                    DimIndex::Fix(index) => f($Operand::Atom(index)),
                    DimIndex::Slice { start, count, stride } => {
                        f($Operand::Atom(start));
                        f($Operand::Atom(count));
                        f($Operand::Atom(stride));
                    }
                }
            }
        }

        fn $dims(dims: &$($mutable)? [Dim], f: &mut dyn FnMut($Operand<'_>)) {
            for dim in dims {
                match dim {
                    Dim::Size(x) => f($Operand::Atom(x)),
                    Dim::Irregular | Dim::Result(_) => {}
                }
            }
        }
    };
}

operands!(Operand, for_each_operand, check_operands, slice_operands, dim_operands,);
operands!(OperandMut, for_each_operand_mut, check_operands_mut, slice_operands_mut, dim_operands_mut, mut);

/// One traversal, once by reference and once by mutable reference.
macro_rules! parts {
    ($Part:ident, $parts:ident, $Operand:ident, $operands:ident, $check:ident, $($mutable:tt)?) => {
        impl<'a, O> From<$Operand<'a>> for $Part<'a, O> {
            fn from(operand: $Operand<'a>) -> Self {
                match operand {
                    $Operand::Atom(atom) => $Part::Atom(atom),
                    $Operand::Var(var) => $Part::Var(var),
                }
            }
        }

        impl<O: Operators> Exp<O> {
            pub fn $parts(&$($mutable)? self, f: &mut dyn FnMut($Part<'_, O>)) {
                match self {
                    Exp::Scalar(exp) => exp.$operands(&mut |operand| f(operand.into())),
                    Exp::Control(exp) => exp.$parts(f),
                    Exp::Array(exp) => exp.$operands(&mut |operand| f(operand.into())),
                    Exp::Cell(exp) => exp.$operands(&mut |operand| f(operand.into())),
                    Exp::Op(op) => op.$parts(f),
                }
            }
        }

        impl<O> ControlExp<O> {
            pub fn $parts(&$($mutable)? self, f: &mut dyn FnMut($Part<'_, O>)) {
                match self {
                    ControlExp::If { cond, then, els } => {
                        f($Part::Atom(cond));
                        f($Part::Body(then));
                        f($Part::Body(els));
                    }
                    ControlExp::Switch { scrutinee, cases, default } => {
                        f($Part::Atom(scrutinee));
                        for (_, body) in cases {
                            f($Part::Body(body));
                        }
                        f($Part::Body(default));
                    }
                    ControlExp::Loop { params, form, body } => {
                        for (param, initial) in params {
                            f($Part::Binder(&$($mutable)? param.var));
                            f($Part::Atom(initial));
                        }
                        match form {
                            LoopForm::For(var, bound) => {
                                f($Part::Binder(var));
                                f($Part::Atom(bound));
                            }
                            LoopForm::While(cond) => f($Part::Body(cond)),
                        }
                        f($Part::Body(body));
                    }
                    ControlExp::Call { fun: _, args } => args.into_iter().for_each(|x| f($Part::Atom(x))),
                    ControlExp::Check(check) => $check(check, &mut |operand| f(operand.into())),
                    ControlExp::Const(_) => {}
                }
            }
        }

        impl<O: Operators> Stm<O> {
            /// What stands in its expression, and before that in its mark.
            pub fn $parts(&$($mutable)? self, f: &mut dyn FnMut($Part<'_, O>)) {
                if let Some(Grid { work, balance }) = &$($mutable)? self.grid {
                    f($Part::Atom(work));
                    balance.into_iter().for_each(|x| f($Part::Var(x)));
                }
                self.exp.$parts(f);
            }
        }

        impl<O> Reduction<O> {
            pub fn $parts(&$($mutable)? self, f: &mut dyn FnMut($Part<'_, O>)) {
                for x in &$($mutable)? self.neutral {
                    f($Part::Atom(x));
                }
                f($Part::Lambda(&$($mutable)? self.lambda));
            }
        }
    };
}

parts!(Part, for_each_part, Operand, for_each_operand, check_operands,);
parts!(PartMut, for_each_part_mut, OperandMut, for_each_operand_mut, check_operands_mut, mut);

impl VarInfo {
    /// The variables that its type and its bound mention, in the order of the text.
    pub fn for_each_var_mut(&mut self, f: &mut dyn FnMut(&mut Var)) {
        self.ty.for_each_var_mut(f);
        if let Some(Atom::Var(bound)) = &mut self.bound {
            f(bound);
        }
    }

    pub fn for_each_var(&self, f: &mut dyn FnMut(Var)) {
        self.ty.for_each_var(f);
        if let Some(Atom::Var(bound)) = self.bound {
            f(bound);
        }
    }
}

impl Type {
    /// The variables that the type mentions: sizes and regions, in the order of the text.
    pub fn for_each_var_mut(&mut self, f: &mut dyn FnMut(&mut Var)) {
        match self {
            Type::Value(elem, dims) => {
                dim_operands_mut(dims, &mut |operand| {
                    if let OperandMut::Atom(Atom::Var(var)) = operand {
                        f(var);
                    }
                });
                match elem {
                    Elem::Prim(_) | Elem::Ref(_, None) => {}
                    Elem::Ref(_, Some(region)) => f(region),
                }
            }
            Type::Acc(types) => types.iter_mut().for_each(|ty| ty.for_each_var_mut(f)),
            Type::Seg { count, total } => {
                for dim in [count, total] {
                    if let Dim::Size(Atom::Var(var)) = dim {
                        f(var);
                    }
                }
            }
            Type::Region | Type::Cert => {}
        }
    }

    pub fn for_each_var(&self, f: &mut dyn FnMut(Var)) {
        match self {
            Type::Value(elem, dims) => {
                for dim in dims {
                    match dim {
                        Dim::Size(Atom::Var(var)) => f(*var),
                        Dim::Size(Atom::Const(_)) | Dim::Irregular | Dim::Result(_) => {}
                    }
                }
                match elem {
                    Elem::Prim(_) | Elem::Ref(_, None) => {}
                    Elem::Ref(_, Some(region)) => f(*region),
                }
            }
            Type::Acc(types) => types.iter().for_each(|ty| ty.for_each_var(f)),
            Type::Seg { count, total } => {
                for dim in [count, total] {
                    if let Dim::Size(Atom::Var(var)) = dim {
                        f(*var);
                    }
                }
            }
            Type::Region | Type::Cert => {}
        }
    }
}
