//! Checks expressions of imp bottom-up: their types follow from those of their operands (I1: variables exist; I3: types agree; I6: vectors have equally many lanes).
//!
//! `exp` returns the type of an expression, or `None` after it has reported an error inside, so that one mistake is reported once. The other methods
//! check what a place requires: an `i64` scalar (`i64`), a pointer to certain elements (`ptr`, `place`, `remote`), a vector or a mask (`vector`, `mask`).

use super::{Checker, Rule, show_ty};
use crate::imp::{Elem, Exp, Prim, Type, Var};

impl Checker<'_> {
    /// The type of a variable, if there is such a variable.
    pub(super) fn var(&mut self, var: Var) -> Option<Type> {
        match self.vars.get(var.0 as usize) {
            Some(info) => Some(info.ty),
            None => {
                self.fail(Rule::I1, format!("There is no variable {}.", self.show_var(var)));
                None
            }
        }
    }

    /// The type of an expression, or nothing if that cannot be known, which was reported.
    pub(super) fn exp(&mut self, exp: &Exp) -> Option<Type> {
        match exp {
            Exp::Const(scalar) => Some(Type::Scalar(scalar.prim())),
            Exp::Var(var) => {
                let ty = self.var(*var)?;
                if let Type::Local(_) = ty {
                    let message =
                        format!("{} is mentioned where it is not read or written.", self.show_var(*var));
                    self.fail(Rule::I9, message);
                }
                Some(ty)
            }
            Exp::Un(op, prim, x) => {
                let shape = self.numbers(exp, &[(x, *prim)])?;
                self.result(exp, shape, op.result(*prim))
            }
            Exp::Bin(op, prim, x, y) => {
                let shape = self.numbers(exp, &[(x, *prim), (y, op.second(*prim))])?;
                self.result(exp, shape, op.result(*prim))
            }
            Exp::Tri(op, prim, x, y, z) => {
                let shape = self.numbers(exp, &[(x, *prim), (y, *prim), (z, *prim)])?;
                self.result(exp, shape, op.result(*prim))
            }
            Exp::Convert { from, to, value } => {
                let shape = self.numbers(exp, &[(value, *from)])?;
                Some(shape.with_prim(*to))
            }
            Exp::Select(cond, x, y) => self.select(exp, cond, x, y),
            Exp::Load { elem, ptr, index } => {
                self.place(ptr, *elem);
                self.i64(index);
                Some(elem.ty())
            }
            Exp::Offset { elem, ptr, index } => {
                self.i64(index);
                match self.exp(ptr)? {
                    ty @ (Type::Ptr(found) | Type::Remote(found)) if found == *elem => Some(ty),
                    ty => {
                        self.operand(ptr, ty, &format!("of type {}", show_ty(Type::Ptr(*elem))));
                        None
                    }
                }
            }
            Exp::Cast(elem, ptr) => {
                let ty = self.exp(ptr)?;
                match ty {
                    Type::Ptr(_) | Type::Remote(_) => {}
                    Type::Scalar(_) | Type::Vector(..) | Type::Local(_) | Type::Block | Type::Region => {
                        self.operand(ptr, ty, "a pointer");
                    }
                }
                Some(ty.with_elem(*elem))
            }
            Exp::Null(ty) => match ty {
                Type::Ptr(_) | Type::Remote(_) | Type::Block | Type::Region => Some(*ty),
                Type::Scalar(_) | Type::Vector(..) | Type::Local(_) => {
                    self.fail(Rule::I3, format!("There is no null of type {}.", show_ty(*ty)));
                    None
                }
            },
            Exp::Data(elem, block) => {
                self.is(block, Type::Block, Rule::I3, "An operand");
                Some(Type::Ptr(*elem))
            }
            Exp::Remote(elem, block) => {
                self.is(block, Type::Block, Rule::I3, "An operand");
                Some(Type::Remote(*elem))
            }
            Exp::Cell { region, cell } => {
                self.is(region, Type::Region, Rule::I3, "An operand");
                self.is(cell, Type::Scalar(Prim::U32), Rule::I3, "An operand");
                Some(Type::ptr(Prim::U64))
            }
            Exp::CellBlock { region, cell } => {
                self.is(region, Type::Region, Rule::I3, "An operand");
                self.is(cell, Type::Scalar(Prim::U32), Rule::I3, "An operand");
                Some(Type::Block)
            }
            Exp::Capacity(block) => {
                self.is(block, Type::Block, Rule::I3, "An operand");
                Some(Type::I64)
            }
            Exp::Splat(lanes, x) => {
                self.lanes(*lanes);
                match self.exp(x)? {
                    Type::Scalar(prim) => Some(Type::Vector(prim, *lanes)),
                    ty => {
                        self.operand(x, ty, "a scalar");
                        None
                    }
                }
            }
            Exp::Lanes(prim, lanes) => {
                self.lanes(*lanes);
                if !prim.is_number() {
                    self.fail(Rule::I3, format!("There are no numbers of type `{}`.", prim.name()));
                }
                Some(Type::Vector(*prim, *lanes))
            }
            Exp::LoadLanes { prim, lanes, ptr, index, mask } => {
                self.lanes(*lanes);
                self.ptr(ptr, Elem::Prim(*prim));
                self.i64(index);
                self.mask(mask.as_deref(), Some(*lanes));
                Some(Type::Vector(*prim, *lanes))
            }
            Exp::Gather { prim, ptr, index, mask } => {
                self.ptr(ptr, Elem::Prim(*prim));
                let lanes = self.vector(index, Prim::I64);
                self.mask(mask.as_deref(), lanes);
                Some(Type::Vector(*prim, lanes?))
            }
            Exp::Lane(vector, lane) => {
                self.i64(lane);
                match self.exp(vector)? {
                    Type::Vector(prim, _) => Some(Type::Scalar(prim)),
                    ty => {
                        self.operand(vector, ty, "a vector");
                        None
                    }
                }
            }
            Exp::Combine(op, prim, vector) => {
                self.vector(vector, *prim);
                if op.result(*prim) != Some(*prim) || op.second(*prim) != *prim {
                    let message = format!("{} combines values that are no operands.", self.show_exp(exp));
                    self.fail(Rule::I3, message);
                }
                Some(Type::Scalar(*prim))
            }
            Exp::Any(mask) => {
                self.vector(mask, Prim::Bool);
                Some(Type::BOOL)
            }
            Exp::Table(prim, values) => {
                if values.iter().any(|value| value.prim() != *prim) {
                    let message = format!("A table of `{}` has values of another type.", prim.name());
                    self.fail(Rule::I3, message);
                }
                Some(Type::ptr(*prim))
            }
            Exp::Workers | Exp::DeviceGroups | Exp::DevicePool | Exp::Tunable(_) | Exp::Group(_) => {
                Some(Type::I64)
            }
            Exp::Chunks { width, work } => {
                self.i64(width);
                self.i64(work);
                Some(Type::I64)
            }
        }
    }

    /// Scalars, or vectors of equally many lanes. The type of the first.
    fn numbers(&mut self, exp: &Exp, operands: &[(&Exp, Prim)]) -> Option<Type> {
        let mut shape: Option<Type> = None;
        let mut known = true;
        for (operand, prim) in operands {
            let Some(ty) = self.exp(operand) else {
                known = false;
                continue;
            };
            if ty.prim() != Some(*prim) {
                self.operand(operand, ty, &format!("of type `{}`", prim.name()));
                known = false;
            }
            if shape.is_some_and(|shape| shape.lanes() != ty.lanes()) {
                self.different_lanes(exp);
                known = false;
            }
            shape = shape.or(Some(ty));
        }
        shape.filter(|_| known)
    }

    fn result(&mut self, exp: &Exp, shape: Type, result: Option<Prim>) -> Option<Type> {
        if result.is_none() {
            let message = format!("The operator of {} does not exist at its type.", self.show_exp(exp));
            self.fail(Rule::I3, message);
        }
        Some(shape.with_prim(result?))
    }

    fn select(&mut self, exp: &Exp, cond: &Exp, x: &Exp, y: &Exp) -> Option<Type> {
        let cond_ty = self.exp(cond)?;
        let ty = self.exp(x)?;
        if cond_ty.prim() != Some(Prim::Bool) {
            self.operand(cond, cond_ty, "a condition");
        } else if cond_ty.lanes() != ty.lanes() {
            self.different_lanes(exp);
        }
        self.is(y, ty, Rule::I3, "An operand");
        Some(ty)
    }

    // # What operands are

    /// That an expression has this type.
    pub(super) fn is(&mut self, exp: &Exp, expected: Type, rule: Rule, what: &str) {
        if let Some(ty) = self.exp(exp)
            && ty != expected
        {
            self.differs(exp, ty, expected, rule, what);
        }
    }

    fn differs(&mut self, exp: &Exp, ty: Type, expected: Type, rule: Rule, what: &str) {
        // A vector where a scalar of the same kind should be, or the reverse, mixes the two.
        let mixed = ty.prim().is_some() && ty.prim() == expected.prim() && rule == Rule::I3;
        let message =
            format!("{what}, {}, has type {}, not {}.", self.show_exp(exp), show_ty(ty), show_ty(expected));
        self.fail(if mixed { Rule::I6 } else { rule }, message);
    }

    /// An index, size or bound: nothing but an `i64` scalar will do.
    pub(super) fn i64(&mut self, exp: &Exp) {
        if let Some(ty) = self.exp(exp)
            && ty != Type::I64
        {
            self.operand(exp, ty, "of type `i64`");
        }
    }

    /// A pointer to such elements.
    pub(super) fn ptr(&mut self, ptr: &Exp, elem: Elem) {
        match self.exp(ptr) {
            Some(Type::Remote(_)) => {
                let message = format!("{} leads nowhere on the host.", self.show_exp(ptr));
                self.fail(Rule::I9, message);
            }
            Some(ty) if ty != Type::Ptr(elem) => {
                self.differs(ptr, ty, Type::Ptr(elem), Rule::I3, "A pointer");
            }
            Some(_) | None => {}
        }
    }

    /// Where such elements are read and written: a pointer, or an array of the kernel.
    pub(super) fn place(&mut self, ptr: &Exp, elem: Elem) {
        let Exp::Var(var) = ptr else { return self.ptr(ptr, elem) };
        match self.vars.get(var.0 as usize).map(|info| info.ty) {
            Some(Type::Local(found)) if found == elem => {}
            Some(ty @ Type::Local(_)) => self.differs(ptr, ty, Type::Local(elem), Rule::I3, "An array"),
            Some(_) | None => self.ptr(ptr, elem),
        }
    }

    /// A pointer to such elements on the device.
    pub(super) fn remote(&mut self, ptr: &Exp, elem: Elem) {
        self.is(ptr, Type::Remote(elem), Rule::I3, "A remote pointer");
    }

    /// A vector of this type; how many lanes it has.
    pub(super) fn vector(&mut self, exp: &Exp, prim: Prim) -> Option<u16> {
        let ty = self.exp(exp)?;
        match ty {
            Type::Vector(found, lanes) if found == prim => Some(lanes),
            _ => {
                self.operand(exp, ty, &format!("a vector of `{}`", prim.name()));
                None
            }
        }
    }

    /// A vector of `bool`, with so many lanes if that is known.
    pub(super) fn mask(&mut self, mask: Option<&Exp>, lanes: Option<u16>) {
        let Some(mask) = mask else { return };
        if let (Some(found), Some(lanes)) = (self.vector(mask, Prim::Bool), lanes)
            && found != lanes
        {
            self.different_lanes(mask);
        }
    }

    pub(super) fn lanes(&mut self, lanes: u16) {
        if !(2..=64).contains(&lanes) || !lanes.is_power_of_two() {
            self.fail(Rule::I6, format!("A vector has {lanes} lanes."));
        }
    }

    pub(super) fn operand(&mut self, exp: &Exp, ty: Type, expected: &str) {
        let message = format!("{} has type {}, but is to be {expected}.", self.show_exp(exp), show_ty(ty));
        self.fail(Rule::I3, message);
    }

    fn different_lanes(&mut self, exp: &Exp) {
        let message =
            format!("{} mixes scalars and vectors, or different numbers of lanes.", self.show_exp(exp));
        self.fail(Rule::I6, message);
    }
}
