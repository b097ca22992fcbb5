//! The parts of an expression, in the order of its text: the only traversal that knows all expressions.
//!
//! `for_each_part` hands out what stands directly in an expression: operands, variables that it binds
//! for its bodies, and these bodies. It does not enter them: whoever walks decides what a scope means.

use super::{
    Atom, Body, Check, Dim, DimIndex, Elem, Exp, Grid, Lambda, LoopForm, Reduction, Stm, StreamForm, Type,
    Var,
};

/// Something that stands directly in an expression.
pub enum Part<'a> {
    /// An operand, or a size in dimensions that the expression mentions.
    Atom(&'a Atom),
    /// An operand that can only be a variable.
    Var(&'a Var),
    /// A variable bound for the bodies that follow.
    Binder(&'a Var),
    Body(&'a Body),
    Lambda(&'a Lambda),
}

/// As `Part`, to be changed.
pub enum PartMut<'a> {
    Atom(&'a mut Atom),
    Var(&'a mut Var),
    Binder(&'a mut Var),
    Body(&'a mut Body),
    Lambda(&'a mut Lambda),
}

/// One traversal, once by reference and once by mutable reference.
macro_rules! parts {
    ($Part:ident, $exp:ident, $check:ident, $slice:ident, $reduction:ident, $dims:ident, $($mutable:tt)?) => {
        impl Exp {
            pub fn $exp(&$($mutable)? self, f: &mut dyn FnMut($Part<'_>)) {
                match self {
                    Exp::Atom(x) | Exp::Un(_, _, x) => f($Part::Atom(x)),
                    Exp::Bin(_, _, x, y) => {
                        f($Part::Atom(x));
                        f($Part::Atom(y));
                    }
                    Exp::Tri(_, _, x, y, z) => {
                        f($Part::Atom(x));
                        f($Part::Atom(y));
                        f($Part::Atom(z));
                    }
                    Exp::Convert { from: _, to: _, value } => f($Part::Atom(value)),
                    Exp::If { cond, then, els } => {
                        f($Part::Atom(cond));
                        f($Part::Body(then));
                        f($Part::Body(els));
                    }
                    Exp::Switch { scrutinee, cases, default } => {
                        f($Part::Atom(scrutinee));
                        for (_, body) in cases {
                            f($Part::Body(body));
                        }
                        f($Part::Body(default));
                    }
                    Exp::Loop { params, form, body } => {
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
                    Exp::Call { fun: _, args } => args.into_iter().for_each(|x| f($Part::Atom(x))),
                    Exp::Const(_) | Exp::Region | Exp::Null(_) | Exp::Workers => {}
                    Exp::Check(check) => $check(check, f),
                    Exp::ArrayLit(rows) => rows.into_iter().for_each(|x| f($Part::Atom(x))),
                    Exp::Range { prim: _, count, start, step } => {
                        f($Part::Atom(count));
                        f($Part::Atom(start));
                        f($Part::Atom(step));
                    }
                    Exp::Replicate { count, value } => {
                        f($Part::Atom(count));
                        f($Part::Atom(value));
                    }
                    Exp::Index { array, slice } => {
                        f($Part::Var(array));
                        $slice(slice, f);
                    }
                    Exp::Update { array, slice, value } => {
                        f($Part::Var(array));
                        $slice(slice, f);
                        f($Part::Atom(value));
                    }
                    Exp::Concat { size, arrays } => {
                        f($Part::Atom(size));
                        arrays.into_iter().for_each(|x| f($Part::Var(x)));
                    }
                    Exp::Reshape { array, old: _, new } => {
                        f($Part::Var(array));
                        new.into_iter().for_each(|x| f($Part::Atom(x)));
                    }
                    Exp::Rearrange { array, perm: _ } | Exp::Copy(array) => f($Part::Var(array)),
                    Exp::Coerce { array, dims } => {
                        f($Part::Var(array));
                        $dims(dims, f);
                    }
                    Exp::FlatIndex { array, offset, dims } => {
                        f($Part::Var(array));
                        f($Part::Atom(offset));
                        for (count, stride) in dims {
                            f($Part::Atom(count));
                            f($Part::Atom(stride));
                        }
                    }
                    Exp::FlatUpdate { array, offset, strides, value } => {
                        f($Part::Var(array));
                        f($Part::Atom(offset));
                        strides.into_iter().for_each(|x| f($Part::Atom(x)));
                        f($Part::Var(value));
                    }
                    Exp::Lengths(array) | Exp::JoinRows(array) => f($Part::Var(array)),
                    Exp::Segment { lengths, array } => {
                        f($Part::Var(lengths));
                        f($Part::Var(array));
                    }
                    Exp::Map { width, inputs, lambda }
                    | Exp::Filter { width, inputs, lambda }
                    | Exp::Partition { width, inputs, lambda } => {
                        f($Part::Atom(width));
                        inputs.into_iter().for_each(|x| f($Part::Var(x)));
                        f($Part::Lambda(lambda));
                    }
                    Exp::Sort { width, keys, wanted: _ } => {
                        f($Part::Atom(width));
                        f($Part::Var(keys));
                    }
                    Exp::Reduce { width, inputs, op } | Exp::Scan { width, inputs, op } => {
                        f($Part::Atom(width));
                        inputs.into_iter().for_each(|x| f($Part::Var(x)));
                        $reduction(op, f);
                    }
                    Exp::Fused { width, inputs, lambda, scans, reductions } => {
                        f($Part::Atom(width));
                        inputs.into_iter().for_each(|x| f($Part::Var(x)));
                        f($Part::Lambda(lambda));
                        scans.into_iter().for_each(|op| $reduction(op, f));
                        reductions.into_iter().for_each(|op| $reduction(op, f));
                    }
                    Exp::Scatter { width, dests, inputs, lambda } => {
                        f($Part::Atom(width));
                        dests.into_iter().for_each(|x| f($Part::Var(x)));
                        inputs.into_iter().for_each(|x| f($Part::Var(x)));
                        f($Part::Lambda(lambda));
                    }
                    Exp::Hist { width, dests, inputs, op, lambda } => {
                        f($Part::Atom(width));
                        dests.into_iter().for_each(|x| f($Part::Var(x)));
                        inputs.into_iter().for_each(|x| f($Part::Var(x)));
                        f($Part::Lambda(lambda));
                        $reduction(op, f);
                    }
                    Exp::Stream { width, inputs, form, lambda } => {
                        f($Part::Atom(width));
                        inputs.into_iter().for_each(|x| f($Part::Var(x)));
                        match form {
                            StreamForm::Map { any_order: _ } => {}
                            StreamForm::Reduce { any_order: _, op } => f($Part::Lambda(op)),
                            StreamForm::Seq { init } => init.into_iter().for_each(|x| f($Part::Atom(x))),
                        }
                        f($Part::Lambda(lambda));
                    }
                    Exp::AccStream { width, dests, inputs, op, lambda } => {
                        f($Part::Atom(width));
                        dests.into_iter().for_each(|x| f($Part::Var(x)));
                        inputs.into_iter().for_each(|x| f($Part::Var(x)));
                        if let Some(op) = op {
                            $reduction(op, f);
                        }
                        f($Part::Lambda(lambda));
                    }
                    Exp::AccWrite { acc, index, values } => {
                        f($Part::Var(acc));
                        f($Part::Atom(index));
                        values.into_iter().for_each(|x| f($Part::Atom(x)));
                    }
                    Exp::Alloc { region, data: _, constr: _, fields } => {
                        region.into_iter().for_each(|x| f($Part::Var(x)));
                        fields.into_iter().for_each(|x| f($Part::Atom(x)));
                    }
                    Exp::Tag { cell } | Exp::Load { constr: _, cell } => f($Part::Atom(cell)),
                }
            }
        }

        impl Stm {
            /// What stands in its expression, and before that in its mark.
            pub fn $exp(&$($mutable)? self, f: &mut dyn FnMut($Part<'_>)) {
                if let Some(Grid { work, balance }) = &$($mutable)? self.grid {
                    f($Part::Atom(work));
                    balance.into_iter().for_each(|x| f($Part::Var(x)));
                }
                self.exp.$exp(f);
            }
        }

        fn $check(check: &$($mutable)? Check, f: &mut dyn FnMut($Part<'_>)) {
            match check {
                Check::Index { index, length } => {
                    f($Part::Atom(index));
                    f($Part::Atom(length));
                }
                Check::Slice { start, count, stride, length } => {
                    f($Part::Atom(start));
                    f($Part::Atom(count));
                    f($Part::Atom(stride));
                    f($Part::Atom(length));
                }
                Check::Size { expected, found } => {
                    f($Part::Atom(expected));
                    f($Part::Atom(found));
                }
                Check::Shape { array, dims } => {
                    f($Part::Var(array));
                    $dims(dims, f);
                }
                Check::NonNegative(x) | Check::NonZero(_, x) | Check::Exponent(_, x) => f($Part::Atom(x)),
                Check::Range { prim: _, start, second, end, ok } => {
                    f($Part::Atom(start));
                    f($Part::Atom(second));
                    f($Part::Atom(end));
                    f($Part::Atom(ok));
                }
                Check::Segments { lengths, total } => {
                    f($Part::Var(lengths));
                    f($Part::Atom(total));
                }
                Check::Flat { offset, dims, length } => {
                    f($Part::Atom(offset));
                    for (count, stride) in dims {
                        f($Part::Atom(count));
                        f($Part::Atom(stride));
                    }
                    f($Part::Atom(length));
                }
                Check::Assert { cond, text: _ } => f($Part::Atom(cond)),
                Check::Fail { text: _ } => {}
            }
        }

        fn $slice(slice: &$($mutable)? [DimIndex], f: &mut dyn FnMut($Part<'_>)) {
            for dim in slice {
                match dim {
                    DimIndex::Fix(index) => f($Part::Atom(index)),
                    DimIndex::Slice { start, count, stride } => {
                        f($Part::Atom(start));
                        f($Part::Atom(count));
                        f($Part::Atom(stride));
                    }
                }
            }
        }

        fn $reduction(op: &$($mutable)? Reduction, f: &mut dyn FnMut($Part<'_>)) {
            for x in &$($mutable)? op.neutral {
                f($Part::Atom(x));
            }
            f($Part::Lambda(&$($mutable)? op.lambda));
        }

        fn $dims(dims: &$($mutable)? [Dim], f: &mut dyn FnMut($Part<'_>)) {
            for dim in dims {
                match dim {
                    Dim::Size(x) => f($Part::Atom(x)),
                    Dim::Irregular | Dim::Result(_) => {}
                }
            }
        }
    };
}

parts!(Part, for_each_part, check_parts, slice_parts, reduction_parts, dim_parts,);
parts!(PartMut, for_each_part_mut, check_parts_mut, slice_parts_mut, reduction_parts_mut, dim_parts_mut, mut);

impl Type {
    /// The variables that the type mentions: sizes and regions, in the order of the text.
    pub fn for_each_var_mut(&mut self, f: &mut dyn FnMut(&mut Var)) {
        match self {
            Type::Value(elem, dims) => {
                dim_parts_mut(dims, &mut |part| {
                    if let PartMut::Atom(Atom::Var(var)) = part {
                        f(var);
                    }
                });
                match elem {
                    Elem::Prim(_) | Elem::Ref(_, None) => {}
                    Elem::Ref(_, Some(region)) => f(region),
                }
            }
            Type::Acc(types) => types.iter_mut().for_each(|ty| ty.for_each_var_mut(f)),
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
            Type::Region | Type::Cert => {}
        }
    }
}
