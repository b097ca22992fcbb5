//! The parts of an operator, in the order of its text.

use crate::nest::task::{Carry, Join, Window};
use crate::nest::walk::{Part, PartMut};
use crate::nest::{Operator, StreamForm, Task};

/// One traversal, once by reference and once by mutable reference.
macro_rules! parts {
    ($Part:ident, $parts:ident, $($mutable:tt)?) => {
        impl Operator {
            pub fn $parts(&$($mutable)? self, f: &mut dyn FnMut($Part<'_>)) {
                match self {
                Operator::Map { width, inputs, lambda } | Operator::Filter { width, inputs, lambda } | Operator::Partition { width, inputs, lambda } => {
                    f($Part::Atom(width));
                    inputs.into_iter().for_each(|x| f($Part::Var(x)));
                    f($Part::Lambda(lambda));
                }
                Operator::Sort { width, keys, yields: _ } => {
                    f($Part::Atom(width));
                    f($Part::Var(keys));
                }
                Operator::Reduce { width, inputs, op } | Operator::Scan { width, inputs, op } => {
                    f($Part::Atom(width));
                    inputs.into_iter().for_each(|x| f($Part::Var(x)));
                    op.$parts(f);
                }
                Operator::Fused { width, inputs, lambda, scans, reductions } => {
                    f($Part::Atom(width));
                    inputs.into_iter().for_each(|x| f($Part::Var(x)));
                    f($Part::Lambda(lambda));
                    scans.into_iter().for_each(|op| op.$parts(f));
                    reductions.into_iter().for_each(|op| op.$parts(f));
                }
                Operator::Scatter { width, dests, inputs, lambda } => {
                    f($Part::Atom(width));
                    dests.into_iter().for_each(|x| f($Part::Var(x)));
                    inputs.into_iter().for_each(|x| f($Part::Var(x)));
                    f($Part::Lambda(lambda));
                }
                Operator::Hist { width, dests, inputs, op, lambda } => {
                    f($Part::Atom(width));
                    dests.into_iter().for_each(|x| f($Part::Var(x)));
                    inputs.into_iter().for_each(|x| f($Part::Var(x)));
                    f($Part::Lambda(lambda));
                    op.$parts(f);
                }
                Operator::Stream { width, inputs, form, lambda } => {
                    f($Part::Atom(width));
                    inputs.into_iter().for_each(|x| f($Part::Var(x)));
                    match form {
                        StreamForm::Map { any_order: _ } => {}
                        StreamForm::Reduce { any_order: _, op } => f($Part::Lambda(op)),
                        StreamForm::Seq { init } => init.into_iter().for_each(|x| f($Part::Atom(x))),
                    }
                    f($Part::Lambda(lambda));
                }
                Operator::AccStream { width, dests, inputs, op, lambda } => {
                    f($Part::Atom(width));
                    dests.into_iter().for_each(|x| f($Part::Var(x)));
                    inputs.into_iter().for_each(|x| f($Part::Var(x)));
                    if let Some(op) = op {
                        op.$parts(f);
                    }
                    f($Part::Lambda(lambda));
                }
                Operator::Task(task) => {
                    let Task { width, inputs, windows, carries, lambda, joins } = &$($mutable)? **task;
                    f($Part::Atom(width));
                    inputs.into_iter().for_each(|x| f($Part::Var(x)));
                    for Window { arrays, need } in windows {
                        arrays.into_iter().for_each(|x| f($Part::Var(x)));
                        f($Part::Lambda(need));
                    }
                    for Carry { total, op } in carries {
                        f($Part::Lambda(total));
                        op.$parts(f);
                    }
                    f($Part::Lambda(lambda));
                    for join in joins {
                        match join {
                            Join::Rows | Join::Kept(_) => {}
                            Join::Partial(op) => op.$parts(f),
                        }
                    }
                }
                }
            }
        }
    };
}

parts!(Part, for_each_part,);
parts!(PartMut, for_each_part_mut, mut);
