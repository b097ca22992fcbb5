//! Names in expressions: variables, instances of polymorphic functions, and sizes.

use crate::free::{self, Mentioned};
use crate::index::Found;
use crate::instantiate::plain_def;
use crate::lower::{Lower, Scope};
use crate::mono::Mono;
use crate::rep::{Code, FnRep, Rep};
use crate::value::Value;
use norn_base::{Prim, Span, Symbol};
use norn_check::typed::{Exp as TExp, ExpKind, Fun};
use norn_check::types::{Ty, TyKind, VarId};
use norn_ir::nest::{Atom, BinOp};
use std::rc::Rc;

/// Variables, and of some which fields.
pub type Captures = Rc<[(VarId, Option<Vec<Symbol>>)]>;

impl<'a> Lower<'a> {
    /// The value of a variable that is used at this type.
    pub fn variable(&mut self, s: &mut Scope, var: VarId, ty: &Ty, span: Span) -> Value {
        if let Some(v) = s.vars.get(&var).cloned() {
            if let Rep::Fn(f) = &v.rep
                && let Code::Local(node) = f.code
                && f.applied.is_empty()
                && !self.locals[&node].tparams.is_empty()
                && self.is_generic(f, self.locals[&node])
            {
                let fun = self.locals[&node];
                let f = f.clone();
                return self.instantiate_fun(s, &f, v.cols, fun, ty);
            }
            return v;
        }
        match self.index.value(var, s.env) {
            Found::Def(name, def, env) => {
                let f = plain_def(name, env);
                let v = self.instantiate_fun(s, &f, Vec::new(), &def.val.fun, ty);
                self.force(v, &def.val.fun, span)
            }
            Found::BuiltIn(name) => {
                let mut parts = Vec::new();
                let mut at = ty.clone();
                while let TyKind::Arrow(a) = &*at.clone() {
                    parts.push(self.mono_in(s, &a.arg));
                    at = a.ret.ty.clone();
                }
                parts.push(self.mono_in(s, &at));
                self.builtin_value(self.program.names.var(name).name, parts)
            }
        }
    }

    /// A definition without parameters is its value.
    fn force(&mut self, v: Value, fun: &Fun, span: Span) -> Value {
        match &v.rep {
            Rep::Fn(f) if fun.params.is_empty() => self.constant(f.clone(), v.cols, span),
            _ => v,
        }
    }

    /// A built-in function used at a type: its parameters and its result.
    pub fn builtin_value(&mut self, name: Symbol, parts: Vec<Mono>) -> Value {
        let mut holes = Vec::new();
        let signature = Mono::Record(
            parts
                .iter()
                .enumerate()
                .map(|(i, m)| (Symbol::tuple_field(i), m.with_holes(&mut holes)))
                .collect(),
        );
        let f = FnRep {
            code: Code::BuiltIn(name, Rc::new(signature)),
            env: crate::index::ROOT,
            tys: Rc::from([]),
            holes: holes.len(),
            captured: Vec::new(),
            applied: Vec::new(),
        };
        Value { rep: Rep::Fn(Rc::new(f)), cols: holes }
    }

    /// A function value made here: what it mentions of the scope is captured.
    pub fn closure(&mut self, s: &Scope, code: Code, mentioned: &[(VarId, Option<Vec<Symbol>>)]) -> Value {
        let mut cols = s.holes.clone();
        let mut captured = Vec::new();
        for (v, fields) in mentioned {
            let Some(value) = s.vars.get(v) else { continue };
            let value = match (fields, &value.rep) {
                (Some(fields), Rep::Record(_)) => {
                    let all = self.fields(value);
                    Value::record(all.into_iter().filter(|(f, _)| fields.contains(f)).collect())
                }
                _ => value.clone(),
            };
            captured.push((*v, value.rep));
            cols.extend(value.cols);
            self.check_columns(cols.len());
        }
        let f = FnRep {
            code,
            env: s.env,
            tys: s.tys.clone(),
            holes: s.holes.len(),
            captured,
            applied: Vec::new(),
        };
        self.bounded_knowledge(Value { rep: Rep::Fn(Rc::new(f)), cols })
    }

    /// The variables that a lambda mentions. Of a record that it only takes fields of, those fields:
    /// functions in records that capture such records would grow with each level otherwise.
    pub fn mentioned_in_lambda(&mut self, e: &'a TExp) -> Captures {
        let key = std::ptr::from_ref(e) as usize;
        if let Some(found) = self.mentioned.get(&key) {
            return found.clone();
        }
        let mut all = Mentioned::default();
        if let ExpKind::Lambda { params, body, .. } = &e.kind {
            params.iter().for_each(|p| free::all_in_pat(p, &mut all));
            free::all_in_exp(body, &mut all);
        }
        self.remember_mentioned(key, all)
    }

    pub fn mentioned_in_fun(&mut self, fun: &'a Fun) -> Captures {
        let key = std::ptr::from_ref(fun) as usize;
        if let Some(found) = self.mentioned.get(&key) {
            return found.clone();
        }
        let mut all = Mentioned::default();
        free::all_in_signature(fun, &mut all);
        free::all_in_exp(&fun.body, &mut all);
        self.remember_mentioned(key, all)
    }

    fn remember_mentioned(&mut self, key: usize, all: Mentioned) -> Captures {
        let whole = all.whole.iter().map(|v| (*v, None));
        let parts = all.fields.iter().filter(|(v, _)| !all.whole.contains(v));
        let parts = parts.map(|(v, fields)| (*v, Some(fields.iter().copied().collect())));
        let mut all: Vec<(VarId, Option<Vec<Symbol>>)> = whole.chain(parts).collect();
        all.sort_by_key(|(v, _)| *v);
        let all: Captures = all.into();
        self.mentioned.insert(key, all.clone());
        all
    }

    /// For code that comes from no place in the source.
    pub fn no_span(&self) -> Span {
        Span { file: norn_base::FileId(0), lo: 0, hi: 0 }
    }

    pub fn bin_i64(&mut self, op: BinOp, x: Atom, y: Atom, span: Span) -> Atom {
        self.bin(op, Prim::I64, x, y, span)
    }
}
