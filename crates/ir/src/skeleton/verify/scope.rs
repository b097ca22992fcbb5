//! Checks where variables are bound and used, and what their types may mention: N1, N5, N6, N7, N9, N10, N11.
//!
//! A variable is bound once, and visible from its binding to the end of its body. Its type may mention only variables bound before: sizes (`i64`), regions and data. Where `?` and
//! unique types may stand depends on the binder (`Binder`): a parameter of a function may have what a parameter of a lambda may not.
//!
//! Messages name variables, and naming one means naming all, so they are built only if there is an error (`Whose`).

use super::types::SOME;
use super::{Checker, Rule, Stage};
use crate::skeleton::{Atom, Dim, Elem, Side, Type, Var};

/// Which variables are visible, and which have been bound anywhere.
pub struct Scope {
    visible: Vec<bool>,
    bound: Vec<bool>,
    /// Those bound by checks.
    certs: Vec<bool>,
    /// The visible ones, in the order of binding.
    trail: Vec<Var>,
}

/// Where a variable is bound decides which types it may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Binder {
    FunParam,
    /// A parameter of a lambda or a loop.
    Param,
    Check,
    /// `Region` and `Const`.
    Regions,
    Stm,
}

/// Where a type stands. Messages say it in words, which are made only if there is a message: naming one
/// variable means naming all.
#[derive(Clone, Copy)]
pub(super) enum Whose {
    Var(Var),
    Result(usize),
    Expression,
}

impl Scope {
    pub fn new(vars: usize) -> Scope {
        let no = vec![false; vars];
        Scope { visible: no.clone(), bound: no.clone(), certs: no, trail: Vec::new() }
    }

    fn is_visible(&self, var: Var) -> bool {
        self.visible.get(var.0 as usize).copied().unwrap_or(false)
    }

    pub fn is_cert(&self, var: Var) -> bool {
        self.certs.get(var.0 as usize).copied().unwrap_or(false)
    }

    pub(crate) fn enter(&self) -> usize {
        self.trail.len()
    }

    pub fn since(&self, mark: usize) -> &[Var] {
        &self.trail[mark..]
    }

    pub(crate) fn leave(&mut self, mark: usize) {
        for var in self.trail.drain(mark..) {
            self.visible[var.0 as usize] = false;
        }
    }
}

impl Checker<'_> {
    pub(crate) fn use_var(&mut self, var: Var) {
        if !self.scope.is_visible(var) {
            let name = self.show(var);
            self.fail(Rule::N1, format!("{name} is used where it is not visible."));
        }
    }

    pub(crate) fn use_atom(&mut self, atom: Atom) {
        if let Atom::Var(var) = atom {
            self.use_var(var);
        }
    }

    /// Check the type of a variable, which may mention those bound before it, and make it visible.
    pub(crate) fn bind(&mut self, var: Var, binder: Binder) {
        let id = var.0 as usize;
        if id >= self.table.vars.len() {
            return self
                .fail(Rule::N1, format!("A variable with number {id} is bound, but not in the table."));
        }
        if self.scope.bound[id] {
            let name = self.show(var);
            self.fail(Rule::N1, format!("{name} is bound twice."));
        }
        self.bound_type(var, binder);
        self.scope.bound[id] = true;
        self.scope.certs[id] = binder == Binder::Check;
        if !self.scope.visible[id] {
            self.scope.visible[id] = true;
            self.scope.trail.push(var);
        }
    }

    fn bound_type(&mut self, var: Var, binder: Binder) {
        let Some(info) = self.declared(var) else { return };
        let ty = info.ty.clone();
        let stays = self.stage == Stage::Scheduled && info.side == Some(Side::Device) && ty.is_scalar();
        if self.stage != Stage::Kernels
            && (info.side.is_some() && !stays || info.bound.is_some() || matches!(ty, Type::Seg { .. }))
        {
            let name = self.show(var);
            self.fail(Rule::N13, format!("{name} has a side, a bound or a descriptor, which only flat has."));
        }
        if let Some(bound) = info.bound {
            self.use_atom(bound);
            self.size(bound);
        }
        match (&ty, binder) {
            (Type::Cert, Binder::Check) => {}
            (Type::Cert, _) => {
                let name = self.show(var);
                self.fail(Rule::N9, format!("{name} is a certificate, but not bound by a check."));
            }
            (_, Binder::Check) => {
                let name = self.show(var);
                self.fail(Rule::N9, format!("{name} is bound by a check, but no certificate."));
            }
            (Type::Region, Binder::Param | Binder::Stm) => {
                let name = self.show(var);
                let who = "neither by `region`, nor by a constant, nor as parameter of a function";
                self.fail(Rule::N11, format!("{name} is a region that is bound {who}."));
            }
            (Type::Region, Binder::FunParam | Binder::Regions) if self.stage == Stage::BeforeRegions => {
                let name = self.show(var);
                self.fail(Rule::N10, format!("{name} is a region before regions are inferred."));
            }
            (Type::Region, Binder::FunParam | Binder::Regions) => {}
            (Type::Value(..) | Type::Acc(_) | Type::Seg { .. }, _) => self.wellformed(&ty, Whose::Var(var)),
        }
    }

    /// A type that is mentioned here: N5, N6, N7, N10.
    fn wellformed(&mut self, ty: &Type, whose: Whose) {
        match ty {
            Type::Value(elem, dims) => {
                self.region_of(*elem, whose);
                self.outermost(dims, whose);
                for (place, dim) in dims.iter().enumerate() {
                    self.dim_at(place, *dim, whose);
                }
            }
            Type::Seg { count, total } => [count, total].into_iter().for_each(|dim| self.dim(*dim, whose)),
            Type::Acc(types) => types.iter().for_each(|ty| self.wellformed(ty, whose)),
            Type::Region | Type::Cert => {
                let (whose, ty) = (self.show_whose(whose), self.show_ty(ty));
                self.fail(Rule::N4, format!("The type {whose} contains {ty}."));
            }
        }
    }

    /// The type of a result of a function, where sizes may be earlier results.
    pub(super) fn result_type(&mut self, position: usize) {
        let mut ty = self.table.ret[position].ty.clone();
        if matches!(ty, Type::Region | Type::Cert) {
            let ty = self.show_ty(&ty);
            return self
                .fail(Rule::N8, format!("Result {position} has type {ty}, which no function returns."));
        }
        let mut results = Vec::new();
        ty.for_each_dim(&mut |dim| {
            if let Dim::Result(i) = *dim {
                results.push(i);
                *dim = SOME;
            }
        });
        self.wellformed(&ty, Whose::Result(position));
        for i in results {
            let size = |ty: &Type| *ty == Type::i64() || matches!(ty, Type::Seg { .. });
            if i >= position || !size(&self.table.ret[i].ty) {
                let message =
                    format!("Result {position} mentions `#{i}`, which is no earlier result of type i64.");
                self.fail(Rule::N7, message);
            }
        }
    }

    fn outermost(&mut self, dims: &[Dim], whose: Whose) {
        if dims.first() == Some(&Dim::Irregular) {
            let whose = self.show_whose(whose);
            self.fail(Rule::N6, format!("The outermost dimension in the type {whose} is `?`."));
        }
    }

    /// A dimension that is mentioned in a type or an expression.
    pub(super) fn dim(&mut self, dim: Dim, whose: Whose) {
        match dim {
            Dim::Irregular => {}
            Dim::Result(_) => {
                let whose = self.show_whose(whose);
                self.fail(Rule::N7, format!("A size in the type {whose} is a result of the function."));
            }
            Dim::Size(atom) => {
                let visible = match atom {
                    Atom::Var(var) => self.scope.is_visible(var),
                    Atom::Const(_) => true,
                };
                if !visible {
                    let (size, whose) = (self.show(atom), self.show_whose(whose));
                    self.fail(Rule::N5, format!("The size {size} in the type {whose} is not visible."));
                } else if self.atom_ty(atom) != Type::i64() {
                    let (size, whose) = (self.show(atom), self.show_whose(whose));
                    self.fail(Rule::N5, format!("The size {size} in the type {whose} is no i64."));
                }
            }
        }
    }

    /// A dimension that has so many before it. The outermost is no descriptor.
    pub(super) fn dim_at(&mut self, place: usize, dim: Dim, whose: Whose) {
        match dim {
            Dim::Size(Atom::Var(var)) if place > 0 && self.table.is_descriptor(var) => {
                if !self.scope.is_visible(var) {
                    let (name, whose) = (self.show(var), self.show_whose(whose));
                    self.fail(Rule::N5, format!("The descriptor {name} in the type {whose} is not visible."));
                }
            }
            Dim::Size(_) | Dim::Irregular | Dim::Result(_) => self.dim(dim, whose),
        }
    }

    fn region_of(&mut self, elem: Elem, whose: Whose) {
        let Elem::Ref(data, region) = elem else { return };
        if data.0 as usize >= self.prog.datas.len() {
            let whose = self.show_whose(whose);
            self.fail(Rule::N2, format!("The type {whose} mentions data that does not exist."));
        }
        match (region, self.stage) {
            (None, Stage::BeforeRegions) => {}
            (None, Stage::Complete | Stage::Scheduled | Stage::Kernels) => {
                let whose = self.show_whose(whose);
                self.fail(Rule::N10, format!("A ref in the type {whose} has no region."));
            }
            (Some(_), Stage::BeforeRegions) => {
                let whose = self.show_whose(whose);
                self.fail(
                    Rule::N10,
                    format!("A ref in the type {whose} has a region before regions are inferred."),
                );
            }
            (Some(region), Stage::Complete | Stage::Scheduled | Stage::Kernels) => {
                if self.is_region(region) {
                    return;
                }
                let whose = self.show_whose(whose);
                self.region(region, &format!("The region in the type {whose}"))
            }
        }
    }

    fn show_whose(&self, whose: Whose) -> String {
        match whose {
            Whose::Var(var) => format!("of {}", self.show(var)),
            Whose::Result(position) => format!("of result {position}"),
            Whose::Expression => "that an expression mentions".to_string(),
        }
    }

    fn is_region(&self, var: Var) -> bool {
        self.scope.is_visible(var) && self.ty(var) == Type::Region
    }

    /// A variable that is mentioned as a region.
    pub(super) fn region(&mut self, region: Var, what: &str) {
        if !self.scope.is_visible(region) {
            let name = self.show(region);
            self.fail(Rule::N10, format!("{what}, {name}, is not visible."));
        } else if self.ty(region) != Type::Region {
            let name = self.show(region);
            self.fail(Rule::N10, format!("{what}, {name}, is no region."));
        }
    }
}
