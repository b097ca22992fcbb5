//! The parameters of a function that is being built: columns for its arguments, and the sizes that callers pass.

use crate::lower::{Lower, Scope};
use crate::mono::{MonoSize, Sizes};
use crate::rep::Rep;
use crate::value::Value;
use norn_base::Span;
use norn_check::typed::Pat;
use norn_check::types::{Size, Ty, TyKind, VarId};
use norn_ir::nest::{Atom, Param, Type, Var};

/// Parameters while a function is set up.
#[derive(Default)]
pub struct Setup {
    pub sizes: Vec<Var>,
    pub sources: Vec<(usize, usize)>,
    pub equal: Vec<((usize, usize), Atom)>,
    pub columns: Vec<Param>,
}

/// Sizes of parameters' types: names that are not bound yet are left open.
struct ParamSizes<'s> {
    scope: &'s mut Scope,
    open: Vec<VarId>,
}

impl Sizes for ParamSizes<'_> {
    fn size(&mut self, l: &mut Lower, s: &Size, env: crate::index::EnvId) -> MonoSize {
        match s {
            Size::Var(v) if !self.scope.vars.contains_key(v) && l.is_local(*v, env) => {
                let at = self.open.iter().position(|w| w == v).unwrap_or_else(|| {
                    self.open.push(*v);
                    self.open.len() - 1
                });
                MonoSize::Hole(at as u32)
            }
            Size::Var(v) if self.scope.vars.contains_key(v) => l.size_in(self.scope, s, env),
            Size::Const(_) => l.size_in(self.scope, s, env),
            // A computed size cannot stand in the type of a parameter: it is passed.
            Size::Var(_) | Size::Term(_) | Size::Any => MonoSize::Unknown,
            Size::Irregular => MonoSize::Irregular,
        }
    }
}

impl Lower<'_> {
    /// Columns of which nothing is known: every dimension is passed.
    pub fn open_columns(&mut self, rep: &Rep, name: &str, setup: &mut Setup) -> Value {
        let known = vec![MonoSize::Unknown; self.dim_count(rep)];
        let unique = vec![false; self.width(rep)];
        self.columns(rep, name, &known, &mut [], &unique, setup)
    }

    pub fn param_columns(&mut self, scope: &mut Scope, pat: &Pat, rep: &Rep, setup: &mut Setup) -> Value {
        let value = self.typed_columns(scope, &pat.ty, &param_name(self, pat), rep, setup);
        self.bind_sure_sizes(scope, &pat.ty, &value);
        value
    }

    pub fn typed_columns(
        &mut self,
        scope: &mut Scope,
        ty: &Ty,
        name: &str,
        rep: &Rep,
        setup: &mut Setup,
    ) -> Value {
        let (env, type_args) = (scope.env, scope.args.clone());
        let mut sizes = ParamSizes { scope, open: Vec::new() };
        let mono = self.mono(ty, env, &type_args, &mut sizes);
        let open = sizes.open;
        let known = self.known_dims(Some(&mono), rep);
        let unique = self.unique_columns(ty, rep);
        let mut bound: Vec<Option<Atom>> = vec![None; open.len()];
        let value = self.columns(rep, name, &known, &mut bound, &unique, setup);
        for (v, a) in open.into_iter().zip(bound) {
            if let Some(a) = a {
                scope.vars.insert(v, Value::i64(a));
            }
        }
        value
    }

    fn columns(
        &mut self,
        rep: &Rep,
        name: &str,
        known: &[MonoSize],
        bound: &mut [Option<Atom>],
        unique: &[bool],
        setup: &mut Setup,
    ) -> Value {
        let first = setup.columns.len();
        let places = self.dim_places(rep);
        let mut dims = Vec::new();
        for (size, (col, dim)) in known.iter().zip(places) {
            let atom = match *size {
                MonoSize::Atom(a) => {
                    setup.equal.push(((first + col, dim), a));
                    a
                }
                MonoSize::Hole(i) => match bound.get(i as usize).copied().flatten() {
                    Some(a) => {
                        setup.equal.push(((first + col, dim), a));
                        a
                    }
                    None => {
                        let a = self.passed_size(setup, (first + col, dim));
                        if let Some(slot) = bound.get_mut(i as usize) {
                            *slot = Some(a);
                        }
                        a
                    }
                },
                MonoSize::Irregular | MonoSize::Unknown => self.passed_size(setup, (first + col, dim)),
            };
            dims.push(atom);
        }
        let types = self.types_of_sizes(rep, &dims);
        let cols = types
            .into_iter()
            .zip(unique)
            .map(|(ty, unique)| {
                let var = self.b.new_var(name, ty);
                setup.columns.push(Param { var, unique: *unique });
                Atom::Var(var)
            })
            .collect();
        Value { rep: rep.clone(), cols }
    }

    /// A parameter for a size that the caller finds in a column.
    fn passed_size(&mut self, setup: &mut Setup, source: (usize, usize)) -> Atom {
        let v = self.b.new_var("n", Type::i64());
        setup.sizes.push(v);
        setup.sources.push(source);
        v.into()
    }

    /// Sizes in the type of a parameter that were bound before are those of the argument.
    pub fn check_param_sizes(&mut self, scope: &mut Scope, ty: &Ty, v: &Value, span: Span) {
        let (env, type_args) = (scope.env, scope.args.clone());
        let mut sizes = ParamSizes { scope, open: Vec::new() };
        let mono = self.mono(ty, env, &type_args, &mut sizes);
        for (known, found) in self.known_dims(Some(&mono), &v.rep).into_iter().zip(self.dims(v)) {
            if let MonoSize::Atom(expected) = known {
                self.same_size(expected, found, span);
            }
        }
    }

    /// Which columns of a value a type marks as unique.
    pub fn unique_columns(&self, ty: &Ty, rep: &Rep) -> Vec<bool> {
        let mut out = Vec::new();
        self.mark_unique(Some(ty), rep, false, &mut out);
        out
    }

    fn mark_unique(&self, ty: Option<&Ty>, rep: &Rep, unique: bool, out: &mut Vec<bool>) {
        if let Some(t) = ty
            && let TyKind::Unique(inner) = &**t
        {
            return self.mark_unique(Some(inner), rep, true, out);
        }
        match (rep, ty.map(|t| &**t)) {
            (Rep::Record(fields), Some(TyKind::Record(ts))) if fields.len() == ts.len() => {
                if fields.is_empty() {
                    out.push(false);
                }
                fields.iter().zip(ts).for_each(|((_, r), (_, t))| self.mark_unique(Some(t), r, unique, out));
            }
            (Rep::Sum(sum), Some(TyKind::Sum(ts))) if sum.constrs.len() == ts.len() => {
                out.push(false);
                // A slot may be overwritten if all that may lie in it may be.
                let mut slots: Vec<Vec<bool>> = sum.slots.iter().map(|r| vec![true; self.width(r)]).collect();
                for ((_, places), (_, ts)) in sum.constrs.iter().zip(ts) {
                    for (slot, t) in places.iter().zip(ts) {
                        let mut marks = Vec::new();
                        self.mark_unique(Some(t), &sum.slots[*slot], unique, &mut marks);
                        slots[*slot].iter_mut().zip(marks).for_each(|(all, one)| *all &= one);
                    }
                }
                out.extend(slots.into_iter().flatten());
            }
            (Rep::Array(..) | Rep::Acc(_), _) => out.extend(vec![unique; self.width(rep)]),
            _ => out.extend(vec![unique && matches!(rep, Rep::Record(_) | Rep::Sum(_)); self.width(rep)]),
        }
    }
}

fn param_name(l: &Lower, p: &Pat) -> String {
    use norn_check::typed::PatKind;
    match &p.kind {
        PatKind::Var(v) => l.name_of(*v).to_string(),
        PatKind::Opened(_, p) => param_name(l, p),
        PatKind::Wildcard | PatKind::Record(_) | PatKind::Lit(_) | PatKind::Constr(..) => "p".into(),
    }
}
