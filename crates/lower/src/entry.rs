//! Entry points: functions that can be called from outside, and the interface types of their parameters and results.
//!
//! An interface type (`Iface`) describes a value as the outside world sees it: its name, its columns in order, and its structure (record, sum, array, recursive type), so that
//! libraries, the server and Python can take values apart. Types that an entry point names keep this name everywhere. Recursive types are entered before their parts, which may mention them.
//!
//! Functions may be inside of recursive values only; an entry point that takes or returns one is refused before (E0701).

use crate::index::ROOT;
use crate::instance::EntryArg;
use crate::lower::{Lower, Scope};
use crate::mono::{Mono, MonoSize};
use crate::rep::Rep;
use norn_base::{Prim, Symbol};
use norn_check::typed::{Pat, PatKind, ValDef};
use norn_check::types::{self, Ty, TyKind};
use norn_ir::nest::build::FunBuilder;
use norn_ir::nest::iface::Column;
use norn_ir::nest::{DataId, Dim, Elem, Entry, EntryParam, Iface, IfaceId, IfaceShape, Prog, Type};
use std::rc::Rc;

impl<'a> Lower<'a> {
    pub fn entry_points(&mut self) -> Prog {
        let mut prog = Prog::default();
        for val in self.index.entries.clone() {
            self.learn_names(val);
        }
        for val in self.index.entries.clone() {
            let entry = self.entry(val, &mut prog.ifaces);
            prog.entries.push(entry);
        }
        self.name_observers(&mut prog.ifaces);
        prog
    }

    /// Types that an entry point has under a name are known by it everywhere.
    fn learn_names(&mut self, val: &'a ValDef) {
        let Some(names) = &val.entry else { return };
        let scope = Scope::new(ROOT, Rc::from([]), Vec::new());
        let types = val.fun.params.iter().map(|p| &p.ty).chain([&val.fun.ret.ty]);
        for (ty, name) in types.zip(names.params.iter().chain([&names.result])) {
            let Some(name) = name else { continue };
            let m = self.mono_without_sizes(&scope, ty);
            let plain = innermost(&m).0;
            if matches!(plain, Mono::Prim(_)) && is_regular(&m) {
                continue;
            }
            let taken = self.type_names.values().any(|known| known == name.as_str());
            if !taken {
                let text = self.type_text(&m);
                self.type_names.entry(text).or_insert_with(|| name.as_str().to_string());
            }
        }
    }

    fn entry(&mut self, val: &'a ValDef, ifaces: &mut Vec<Iface>) -> Entry {
        self.b = FunBuilder::new();
        let mut scope = Scope::new(ROOT, Rc::from([]), Vec::new());
        let mut params: Vec<EntryArg> = val
            .fun
            .params
            .iter()
            .enumerate()
            .map(|(i, p)| EntryArg {
                name: self.entry_param_name(p, i),
                ty: p.ty.clone(),
                pat: Some(p),
                var: None,
            })
            .collect();
        let mut result = val.fun.ret.ty.clone();
        while let TyKind::Arrow(a) = &*types::plain(&result) {
            let name = format!("p{}", params.len());
            let ty = match a.diet {
                types::Diet::Consume => types::unique(&a.arg),
                types::Diet::Observe => a.arg.clone(),
            };
            params.push(EntryArg { name, ty, pat: None, var: a.param });
            result = a.ret.ty.clone();
        }
        let name = self.name_of(val.var).to_string();
        let ty = function_type(&val.fun.params, &val.fun.ret);
        let m = self.mono_without_sizes(&scope, &result);
        let fun = self.entry_function(&mut scope, &params, (&name, val.span), &m, |l, scope| {
            l.variable(scope, val.var, &ty, val.span)
        });
        let mut entry_params = Vec::new();
        for p in &params {
            let m = self.mono_without_sizes(&scope, &p.ty);
            let unique = types::has_unique(&p.ty);
            entry_params.push(EntryParam { name: p.name.clone(), ty: self.iface(&m, ifaces), unique });
        }
        Entry {
            name,
            fun,
            params: entry_params,
            result: self.iface(&m, ifaces),
            result_unique: types::has_unique(&result),
            doc: val.entry.as_ref().map(|entry| entry.doc.clone()).unwrap_or_default(),
            attrs: val.attrs.iter().map(crate::exp::attr_text).collect(),
        }
    }

    fn entry_param_name(&self, p: &Pat, i: usize) -> String {
        match &p.kind {
            PatKind::Var(v) => self.name_of(*v).to_string(),
            PatKind::Opened(_, p) => self.entry_param_name(p, i),
            PatKind::Wildcard | PatKind::Record(_) | PatKind::Lit(_) | PatKind::Constr(..) => format!("p{i}"),
        }
    }

    /// The type as the world outside sees it.
    pub fn iface(&mut self, m: &Mono, ifaces: &mut Vec<Iface>) -> IfaceId {
        let name = self.type_text(m);
        if let Some(at) = ifaces.iter().position(|i| i.name == name) {
            return IfaceId(at as u32);
        }
        if let Mono::Data(data) = m {
            return self.recursive_iface(*data, name, ifaces);
        }
        let shape = match m {
            Mono::Prim(p) => IfaceShape::Scalar(*p),
            Mono::Array(..) => {
                let (elem, rank) = innermost(m);
                match elem {
                    Mono::Prim(p) if is_regular(m) => IfaceShape::Array(*p, rank),
                    _ => IfaceShape::OpaqueArray(self.iface(elem, ifaces), rank),
                }
            }
            Mono::Record(fields) => IfaceShape::Record(
                fields.iter().map(|(f, m)| (f.as_str().to_string(), self.iface(m, ifaces))).collect(),
            ),
            Mono::Sum(cs) => IfaceShape::Sum(
                cs.iter()
                    .map(|(c, ms)| {
                        (c.as_str().to_string(), ms.iter().map(|m| self.iface(m, ifaces)).collect())
                    })
                    .collect(),
            ),
            Mono::Data(_) | Mono::Fun(..) | Mono::Acc(_) => IfaceShape::Opaque,
        };
        let columns = self.mono_columns(m);
        ifaces.push(Iface { name, shape, columns });
        IfaceId(ifaces.len() as u32 - 1)
    }

    /// A recursive type, which is there before its parts are: they may mention it.
    fn recursive_iface(&mut self, data: DataId, name: String, ifaces: &mut Vec<Iface>) -> IfaceId {
        let id = IfaceId(ifaces.len() as u32);
        let columns = self.mono_columns(&Mono::Data(data));
        ifaces.push(Iface { name, shape: IfaceShape::Opaque, columns });
        if self.holds_function(&Mono::Data(data), &mut Vec::new()) {
            return id;
        }
        let mut constrs = Vec::new();
        for (constr, payload) in self.payloads(data) {
            let ids = payload.iter().map(|m| self.iface(&outside_arrays(m), ifaces)).collect();
            constrs.push((constr.as_str().to_string(), ids));
        }
        ifaces[id.0 as usize].shape = IfaceShape::Recursive(constrs);
        id
    }

    /// Whether functions are somewhere in values of a type; `seen` are the recursive types that were looked at.
    pub fn holds_function(&mut self, m: &Mono, seen: &mut Vec<DataId>) -> bool {
        match m {
            Mono::Prim(_) => false,
            Mono::Array(_, elem) => self.holds_function(elem, seen),
            Mono::Record(fields) => fields.iter().any(|(_, m)| self.holds_function(m, seen)),
            Mono::Sum(cs) => cs.iter().flat_map(|(_, ms)| ms).any(|m| self.holds_function(m, seen)),
            Mono::Data(data) if seen.contains(data) => false,
            Mono::Data(data) => {
                seen.push(*data);
                let payloads = self.payloads(*data);
                payloads.iter().flat_map(|(_, ms)| ms).any(|m| self.holds_function(m, seen))
            }
            Mono::Fun(..) | Mono::Acc(_) => true,
        }
    }

    fn mono_columns(&mut self, m: &Mono) -> Vec<Column> {
        let place = crate::classes::Place::Payload(DataId(0));
        let rep = self.rep_of(m, &place, &mut 0).open();
        self.interface_columns(&rep)
    }

    fn interface_columns(&self, rep: &Rep) -> Vec<Column> {
        let dims = vec![Dim::Size(norn_ir::nest::Atom::i64(0)); self.dim_count(rep)];
        self.types(rep, &dims)
            .into_iter()
            .map(|t| match t {
                Type::Value(elem, dims) => {
                    Column { elem, irregular: dims.iter().map(|d| *d == Dim::Irregular).collect() }
                }
                Type::Acc(_) | Type::Seg { .. } | Type::Region | Type::Cert => {
                    Column { elem: Elem::Prim(Prim::Bool), irregular: Vec::new() }
                }
            })
            .collect()
    }

    fn type_text(&self, m: &Mono) -> String {
        let text = self.structure_text(m);
        self.type_names.get(&text).cloned().unwrap_or(text)
    }

    fn structure_text(&self, m: &Mono) -> String {
        match m {
            Mono::Prim(p) => p.name().to_string(),
            Mono::Array(s, elem) => {
                let dim = if *s == MonoSize::Irregular { "[?]" } else { "[]" };
                format!("{dim}{}", self.type_text(elem))
            }
            Mono::Record(fields) => {
                let tuple = fields.len() != 1
                    && fields.iter().enumerate().all(|(i, (f, _))| *f == Symbol::tuple_field(i));
                if tuple {
                    let parts: Vec<String> = fields.iter().map(|(_, m)| self.type_text(m)).collect();
                    return format!("({})", parts.join(", "));
                }
                let parts: Vec<String> =
                    fields.iter().map(|(f, m)| format!("{f}: {}", self.type_text(m))).collect();
                format!("{{{}}}", parts.join(", "))
            }
            Mono::Sum(cs) => {
                let parts: Vec<String> = cs
                    .iter()
                    .map(|(c, ms)| {
                        let payload: String = ms.iter().map(|m| format!(" {}", self.type_text(m))).collect();
                        format!("#{c}{payload}")
                    })
                    .collect();
                format!("({})", parts.join(" | "))
            }
            Mono::Data(d) => self.data_text(*d),
            Mono::Fun(a, b) => format!("({} -> {})", self.type_text(a), self.type_text(b)),
            Mono::Acc(m) => format!("acc {}", self.type_text(m)),
        }
    }
}

impl Lower<'_> {
    /// The name of a recursive type with its arguments. Where types of different modules have one name, the later
    /// ones have a number.
    fn data_text(&self, d: DataId) -> String {
        let text = |d: DataId| {
            let args: String =
                self.datas.type_arguments(d).iter().map(|m| format!(" {}", self.argument_text(m))).collect();
            self.data_name(d) + &args
        };
        let own = text(d);
        match (0..d.0).filter(|other| text(DataId(*other)) == own).count() {
            0 => own,
            earlier => format!("{own}.{}", earlier + 1),
        }
    }

    fn argument_text(&self, m: &Mono) -> String {
        match m {
            Mono::Data(d) if !self.datas.type_arguments(*d).is_empty() => format!("({})", self.type_text(m)),
            Mono::Prim(_)
            | Mono::Array(..)
            | Mono::Record(_)
            | Mono::Sum(_)
            | Mono::Data(_)
            | Mono::Fun(..)
            | Mono::Acc(_) => self.type_text(m),
        }
    }
}

fn innermost(m: &Mono) -> (&Mono, usize) {
    let (mut at, mut rank) = (m, 0);
    while let Mono::Array(_, elem) = at {
        at = elem;
        rank += 1;
    }
    (at, rank)
}

/// The type of a payload by itself: its outermost size is that of one value, as in other types of entry points.
fn outside_arrays(m: &Mono) -> Mono {
    match m {
        Mono::Array(MonoSize::Irregular, elem) => Mono::Array(MonoSize::Unknown, elem.clone()),
        Mono::Prim(_)
        | Mono::Array(..)
        | Mono::Record(_)
        | Mono::Sum(_)
        | Mono::Data(_)
        | Mono::Fun(..)
        | Mono::Acc(_) => m.clone(),
    }
}

fn is_regular(m: &Mono) -> bool {
    let mut at = m;
    let mut first = true;
    while let Mono::Array(s, elem) = at {
        if *s == MonoSize::Irregular && !first {
            return false;
        }
        first = false;
        at = elem;
    }
    true
}

/// The type of a definition, as a reference to it has.
fn function_type(params: &[Pat], ret: &types::RetTy) -> Ty {
    let mut ty = types::RetTy { exts: ret.exts.clone(), ty: types::plain(&ret.ty) };
    for p in params.iter().rev() {
        let arrow = types::Arrow { param: None, diet: types::diet(&p.ty), arg: types::plain(&p.ty), ret: ty };
        ty = types::RetTy { exts: Vec::new(), ty: Ty::new(TyKind::Arrow(arrow)) };
    }
    ty.ty
}
