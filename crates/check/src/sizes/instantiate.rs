//! Gives sizes to types that `infer` found without, and instantiates type schemes.
//!
//! Each dimension of such a type becomes a new size variable; parts that were inferred to be one type get the same sizes. A scheme `[n] 'a. ..` is instantiated at each use, with new sizes for `n` and the inferred types for `'a`.

use super::{Constraint, InstKind, Sizer};
use crate::env::Value;
use crate::subst;
use crate::types::{
    self, Arrow, Liftedness, MetaId, RetTy, Scheme, Size, TParam, Ty, TyArg, TyId, TyKind, VarId,
};
use norn_base::Span;
use norn_syntax::ast::NodeId;
use rustc_hash::FxHashMap;

/// The origin of a size that no name was written for.
pub(super) const INFERRED: &str = "the type inferred for this";

impl Sizer<'_> {
    /// The type that inference found for a node, with new sizes. Parts that were inferred to be the
    /// same type get the same sizes.
    pub(super) fn inferred(&mut self, id: NodeId, kind: InstKind, span: Span) -> Ty {
        let t = self.cx.tables.types.get(id).cloned().unwrap_or_else(types::error);
        self.give_sizes(&t, kind, span)
    }

    pub(super) fn give_sizes(&mut self, t: &Ty, kind: InstKind, span: Span) -> Ty {
        self.sized(t, kind, span, &mut FxHashMap::default())
    }

    fn sized(&mut self, t: &Ty, kind: InstKind, span: Span, seen: &mut FxHashMap<MetaId, Ty>) -> Ty {
        if t.is_scalar() {
            return t.clone();
        }
        let (meta, t) = self.metas.root(t);
        if let Some(known) = meta.and_then(|m| seen.get(&m)) {
            return known.clone();
        }
        let new = match &*t {
            TyKind::Prim(_) | TyKind::Error => t.clone(),
            TyKind::Meta(_) => types::error(),
            // The type of a value; only results of functions are marked.
            TyKind::Unique(inner) => self.sized(inner, kind, span, seen),
            TyKind::Con(_, args) if args.is_empty() => t.clone(),
            TyKind::Con(id, args) => {
                let args = args
                    .iter()
                    .map(|a| match a {
                        TyArg::Size(_) => TyArg::Size(self.inst_size("d", kind, span)),
                        TyArg::Type(t) => TyArg::Type(self.sized(t, kind, span, seen)),
                    })
                    .collect();
                types::con(*id, args)
            }
            TyKind::Array(_, elem) => {
                let size = self.inst_size("d", kind, span);
                types::array(size, self.sized(elem, kind, span, seen))
            }
            TyKind::Record(fields) => Ty::new(TyKind::Record(
                fields.iter().map(|(f, t)| (*f, self.sized(t, kind, span, seen))).collect(),
            )),
            TyKind::Sum(cs) => Ty::new(TyKind::Sum(
                cs.iter()
                    .map(|(c, ts)| (*c, ts.iter().map(|t| self.sized(t, kind, span, seen)).collect()))
                    .collect(),
            )),
            TyKind::Arrow(a) => {
                if let Some(p) = a.param {
                    self.register_binder(p, span);
                }
                let arg = self.sized(&a.arg, kind, span, seen);
                let ty = types::marked_like(&a.ret.ty, &self.sized(&a.ret.ty, kind, span, seen));
                let ret = RetTy { exts: Vec::new(), ty };
                Ty::new(TyKind::Arrow(Arrow { param: a.param, diet: a.diet, arg, ret }))
            }
        };
        if let Some(m) = meta {
            seen.insert(m, new.clone());
        }
        new
    }

    fn inst_size(&mut self, name: &str, kind: InstKind, span: Span) -> Size {
        Size::Var(self.new_size(name, span, Constraint::Inst(kind), INFERRED))
    }

    /// Sizes made for a function type may turn out to be its own parameters.
    fn register_binder(&mut self, p: VarId, span: Span) {
        self.binders.insert(p);
        if !self.entries.contains_key(&p) {
            self.constrain(p, Constraint::Param, span, "");
        }
    }

    /// The type of a variable at one use, whose type without sizes is recorded at `node`.
    pub(super) fn var_type(&mut self, var: VarId, node: NodeId, span: Span) -> Ty {
        match self.cx.value(var).cloned() {
            Some(Value::Scheme(scheme)) if scheme.tparams.is_empty() => scheme.ty.clone(),
            Some(Value::Scheme(scheme) | Value::Primitive { scheme, .. }) => {
                let inferred = self.cx.tables.types.get(node).cloned().unwrap_or_else(types::error);
                self.instantiate(&scheme, &inferred, span)
            }
            Some(Value::Overloaded { .. } | Value::Equality | Value::Recursive) => {
                self.inferred(node, InstKind::Local, span)
            }
            None => types::error(),
        }
    }

    pub(super) fn instantiate(&mut self, scheme: &Scheme, inferred: &Ty, span: Span) -> Ty {
        let mut sizes = FxHashMap::default();
        let mut params = FxHashMap::default();
        let in_elements = element_sizes(&scheme.ty);
        for p in &scheme.tparams {
            match p {
                TParam::Size(v) => {
                    let name = self.cx.names.var(*v).name;
                    let new = self.new_size(
                        name.as_str(),
                        span,
                        Constraint::Inst(InstKind::Open),
                        "a size parameter of this function",
                    );
                    if in_elements.contains(v)
                        && let Some(e) = self.entries.get_mut(&new)
                    {
                        e.regular = true;
                    }
                    sizes.insert(*v, Size::Var(new));
                }
                TParam::Type(id, lifted) => {
                    params.insert(*id, *lifted);
                }
            }
        }
        let t = subst::apply_sizes(&sizes, &scheme.ty);
        if params.is_empty() {
            return t;
        }
        let mut inst = Instance { params, seen: FxHashMap::default(), span };
        self.inst_type(&mut inst, inferred, &t)
    }

    fn inst_type(&mut self, inst: &mut Instance, inferred: &Ty, scheme: &Ty) -> Ty {
        if let TyKind::Unique(inner) = &**scheme {
            let t = self.inst_type(inst, inferred, inner);
            return types::unique(&t);
        }
        if let TyKind::Con(id, _) = &**scheme
            && let Some(lifted) = inst.params.get(id).copied()
        {
            return self.inst_param(inst, *id, lifted, inferred);
        }
        let found = self.metas.head(inferred);
        match (&*found, &**scheme) {
            (TyKind::Record(xs), TyKind::Record(ys)) if xs.len() == ys.len() => Ty::new(TyKind::Record(
                xs.iter().zip(ys).map(|((_, x), (f, y))| (*f, self.inst_type(inst, x, y))).collect(),
            )),
            (TyKind::Sum(xs), TyKind::Sum(ys)) if xs.len() == ys.len() => Ty::new(TyKind::Sum(
                xs.iter()
                    .zip(ys)
                    .map(|((_, ts), (c, us))| {
                        (*c, ts.iter().zip(us).map(|(t, u)| self.inst_type(inst, t, u)).collect())
                    })
                    .collect(),
            )),
            (TyKind::Array(_, x), TyKind::Array(size, y)) => {
                types::array(size.clone(), self.inst_type(inst, x, y))
            }
            (TyKind::Arrow(x), TyKind::Arrow(y)) => {
                let arg = self.inst_type(inst, &x.arg, &y.arg);
                let ty = self.inst_type(inst, &x.ret.ty, &y.ret.ty);
                let ret = RetTy { exts: y.ret.exts.clone(), ty };
                Ty::new(TyKind::Arrow(Arrow { param: y.param, diet: y.diet, arg, ret }))
            }
            (TyKind::Con(_, xs), TyKind::Con(id, ys)) => types::con(
                *id,
                xs.iter()
                    .zip(ys)
                    .map(|pair| match pair {
                        (TyArg::Type(x), TyArg::Type(y)) => TyArg::Type(self.inst_type(inst, x, y)),
                        (_, y) => y.clone(),
                    })
                    .collect(),
            ),
            (TyKind::Error, _) => types::error(),
            _ => scheme.clone(),
        }
    }

    fn inst_param(&mut self, inst: &mut Instance, id: TyId, lifted: Liftedness, inferred: &Ty) -> Ty {
        let span = inst.span;
        if let Some(first) = inst.seen.get(&id).cloned() {
            self.occurrences += 1;
            let occurrence = self.occurrences;
            return subst::map_sizes(&first, &mut |s| match s {
                Size::Var(of) => Size::Var(self.new_size(
                    self.cx.names.var(*of).name.as_str(),
                    span,
                    Constraint::Copy { of: *of, occurrence },
                    "",
                )),
                s => s.clone(),
            });
        }
        let kind = if lifted == Liftedness::Unlifted { InstKind::Element } else { InstKind::Open };
        let t = self.give_sizes(inferred, kind, span);
        inst.seen.insert(id, t.clone());
        t
    }
}

/// One instantiation of a scheme.
struct Instance {
    params: FxHashMap<TyId, Liftedness>,
    /// What each type parameter became at its first occurrence.
    seen: FxHashMap<TyId, Ty>,
    span: Span,
}

/// The variables that occur in sizes of the elements of an array, and so must stand for one size. One
/// that is the outermost size of a parameter may vary with the argument, though, and then so may what
/// the function makes of it.
pub(super) fn element_sizes(t: &Ty) -> Vec<VarId> {
    let mut out = Vec::new();
    let mut outermost = Vec::new();
    let mut t = t.clone();
    while let TyKind::Arrow(a) = &*t.clone() {
        sizes_of(&a.arg, false, &mut outermost, &mut out);
        t = a.ret.ty.clone();
    }
    let mut in_result = Vec::new();
    sizes_of(&t, false, &mut Vec::new(), &mut in_result);
    out.extend(in_result.into_iter().filter(|v| !outermost.contains(v)));
    out
}

/// The variables in the outermost sizes of a type, and those in the sizes of elements.
fn sizes_of(t: &Ty, inside: bool, outermost: &mut Vec<VarId>, elements: &mut Vec<VarId>) {
    if !t.has_sizes() {
        return;
    }
    let add = |s: &Size, outermost: &mut Vec<VarId>, elements: &mut Vec<VarId>| match s {
        Size::Var(v) if !inside => outermost.push(*v),
        s => subst::each_var_in_size(s, &mut |v| {
            if inside {
                elements.push(v);
            }
        }),
    };
    match &**t {
        TyKind::Prim(_) | TyKind::Meta(_) | TyKind::Error => {}
        TyKind::Con(_, args) => {
            for a in args {
                match a {
                    TyArg::Size(s) => add(s, outermost, elements),
                    // A value may hold many of these, like an array.
                    TyArg::Type(t) => sizes_of(t, true, outermost, elements),
                }
            }
        }
        TyKind::Array(s, elem) => {
            add(s, outermost, elements);
            sizes_of(elem, true, outermost, elements);
        }
        TyKind::Unique(t) => sizes_of(t, inside, outermost, elements),
        TyKind::Record(fields) => fields.iter().for_each(|(_, t)| sizes_of(t, inside, outermost, elements)),
        TyKind::Sum(cs) => {
            cs.iter().for_each(|(_, ts)| ts.iter().for_each(|t| sizes_of(t, inside, outermost, elements)));
        }
        TyKind::Arrow(a) => {
            sizes_of(&a.arg, false, &mut Vec::new(), elements);
            sizes_of(&a.ret.ty, false, &mut Vec::new(), elements);
        }
    }
}
