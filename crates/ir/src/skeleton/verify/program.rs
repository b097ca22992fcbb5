//! What holds of a program apart from the bodies of its functions: N2, N6, N8, N10.

use super::{Rule, Stage, Violation};
use crate::skeleton::outline::{Head, Outline};
use crate::skeleton::{Column, Data, Dim, Elem, Entry, Iface, IfaceId, IfaceShape, Type};

pub fn verify_program(prog: &Outline, stage: Stage) -> Vec<Violation> {
    let mut checker = ProgramChecker { prog, stage, violations: Vec::new() };
    prog.datas.iter().for_each(|data| checker.data(data));
    prog.ifaces.iter().for_each(|iface| checker.iface(iface));
    checker.consts();
    prog.entries.iter().for_each(|entry| checker.entry(entry));
    checker.violations
}

struct ProgramChecker<'a> {
    prog: &'a Outline<'a>,
    stage: Stage,
    violations: Vec<Violation>,
}

impl ProgramChecker<'_> {
    fn fail(&mut self, rule: Rule, message: String) {
        self.violations.push(Violation { rule, fun: None, message });
    }

    fn data(&mut self, data: &Data) {
        for constr in &data.constrs {
            let place = format!("The constructor `{}` of the data `{}`", constr.name, data.name);
            for column in &constr.columns {
                let Type::Value(elem, dims) = column else {
                    self.fail(Rule::N4, format!("{place} has a column that is no value."));
                    continue;
                };
                self.elem(*elem, &place);
                if !dims.iter().all(|dim| *dim == Dim::Irregular || is_constant(*dim)) {
                    self.fail(Rule::N5, format!("{place} has a column with a size that is no constant."));
                }
            }
        }
    }

    /// An element outside functions, where there are no regions to name.
    fn elem(&mut self, elem: Elem, place: &str) {
        let Elem::Ref(data, region) = elem else { return };
        if data.0 as usize >= self.prog.datas.len() {
            self.fail(Rule::N2, format!("{place} mentions data that does not exist."));
        }
        if region.is_some() {
            self.fail(Rule::N10, format!("{place} has a ref with a region, which only functions can name."));
        }
    }

    fn iface(&mut self, iface: &Iface) {
        let place = format!("The type `{}`", iface.name);
        iface.columns.iter().for_each(|column| self.elem(column.elem, &place));
        for part in parts(&iface.shape) {
            if part.0 as usize >= self.prog.ifaces.len() {
                self.fail(Rule::N2, format!("{place} mentions a type that does not exist."));
                return;
            }
        }
        if let IfaceShape::Recursive(constrs) = &iface.shape {
            let width = |ids: &[IfaceId]| -> usize {
                ids.iter().map(|id| self.prog.ifaces[id.0 as usize].columns.len()).sum()
            };
            let data = match iface.columns[..] {
                [Column { elem: Elem::Ref(data, _), .. }] => self.prog.datas.get(data.0 as usize),
                _ => None,
            };
            let fits = data.is_some_and(|data| {
                data.constrs.len() == constrs.len()
                    && data
                        .constrs
                        .iter()
                        .zip(constrs)
                        .all(|(cell, (name, ids))| cell.name == *name && cell.columns.len() == width(ids))
            });
            if !fits {
                self.fail(Rule::N2, format!("{place} is not that of the cells its column leads to."));
            }
        }
    }

    fn consts(&mut self) {
        let mut funs = Vec::new();
        for constant in self.prog.consts {
            let Some(fun) = self.prog.funs.get(constant.fun.0 as usize) else {
                self.fail(Rule::N2, "The function of a constant does not exist.".to_string());
                continue;
            };
            if funs.contains(&constant.fun) {
                self.fail(Rule::N2, format!("Two constants have the function `{}`.", fun.name));
            }
            funs.push(constant.fun);
            let allowed = |ty: Option<Type>| ty == Some(Type::Region) && self.stage != Stage::BeforeRegions;
            if !fun.params.iter().all(|param| allowed(param_type(fun, param.var.0))) {
                self.fail(
                    Rule::N2,
                    format!("The constant `{}` has parameters that are no regions.", fun.name),
                );
            }
        }
    }

    fn entry(&mut self, entry: &Entry) {
        let place = format!("The entry point `{}`", entry.name);
        let Some(fun) = self.prog.funs.get(entry.fun.0 as usize) else {
            return self.fail(Rule::N2, format!("{place} has a function that does not exist."));
        };
        let mut columns = Vec::new();
        for ty in entry.params.iter().map(|param| param.ty) {
            let Some(iface) = self.prog.ifaces.get(ty.0 as usize) else {
                return self.fail(Rule::N2, format!("{place} takes a type that does not exist."));
            };
            columns.extend(&iface.columns);
        }
        let Some(result) = self.prog.ifaces.get(entry.result.0 as usize) else {
            return self.fail(Rule::N2, format!("{place} yields a type that does not exist."));
        };
        let params = fun.params.iter().filter_map(|param| param_type(fun, param.var.0));
        let params: Vec<Type> = params.map(|ty| fun.irregular(&ty)).collect();
        let results: Vec<Type> = fun.ret.iter().map(|ret| fun.irregular(&ret.ty)).collect();
        self.columns(&params, &columns, &format!("{place}: the parameters"));
        self.columns(&results, &result.columns.iter().collect::<Vec<_>>(), &format!("{place}: the results"));
    }

    /// That the last of these types are the columns, and those before them regions and sizes.
    fn columns(&mut self, types: &[Type], columns: &[&Column], what: &str) {
        let Some(before) = types.len().checked_sub(columns.len()) else {
            return self.fail(Rule::N8, format!("{what} are fewer than the columns of their types."));
        };
        let (before, last) = types.split_at(before);
        if !before.iter().all(|ty| matches!(ty, Type::Region | Type::Seg { .. }) || *ty == Type::i64()) {
            self.fail(
                Rule::N8,
                format!("{what} have something before the columns that is no region or size."),
            );
        }
        for (i, (ty, column)) in last.iter().zip(columns).enumerate() {
            let elem = match ty.elem() {
                Some(Elem::Ref(data, _)) => Some(Elem::Ref(data, None)),
                elem @ (Some(Elem::Prim(_)) | None) => elem,
            };
            let irregular = ty.dims().iter().map(|dim| *dim == Dim::Irregular);
            if elem != Some(column.elem) || !irregular.eq(column.irregular.iter().copied()) {
                self.fail(Rule::N8, format!("{what} do not have the type of column {i}."));
            }
        }
    }
}

fn is_constant(dim: Dim) -> bool {
    dim.atom().is_some_and(|atom| atom.var().is_none())
}

fn param_type(fun: &Head, var: u32) -> Option<Type> {
    fun.vars.get(var as usize).map(|info| info.ty.clone())
}

/// The types that a type is made of.
fn parts(shape: &IfaceShape) -> Vec<IfaceId> {
    match shape {
        IfaceShape::Scalar(_) | IfaceShape::Array(..) | IfaceShape::Opaque => Vec::new(),
        IfaceShape::OpaqueArray(elem, _) => vec![*elem],
        IfaceShape::Record(fields) => fields.iter().map(|(_, ty)| *ty).collect(),
        IfaceShape::Sum(constrs) | IfaceShape::Recursive(constrs) => {
            constrs.iter().flat_map(|(_, types)| types.clone()).collect()
        }
    }
}
