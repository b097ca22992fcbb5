//! `#[trace]` and `#[break]`: a call of a function that shows its arguments.
//!
//! See `norn_ir::nest::observe` for what such functions are.

use crate::lower::{Lower, Scope};
use crate::mono::Mono;
use crate::value::Value;
use norn_check::typed::Exp as TExp;
use norn_ir::nest::build::FunBuilder;
use norn_ir::nest::{Atom, Dim, Exp, FunId, Iface, ObserveKind, Observed, Param, Type, Var};

/// A function that shows a value of this type.
pub struct Observer {
    fun: FunId,
    kind: ObserveKind,
    tag: String,
    ty: Mono,
}

impl<'a> Lower<'a> {
    /// Shows the value of an expression. Functions have nothing to show.
    pub fn observe(&mut self, s: &mut Scope, kind: ObserveKind, tag: String, v: &Value, x: &'a TExp) {
        let m = self.mono_without_sizes(s, &x.ty);
        if self.holds_function(&m, &mut Vec::new()) {
            return;
        }
        let place = s.place(x);
        let rep = self.rep_of(&m, &place, &mut 0).open();
        let v = self.coerce(v.clone(), &rep, x.span);
        let mut b = FunBuilder::new();
        // The sizes of the columns, each once, and the parameters that have them.
        let mut sizes: Vec<(Atom, Var)> = Vec::new();
        let mut columns = Vec::new();
        for col in &v.cols {
            let ty = match self.b.atom_ty(*col) {
                Type::Value(elem, dims) => {
                    let mut size = |dim: Dim| match dim {
                        Dim::Size(atom @ Atom::Var(_)) => {
                            let known = sizes.iter().find(|(size, _)| *size == atom).map(|(_, var)| *var);
                            let var = known.unwrap_or_else(|| {
                                let var = b.new_var("n", Type::i64());
                                sizes.push((atom, var));
                                var
                            });
                            Dim::Size(var.into())
                        }
                        Dim::Size(Atom::Const(_)) | Dim::Irregular | Dim::Result(_) => dim,
                    };
                    Type::Value(elem, dims.into_iter().map(&mut size).collect())
                }
                ty @ (Type::Acc(_) | Type::Seg { .. } | Type::Region | Type::Cert) => ty,
            };
            columns.push(b.new_var("x", ty));
        }
        let params = sizes.iter().map(|(_, var)| *var).chain(columns).map(Param::plain).collect();
        let fun = self.new_fun();
        self.funs[fun.0 as usize] = Some(b.finish(kind.word(), params, Vec::new(), Vec::new(), x.span));
        let args = sizes.into_iter().map(|(atom, _)| atom).chain(v.cols).collect();
        self.b.bind(Vec::new(), Exp::call(fun, args), x.span);
        self.observers.push(Observer { fun, kind, tag, ty: m });
    }

    /// Gives the functions that show values the names of their types, which entry points may have defined.
    pub fn name_observers(&mut self, ifaces: &mut Vec<Iface>) {
        for Observer { fun, kind, tag, ty } in std::mem::take(&mut self.observers) {
            let id = self.iface(&ty, ifaces);
            let observed = Observed { kind, tag, ty: ifaces[id.0 as usize].name.clone() };
            if let Some(fun) = &mut self.funs[fun.0 as usize] {
                fun.attrs = observed.attrs();
            }
        }
    }
}
