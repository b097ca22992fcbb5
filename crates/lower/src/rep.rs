//! How a value is represented: its type, with what is known about the functions in it.
//!
//! A value of the typed tree becomes a list of columns. Its `Rep` says which: a record has those of
//! its fields, a sum a tag and those of its payloads, an array those of its elements with one more
//! dimension, a function what it has captured. Payloads share columns (`SumRep`), since only one
//! constructor's are there at a time. Functions that are known (`Fn`) need no tag: which
//! code they are is part of the `Rep`. A function that may be one of several is `Dyn`, a class of the
//! flow analysis (see `classes`).
//!
//! Sizes are no part of a `Rep`: they stand in the types of the columns. The *dimensions* of a value
//! are those sizes, one for each array in the `Rep` that is not irregular inside another array, in
//! the order of a walk from the outside in and from left to right. Passing a value somewhere else
//! means passing its dimensions and its columns.

use crate::classes::ClassId;
use crate::index::EnvId;
use crate::mono::Mono;
use norn_base::{Prim, Symbol};
use norn_check::types::{TyId, VarId};
use norn_ir::nest::DataId;
use norn_ir::nest::iface::{Kind, Slots};
use std::rc::Rc;

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Rep {
    Prim(Prim),
    /// Sorted by field. Without fields: one `bool`.
    Record(Rc<[(Symbol, Rep)]>),
    Sum(Rc<SumRep>),
    /// Whether its length varies within the array around it, and its elements.
    Array(bool, Rc<Rep>),
    Data(DataId),
    Fn(Rc<FnRep>),
    Dyn(ClassId),
    /// An accumulator for arrays of this kind.
    Acc(Rc<Rep>),
}

/// A sum: a tag, then the slots, in which payloads lie.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct SumRep {
    /// Sorted by constructor: in which slots its payloads lie.
    pub constrs: Rc<[(Symbol, Vec<usize>)]>,
    pub slots: Vec<Rep>,
}

/// A function that is known. Its columns are the sizes of its types, what it has captured, and the
/// arguments it has been given.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FnRep {
    pub code: Code,
    pub env: EnvId,
    /// The types of type parameters in scope of the code; their sizes are holes.
    pub tys: Rc<[(TyId, Mono)]>,
    pub holes: usize,
    pub captured: Vec<(VarId, Rep)>,
    pub applied: Vec<Rep>,
}

/// The code of a function in its environment, given so many arguments: what is the same whatever it has captured.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CodeKey {
    code: Code,
    env: EnvId,
    tys: Rc<[(TyId, Mono)]>,
    applied: usize,
}

/// Where the code of a function is. Nodes of the typed tree are distinguished by their address.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Code {
    /// A definition, by its original name.
    Def(VarId),
    /// A lambda expression.
    Lambda(usize),
    /// A local function.
    Local(usize),
    /// A built-in function, by its name, and the type it is used at.
    BuiltIn(Symbol, Rc<Mono>),
    /// `(op x)`: the function applied to what was captured, arguments exchanged. The operator and the
    /// operand are the first two applied.
    Flipped,
    /// `(.field)`, `(.[i])`: the expression; indices are applied.
    Projection(usize),
}

impl Rep {
    pub fn unit() -> Rep {
        Rep::Record(Rc::from([]))
    }

    pub fn i64() -> Rep {
        Rep::Prim(Prim::I64)
    }

    pub fn bool() -> Rep {
        Rep::Prim(Prim::Bool)
    }

    pub fn array(elem: Rep) -> Rep {
        Rep::Array(false, Rc::new(elem))
    }

    pub fn tuple(parts: impl IntoIterator<Item = Rep>) -> Rep {
        Rep::Record(parts.into_iter().enumerate().map(|(i, r)| (Symbol::tuple_field(i), r)).collect())
    }

    pub fn prim(&self) -> Option<Prim> {
        match self {
            Rep::Prim(p) => Some(*p),
            _ => None,
        }
    }

    /// What a value of this kind is once it is out of the array around it: lengths that
    /// varied there are now just lengths.
    pub fn open(&self) -> Rep {
        match self {
            Rep::Prim(_) | Rep::Data(_) | Rep::Dyn(_) | Rep::Acc(_) => self.clone(),
            Rep::Record(fields) => Rep::Record(fields.iter().map(|(f, r)| (*f, r.open())).collect()),
            Rep::Sum(sum) => Rep::Sum(sum.map(&mut Rep::open)),
            Rep::Array(_, elem) => Rep::Array(false, elem.clone()),
            Rep::Fn(f) => Rep::Fn(Rc::new(f.map(&mut Rep::open))),
        }
    }

    /// The same with every array irregular inside whatever may be around it.
    pub fn all_irregular(&self) -> Rep {
        match self {
            Rep::Prim(_) | Rep::Data(_) | Rep::Dyn(_) | Rep::Acc(_) => self.clone(),
            Rep::Record(fields) => Rep::Record(fields.iter().map(|(f, r)| (*f, r.all_irregular())).collect()),
            Rep::Sum(sum) => Rep::Sum(sum.map(&mut Rep::all_irregular)),
            Rep::Array(_, elem) => Rep::Array(true, Rc::new(elem.all_irregular())),
            Rep::Fn(f) => Rep::Fn(Rc::new(f.map(&mut Rep::all_irregular))),
        }
    }

    /// The same with the irregular dimensions of another representation of values that differ only in sizes.
    pub fn irregular_like(&self, other: &Rep) -> Rep {
        match (self, other) {
            (Rep::Array(i, x), Rep::Array(j, y)) => Rep::Array(*i || *j, Rc::new(x.irregular_like(y))),
            (Rep::Record(xs), Rep::Record(ys)) => Rep::Record(
                xs.iter().zip(ys.iter()).map(|((f, x), (_, y))| (*f, x.irregular_like(y))).collect(),
            ),
            (Rep::Sum(x), Rep::Sum(y)) => {
                let mut others = y.slots.iter();
                Rep::Sum(x.map(&mut |r| others.next().map_or_else(|| r.clone(), |y| r.irregular_like(y))))
            }
            _ => self.clone(),
        }
    }

    /// What may lie in one slot of a sum with it, if anything may.
    fn kind(&self) -> Option<Kind> {
        match self {
            Rep::Prim(p) => Some(Kind::Scalar(*p)),
            Rep::Record(fields) => {
                let fields = fields.iter().map(|(f, r)| Some((f.as_str().to_string(), r.kind()?)));
                fields.collect::<Option<Vec<_>>>().map(Kind::Record)
            }
            Rep::Sum(sum) => {
                let constrs = sum.constrs.iter().map(|(name, places)| {
                    let payload = places.iter().map(|slot| sum.slots[*slot].kind());
                    Some((name.as_str().to_string(), payload.collect::<Option<Vec<_>>>()?))
                });
                constrs.collect::<Option<Vec<_>>>().map(Kind::Sum)
            }
            Rep::Array(_, elem) => elem.kind().and_then(Kind::array),
            Rep::Data(_) | Rep::Fn(_) | Rep::Dyn(_) | Rep::Acc(_) => None,
        }
    }

    /// As an element of an array: payloads that do not matter have no particular size.
    pub fn as_element(&self) -> Rep {
        match self {
            Rep::Prim(_) | Rep::Data(_) | Rep::Dyn(_) | Rep::Acc(_) => self.clone(),
            Rep::Record(fields) => Rep::Record(fields.iter().map(|(f, r)| (*f, r.as_element())).collect()),
            Rep::Sum(sum) => Rep::Sum(sum.map(&mut Rep::all_irregular)),
            Rep::Array(irregular, elem) => Rep::Array(*irregular, Rc::new(elem.as_element())),
            Rep::Fn(f) => Rep::Fn(Rc::new(f.map(&mut Rep::as_element))),
        }
    }

    /// The parts whose columns are those of the value, side by side: records and known functions taken apart.
    pub fn leaves(&self, out: &mut Vec<Rep>) {
        match self {
            Rep::Record(fields) if !fields.is_empty() => fields.iter().for_each(|(_, r)| r.leaves(out)),
            Rep::Fn(f) => {
                out.extend(std::iter::repeat_n(Rep::i64(), f.holes));
                f.parts().for_each(|r| r.leaves(out));
            }
            Rep::Prim(_)
            | Rep::Record(_)
            | Rep::Sum(_)
            | Rep::Array(..)
            | Rep::Data(_)
            | Rep::Dyn(_)
            | Rep::Acc(_) => out.push(self.clone()),
        }
    }

    pub fn has_acc(&self) -> bool {
        match self {
            Rep::Prim(_) | Rep::Data(_) | Rep::Dyn(_) => false,
            Rep::Record(fields) => fields.iter().any(|(_, r)| r.has_acc()),
            Rep::Sum(sum) => sum.slots.iter().any(Rep::has_acc),
            Rep::Array(_, elem) => elem.has_acc(),
            Rep::Fn(f) => f.parts().any(Rep::has_acc),
            Rep::Acc(_) => true,
        }
    }

    /// Whether it has at most so many nodes; those that it has are taken off.
    fn fits(&self, nodes: &mut usize) -> bool {
        if *nodes == 0 {
            return false;
        }
        *nodes -= 1;
        match self {
            Rep::Prim(_) | Rep::Data(_) | Rep::Dyn(_) => true,
            Rep::Record(fields) => fields.iter().all(|(_, r)| r.fits(nodes)),
            Rep::Sum(sum) => sum.slots.iter().all(|r| r.fits(nodes)),
            Rep::Array(_, elem) | Rep::Acc(elem) => elem.fits(nodes),
            Rep::Fn(f) => f.parts().all(|r| r.fits(nodes)),
        }
    }

    /// Whether it contains known functions that contain known functions, this deep.
    pub fn nests(&self, depth: usize) -> bool {
        match self {
            Rep::Prim(_) | Rep::Data(_) | Rep::Dyn(_) => false,
            Rep::Record(fields) => fields.iter().any(|(_, r)| r.nests(depth)),
            Rep::Sum(sum) => sum.slots.iter().any(|r| r.nests(depth)),
            Rep::Array(_, elem) | Rep::Acc(elem) => elem.nests(depth),
            Rep::Fn(f) => depth <= 1 || f.parts().any(|r| r.nests(depth - 1)),
        }
    }

    /// Whether it contains a function that is known.
    pub fn has_fn(&self) -> bool {
        match self {
            Rep::Prim(_) | Rep::Data(_) | Rep::Dyn(_) => false,
            Rep::Record(fields) => fields.iter().any(|(_, r)| r.has_fn()),
            Rep::Sum(sum) => sum.slots.iter().any(Rep::has_fn),
            Rep::Array(_, elem) | Rep::Acc(elem) => elem.has_fn(),
            Rep::Fn(_) => true,
        }
    }
}

impl SumRep {
    /// A sum of these constructors and their payloads.
    pub fn new(constrs: Vec<(Symbol, Vec<Rep>)>) -> SumRep {
        let (mut slots, mut reps): (Slots, Vec<Rep>) = Default::default();
        let mut named = Vec::new();
        for (name, payload) in constrs {
            slots.next_constructor();
            let places: Vec<usize> = payload.iter().map(|rep| slots.place(rep.kind())).collect();
            for (slot, rep) in places.iter().zip(payload) {
                match reps.get_mut(*slot) {
                    Some(known) => *known = known.irregular_like(&rep),
                    None => reps.push(rep),
                }
            }
            named.push((name, places));
        }
        SumRep { constrs: named.into(), slots: reps }
    }

    pub fn map(&self, f: &mut dyn FnMut(&Rep) -> Rep) -> Rc<SumRep> {
        Rc::new(SumRep { constrs: self.constrs.clone(), slots: self.slots.iter().map(f).collect() })
    }

    /// With other slots.
    pub fn with_slots(&self, slots: Vec<Rep>) -> Rep {
        Rep::Sum(Rc::new(SumRep { constrs: self.constrs.clone(), slots }))
    }
}

impl FnRep {
    /// The representations of its columns, the holes aside.
    pub fn parts(&self) -> impl Iterator<Item = &Rep> {
        self.captured.iter().map(|(_, r)| r).chain(&self.applied)
    }

    pub fn key(&self) -> CodeKey {
        CodeKey { code: self.code.clone(), env: self.env, tys: self.tys.clone(), applied: self.applied.len() }
    }

    /// Whether what it has captured and been given has at most so many nodes.
    pub fn is_smaller_than(&self, mut nodes: usize) -> bool {
        self.parts().all(|r| r.fits(&mut nodes))
    }

    pub fn map(&self, f: &mut dyn FnMut(&Rep) -> Rep) -> FnRep {
        FnRep {
            code: self.code.clone(),
            env: self.env,
            tys: self.tys.clone(),
            holes: self.holes,
            captured: self.captured.iter().map(|(v, r)| (*v, f(r))).collect(),
            applied: self.applied.iter().map(f).collect(),
        }
    }

    /// Whether two are the same code with the same kinds of columns, whatever these contain.
    pub fn same_code(&self, other: &FnRep) -> bool {
        self.code == other.code
            && self.env == other.env
            && self.tys == other.tys
            && self.captured.len() == other.captured.len()
            && self.captured.iter().zip(&other.captured).all(|((v, _), (w, _))| v == w)
            && self.applied.len() == other.applied.len()
    }
}
