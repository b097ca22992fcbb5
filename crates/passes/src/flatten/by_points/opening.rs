//! The element at a point of what a lambda yields: the lambdas of maps are applied to elements, and views are followed to what they look at.
//!
//! ```text
//! let row: [m]f32 = map m (xs) \(x) { let y = mul x t  in y }          row at i:   x = xs [i];  y = mul x t
//! let part: [k]f32 = index row [a:k:1]                                 part at i:  row at a + i
//! ```
//!
//! What is no number of the lambda, no map and no view is taken from the operator in front, which keeps it for all rows (`keeping`). So is what takes work, unless it is computed once for each point anyway.
//! Refuses: results that maps combine, checks in the lambda that an element relies on, arrays that are overwritten, and sizes that only the lambda knows.

use super::keeping::Keeping;
use super::{Pointwise, combined_columns};
use crate::nest::subst::Names;
use norn_ir::nest::walk::PartMut;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, DimIndex, Exp, Lambda, Operator, Prim, ScalarExp, Stm, Type,
    UnOp, Var,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many numbers of the lambda are computed again at each point; others are kept.
const LITTLE: usize = 6;

/// The element at a point, as the lambda of a reduction, and what that takes.
pub struct Opened {
    pub point: Vec<Var>,
    pub inputs: Vec<Var>,
    pub lambda: Lambda,
}

pub fn open(names: &mut Names, stm: &Stm, keeping: &mut Keeping, pointwise: &Pointwise) -> Option<Opened> {
    let before = (keeping.kept.len(), keeping.added.len());
    let point: Vec<Var> = pointwise.sizes.iter().map(|_| names.fresh("i", Type::i64())).collect();
    let at: Vec<Atom> = point.iter().map(|var| (*var).into()).collect();
    let mut opening = Opening {
        names,
        stm,
        defs: definitions(&keeping.lambda.body),
        keeping,
        shared: FxHashSet::default(),
        homes: FxHashMap::default(),
        known: FxHashMap::default(),
        taken: Vec::new(),
        out: Vec::new(),
        computed: 0,
        has_opened: false,
    };
    let element = pointwise.result.var().and_then(|var| opening.element(var, &at));
    let Opening { taken, out, has_opened, .. } = opening;
    match element {
        Some(element) if has_opened => {
            let (inputs, params) = taken.into_iter().map(|(_, all, param)| (all, param)).unzip();
            let lambda = Lambda::new(params, Body { stms: out, result: vec![element] });
            Some(Opened { point, inputs, lambda })
        }
        Some(_) | None => {
            keeping.kept.truncate(before.0);
            keeping.added.truncate(before.1);
            None
        }
    }
}

fn definitions(body: &Body) -> FxHashMap<Var, &Stm> {
    body.stms.iter().flat_map(|stm| stm.vars.iter().map(move |var| (*var, stm))).collect()
}

/// What a variable of the lambda is where the element is computed.
#[derive(Clone)]
enum Known {
    Number(Atom),
    /// What an array is at these indices.
    Part(Var, Vec<Atom>),
}

struct Opening<'a, 'k> {
    names: &'a mut Names,
    stm: &'a Stm,
    /// By what the lambda binds, and maps in it whose lambdas are applied.
    defs: FxHashMap<Var, &'k Stm>,
    keeping: &'a mut Keeping<'k>,
    /// Numbers that lambdas compute for several points.
    shared: FxHashSet<Var>,
    /// Of those of the maps that the lambda itself has: the map, its width, and for which element they are needed.
    homes: FxHashMap<Var, (Var, Atom, Atom)>,
    known: FxHashMap<Var, Known>,
    /// Of variables of the lambda: what the reduction takes, and its parameter.
    taken: Vec<(Var, Var, Var)>,
    out: Vec<Stm>,
    /// How many numbers of the lambda are computed again.
    computed: usize,
    has_opened: bool,
}

impl<'k> Opening<'_, 'k> {
    /// What a variable is at these indices, a number.
    fn element(&mut self, var: Var, at: &[Atom]) -> Option<Atom> {
        match self.known.get(&var).cloned() {
            Some(Known::Number(number)) => return Some(number),
            Some(Known::Part(array, first)) => {
                let whole: Vec<Atom> = first.iter().chain(at).copied().collect();
                let number = self.element(array, &whole)?;
                if at.is_empty() {
                    self.known.insert(var, Known::Number(number));
                }
                return Some(number);
            }
            None => {}
        }
        let Some(stm) = self.defs.get(&var).copied() else {
            return if self.keeping.lambda.params.contains(&var) {
                self.take(var, at)
            } else {
                self.read(var, at)
            };
        };
        let opened = if self.relies_inside(stm) { None } else { self.open(stm, var, at) };
        opened.or_else(|| self.take(var, at)).or_else(|| self.take_from_map(var))
    }

    fn atom(&mut self, atom: Atom) -> Option<Atom> {
        atom.var().map_or(Some(atom), |var| self.element(var, &[]))
    }

    /// Whether it relies on a check in the lambda.
    fn relies_inside(&self, stm: &Stm) -> bool {
        stm.certs.iter().any(|cert| self.defs.contains_key(cert))
    }

    /// The element of what a statement binds.
    fn open(&mut self, stm: &'k Stm, var: Var, at: &[Atom]) -> Option<Atom> {
        match &stm.exp {
            Exp::Scalar(exp) => {
                let is_of_row = self.is_of_row(var);
                if is_of_row && self.computed >= LITTLE
                    || (is_of_row || self.shared.contains(&var)) && !is_cheap(exp)
                {
                    return None;
                }
                self.computed += usize::from(is_of_row);
                let mut copy = stm.clone();
                let mut all = true;
                copy.for_each_part_mut(&mut |part| {
                    if let PartMut::Atom(atom) = part {
                        match self.atom(*atom) {
                            Some(own) => *atom = own,
                            None => all = false,
                        }
                    }
                });
                all.then(|| self.number(copy, var))
            }
            Exp::Array(exp) => self.open_array(exp, at),
            Exp::Control(ControlExp::If { cond, then, els }) if at.is_empty() => {
                self.open_branch(stm, var, *cond, [then, els])
            }
            Exp::Op(
                Operator::Map { width, inputs, lambda } | Operator::Fused { width, inputs, lambda, .. },
            ) => {
                let width = *width;
                let number = stm.vars.iter().position(|bound| *bound == var)?;
                let (first, rest) = at.split_first()?;
                let is_combined = number < combined_columns(&stm.exp);
                if is_combined || lambda.params.len() != inputs.len() {
                    return None;
                }
                self.inside(|this| {
                    for (param, input) in lambda.params.iter().zip(inputs) {
                        this.known.insert(*param, Known::Part(*input, vec![*first]));
                    }
                    this.define(&lambda.body, !rest.is_empty());
                    if !rest.is_empty() && this.is_of_row(var) {
                        let numbers = lambda.body.stms.iter().flat_map(|stm| &stm.vars);
                        this.homes.extend(numbers.map(|number| (*number, (stm.vars[0], width, *first))));
                    }
                    this.has_opened = true;
                    match lambda.body.result[number] {
                        Atom::Var(result) => this.element(result, rest),
                        constant => Some(constant),
                    }
                })
            }
            Exp::Control(_) | Exp::Cell(_) | Exp::Op(_) => None,
        }
    }

    fn open_array(&mut self, exp: &ArrayExp, at: &[Atom]) -> Option<Atom> {
        match exp {
            ArrayExp::Index { array, slice } => {
                let mut rest = at.iter();
                let mut whole = Vec::new();
                for dim in slice {
                    whole.push(match dim {
                        DimIndex::Fix(place) => self.atom(*place)?,
                        DimIndex::Slice { start, count: _, stride } => {
                            let (start, stride) = (self.atom(*start)?, self.atom(*stride)?);
                            self.on_line(*rest.next()?, start, stride)
                        }
                    });
                }
                whole.extend(rest);
                self.element(*array, &whole)
            }
            ArrayExp::Rearrange { array, perm } => {
                let mut whole = at.to_vec();
                for (to, from) in perm.iter().enumerate() {
                    *whole.get_mut(*from)? = *at.get(to)?;
                }
                self.element(*array, &whole)
            }
            ArrayExp::Copy(array) | ArrayExp::Coerce { array, dims: _ } => self.element(*array, at),
            ArrayExp::Replicate { count: _, value } => match value {
                Atom::Var(value) => self.element(*value, at.get(1..)?),
                constant => Some(*constant),
            },
            ArrayExp::Range { prim: Prim::I64, count: _, start, step } => {
                let (start, step) = (self.atom(*start)?, self.atom(*step)?);
                Some(self.on_line(*at.first()?, start, step))
            }
            ArrayExp::ArrayLit(_)
            | ArrayExp::Range { .. }
            | ArrayExp::Update { .. }
            | ArrayExp::Concat { .. }
            | ArrayExp::Reshape { .. }
            | ArrayExp::FlatIndex { .. }
            | ArrayExp::FlatUpdate { .. }
            | ArrayExp::Lengths(_)
            | ArrayExp::Ends(_)
            | ArrayExp::JoinRows(_)
            | ArrayExp::Segment { .. }
            | ArrayExp::AccWrite { .. } => None,
        }
    }

    /// A choice between numbers, which branches compute of numbers.
    fn open_branch(&mut self, stm: &'k Stm, var: Var, cond: Atom, branches: [&'k Body; 2]) -> Option<Atom> {
        if self.is_of_row(var) {
            return None;
        }
        let number = stm.vars.iter().position(|bound| *bound == var)?;
        let cond = self.atom(cond)?;
        let mut bodies = Vec::new();
        for branch in branches {
            let outer = std::mem::take(&mut self.out);
            let result = self.inside(|this| {
                let is_shared = this.shared.contains(&var);
                this.define(branch, is_shared);
                this.atom(branch.result[number])
            });
            let stms = std::mem::replace(&mut self.out, outer);
            bodies.push(Body { stms, result: vec![result?] });
        }
        let [then, els]: [Body; 2] = bodies.try_into().ok()?;
        let choice = Stm { vars: vec![var], exp: Exp::if_(cond, then, els), ..stm.clone() };
        Some(self.number(choice, var))
    }

    /// What a lambda that is applied, or a branch, computes; for several points if it is shared.
    fn define(&mut self, body: &'k Body, is_shared: bool) {
        let defs = definitions(body);
        if is_shared {
            self.shared.extend(defs.keys());
        }
        self.defs.extend(defs);
    }

    /// What is known inside of a lambda that is applied, or of a branch, is not known outside.
    fn inside(&mut self, f: impl FnOnce(&mut Self) -> Option<Atom>) -> Option<Atom> {
        let known = self.known.clone();
        let found = f(self);
        self.known = known;
        found
    }

    /// Whether the lambda itself binds it, so that it is the same at all points.
    fn is_of_row(&self, var: Var) -> bool {
        self.keeping.lambda.body.stms.iter().any(|stm| stm.vars.contains(&var))
    }

    fn number(&mut self, mut stm: Stm, var: Var) -> Atom {
        let own = self.names.fresh(&self.names.name(var), self.names.ty(var).clone());
        stm.vars = vec![own];
        self.out.push(stm);
        self.known.insert(var, Known::Number(own.into()));
        own.into()
    }

    /// `start + at * stride`.
    fn on_line(&mut self, at: Atom, start: Atom, stride: Atom) -> Atom {
        let step = if stride == Atom::i64(1) { at } else { self.i64(BinOp::Mul, at, stride) };
        if start == Atom::i64(0) { step } else { self.i64(BinOp::Add, start, step) }
    }

    fn i64(&mut self, op: BinOp, x: Atom, y: Atom) -> Atom {
        let var = self.names.fresh("at", Type::i64());
        self.out.push(Stm::new(vec![var], Exp::bin(op, Prim::I64, x, y), self.stm.span));
        var.into()
    }

    /// What the lambda's parameter is, or what it computes for a row, by an input of the reduction.
    fn take(&mut self, var: Var, at: &[Atom]) -> Option<Atom> {
        let param = match self.taken.iter().find(|(taken, ..)| *taken == var) {
            Some((_, _, param)) => *param,
            None => {
                let is_param = self.keeping.lambda.params.contains(&var);
                let is_added = self.keeping.added.iter().any(|added| added.array == var);
                if !is_param && !is_added && !self.is_of_row(var) {
                    return None;
                }
                let all = self.keeping.all(self.names, self.stm, var)?;
                let param = self.names.fresh(&self.names.name(var), self.names.ty(var).clone());
                self.taken.push((var, all, param));
                param
            }
        };
        self.read(param, at)
    }

    /// What takes work in the lambda of a map, and is for several points: the map yields it, too.
    fn take_from_map(&mut self, number: Var) -> Option<Atom> {
        let (map, width, at) = self.homes.get(&number).copied()?;
        if !self.names.ty(number).is_scalar() {
            return None;
        }
        let array = self.keeping.add(self.names, map, width, number);
        let element = self.take(array, &[at])?;
        self.known.insert(number, Known::Number(element));
        Some(element)
    }

    fn read(&mut self, array: Var, at: &[Atom]) -> Option<Atom> {
        if at.is_empty() {
            return Some(array.into());
        }
        let ty = self.names.ty(array).clone();
        if ty.rank() != at.len() {
            return None;
        }
        let element = self.names.fresh(&self.names.name(array), ty.with_dims(Vec::new()));
        let slice = at.iter().map(|at| DimIndex::Fix(*at)).collect();
        self.out.push(Stm::new(vec![element], Exp::index(array, slice), self.stm.span));
        Some(element.into())
    }
}

/// Numbers that are computed again sooner than stored.
fn is_cheap(exp: &ScalarExp) -> bool {
    match exp {
        ScalarExp::Atom(_) | ScalarExp::Convert { .. } => true,
        ScalarExp::Un(op, ..) => matches!(op, UnOp::Neg | UnOp::Not | UnOp::Abs),
        ScalarExp::Bin(op, ..) => matches!(
            op,
            BinOp::Add
                | BinOp::Sub
                | BinOp::Mul
                | BinOp::Min
                | BinOp::Max
                | BinOp::And
                | BinOp::Or
                | BinOp::Eq
                | BinOp::Lt
                | BinOp::Le
        ),
        ScalarExp::Tri(..) | ScalarExp::Workers | ScalarExp::Tunable(_) => false,
    }
}
