//! Recursive types: one `Data` for each instance of a recursive type, and one for each class of
//! functions that is recursive.

use crate::classes::{ClassId, Place};
use crate::index::EnvId;
use crate::lower::Lower;
use crate::mono::{Mono, NoSizes, TypeArgs};
use crate::rep::Rep;
use crate::value::Value;
use norn_base::{Span, Symbol};
use norn_check::types::{TParam, TyId, TyIdKind};
use norn_ir::nest::{Atom, CellExp, Constr, Data, DataId, Dim, Elem, Exp, Type};
use rustc_hash::FxHashMap;

/// What a `Data` is for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Key {
    Type(TyId, EnvId, Vec<Mono>),
    Class(ClassId),
}

#[derive(Default)]
pub struct Datas {
    ids: FxHashMap<Key, DataId>,
    keys: Vec<(Key, String)>,
}

impl Datas {
    fn intern(&mut self, key: Key, name: String) -> DataId {
        let next = DataId(self.keys.len() as u32);
        let id = *self.ids.entry(key.clone()).or_insert(next);
        if id == next {
            self.keys.push((key, name));
        }
        id
    }

    pub fn new_class(&mut self, class: ClassId) -> DataId {
        self.intern(Key::Class(class), format!("functions_{}", class.0))
    }

    pub fn type_arguments(&self, d: DataId) -> Vec<Mono> {
        match &self.keys[d.0 as usize].0 {
            Key::Type(_, _, args) => args.clone(),
            Key::Class(_) => Vec::new(),
        }
    }

    pub fn name(&self, d: DataId) -> String {
        self.keys[d.0 as usize].1.clone()
    }
}

impl Lower<'_> {
    pub fn data_of(&mut self, id: TyId, env: EnvId, args: Vec<Mono>) -> DataId {
        let name = self.program.names.ty(id).name.as_str().to_string();
        self.datas.intern(Key::Type(id, env, args), name)
    }

    /// The constructors of a recursive type with their payloads.
    pub fn constructors(&mut self, data: DataId) -> Vec<(Symbol, Vec<Rep>)> {
        let (id, env, args) = match self.datas.keys[data.0 as usize].0.clone() {
            Key::Type(id, env, args) => (id, env, args),
            Key::Class(class) => {
                let shape = self.classes.shape(class);
                return shape
                    .members
                    .iter()
                    .enumerate()
                    .map(|(i, m)| (Symbol::new(&format!("f{i}")), vec![Rep::Fn(m.clone())]))
                    .collect();
            }
        };
        let place = Place::Payload(data);
        let mut part = 0;
        self.type_payloads(data, id, env, args)
            .into_iter()
            .map(|(c, ms)| {
                (c, ms.iter().map(|m| self.rep_of(m, &place, &mut part).all_irregular()).collect())
            })
            .collect()
    }

    /// The constructors of a recursive type with the types of their payloads; none for a class of functions.
    pub fn payloads(&mut self, data: DataId) -> Vec<(Symbol, Vec<Mono>)> {
        match self.datas.keys[data.0 as usize].0.clone() {
            Key::Type(id, env, args) => self.type_payloads(data, id, env, args),
            Key::Class(_) => Vec::new(),
        }
    }

    fn type_payloads(
        &mut self,
        data: DataId,
        id: TyId,
        env: EnvId,
        args: Vec<Mono>,
    ) -> Vec<(Symbol, Vec<Mono>)> {
        let TyIdKind::Rec(Some(def)) = self.program.names.ty(id).kind.clone() else {
            panic!("lower: {} is no recursive type", self.data_name(data))
        };
        let mut inner = TypeArgs::default();
        let type_params = def.params.iter().filter_map(|p| match p {
            TParam::Type(id, _) => Some(*id),
            TParam::Size(_) => None,
        });
        inner.types.extend(type_params.zip(args));
        let mut mono = |t| self.mono(t, env, &inner, &mut NoSizes);
        def.constrs.iter().map(|(c, ts)| (*c, ts.iter().map(&mut mono).collect())).collect()
    }

    /// The columns of a constructor's cell: nothing is known about sizes.
    pub fn cell_columns(&self, payload: &[Rep]) -> Vec<Type> {
        payload
            .iter()
            .flat_map(|r| {
                let dims = vec![Dim::Irregular; self.dim_count(r)];
                self.types(r, &dims)
            })
            .collect()
    }

    /// All recursive types that were needed. Defining one may need others.
    pub fn define_datas(&mut self) -> Vec<Data> {
        let mut out = Vec::new();
        while out.len() < self.datas.keys.len() {
            let id = DataId(out.len() as u32);
            let constrs = self
                .constructors(id)
                .into_iter()
                .map(|(name, payload)| Constr {
                    name: name.as_str().to_string(),
                    columns: self.cell_columns(&payload),
                })
                .collect();
            out.push(Data { name: self.data_name(id), constrs });
        }
        out
    }

    /// The fields of a cell of one constructor, as they were put in.
    pub fn load(&mut self, cell: Atom, data: DataId, constr: usize, span: Span) -> Vec<Value> {
        let payload: Vec<Rep> = self.constructors(data)[constr].1.clone();
        let mut vars = Vec::new();
        let mut values = Vec::new();
        for rep in &payload {
            let rep = rep.open();
            // In front of each column that is an array comes its length.
            let none = vec![Dim::Irregular; self.dim_count(&rep)];
            let mut cols = Vec::new();
            for ty in self.types(&rep, &none) {
                let ty = match ty {
                    Type::Value(elem, mut dims) if dims.first() == Some(&Dim::Irregular) => {
                        let k = self.b.new_var("k", Type::i64());
                        vars.push(k);
                        dims[0] = Dim::Size(k.into());
                        Type::Value(elem, dims)
                    }
                    ty => ty,
                };
                let col = self.b.new_var("field", ty);
                vars.push(col);
                cols.push(Atom::Var(col));
            }
            values.push(Value { rep, cols });
        }
        self.b.bind(vars, Exp::Cell(CellExp::Load { cell, constr }), span);
        values
    }

    pub fn alloc(&mut self, data: DataId, constr: usize, fields: Vec<Value>, span: Span) -> Atom {
        let payload: Vec<Rep> = self.constructors(data)[constr].1.clone();
        let mut cols = Vec::new();
        for (v, rep) in fields.into_iter().zip(&payload) {
            cols.extend(self.coerce(v, rep, span).cols);
        }
        let ty = Type::Value(Elem::Ref(data, None), Vec::new());
        let exp = Exp::Cell(CellExp::Alloc { region: None, data, constr, fields: cols });
        self.b.emit1("cell", ty, exp, span).into()
    }
}
