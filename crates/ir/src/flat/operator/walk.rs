//! The parts of kernels and the other expressions, in the order of the text.

use crate::flat::{After, Extent, Into, Operator, Order, Out, Part, PartMut};
use crate::skeleton::DimIndex;

/// One traversal, once by reference and once by mutable reference.
macro_rules! parts {
    ($Part:ident, $parts:ident, $out:ident, $into:ident, $($mutable:tt)?) => {
        pub fn $parts(op: &$($mutable)? Operator, f: &mut dyn FnMut($Part<'_>)) {
            match op {
                Operator::Kernel(kernel) => {
                    let kernel = &$($mutable)? **kernel;
                    for dim in (&$($mutable)? kernel.points).into_iter().chain(&$($mutable)? kernel.through) {
                        f($Part::Binder(&$($mutable)? dim.var));
                        match &$($mutable)? dim.extent {
                            Extent::Size(size) => f($Part::Atom(size)),
                            Extent::Row(descriptor) => f($Part::Var(descriptor)),
                        }
                    }
                    (&$($mutable)? kernel.when).into_iter().for_each(|x| f($Part::Atom(x)));
                    f($Part::Body(&$($mutable)? kernel.body));
                    (&$($mutable)? kernel.outs).into_iter().for_each(|out| $out(out, f));
                }
                Operator::Describe { lengths } => f($Part::Var(lengths)),
                Operator::Rows { array, starts, descriptor } => {
                    f($Part::Var(array));
                    f($Part::Var(starts));
                    f($Part::Var(descriptor));
                }
                Operator::Read(scalars) => scalars.into_iter().for_each(|x| f($Part::Atom(x))),
                Operator::CopyTo { array, side: _ } => f($Part::Var(array)),
                Operator::Choose { cases, otherwise } => {
                    for (cond, body) in cases {
                        f($Part::Atom(cond));
                        f($Part::Body(body));
                    }
                    f($Part::Body(otherwise));
                }
                Operator::Fact { fact: _, descriptor } => f($Part::Var(descriptor)),
                Operator::Owner { descriptor, element } => {
                    f($Part::Var(descriptor));
                    f($Part::Atom(element));
                }
                Operator::Offset { descriptor, row } => {
                    f($Part::Var(descriptor));
                    f($Part::Atom(row));
                }
            }
        }

        fn $out(out: &$($mutable)? Out, f: &mut dyn FnMut($Part<'_>)) {
            match out {
                Out::Map { values: _, into } | Out::Scatter { indices: _, into } => $into(into, f),
                Out::Reduce { op, after } => {
                    op.$parts(f);
                    after.into_iter().for_each(|after| f($Part::Lambda(after)));
                }
                Out::Scan { op, after } => {
                    op.$parts(f);
                    if let Some(After { further: _, lambda }) = after {
                        f($Part::Lambda(lambda));
                    }
                }
                Out::Filter { values: _ } | Out::Partition { values: _ } => {}
                Out::Sort { order, values: _ } => match order {
                    Order::Key => {}
                    Order::By(lambda) => f($Part::Lambda(lambda)),
                },
                Out::Hist { op, indices: _, into } => {
                    op.$parts(f);
                    $into(into, f);
                }
                Out::Acc { var, op, into } => {
                    f($Part::Binder(var));
                    op.into_iter().for_each(|op| op.$parts(f));
                    into.into_iter().for_each(|x| f($Part::Var(x)));
                }
            }
        }

        fn $into(into: &$($mutable)? [Into], f: &mut dyn FnMut($Part<'_>)) {
            for Into { array, part } in into {
                f($Part::Var(array));
                for dim in part {
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
        }
    };
}

parts!(Part, for_each_part, out_parts, into_parts,);
parts!(PartMut, for_each_part_mut, out_parts_mut, into_parts_mut, mut);
