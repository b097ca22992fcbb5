//! Bodies: statements one after the other, each followed by the release of what it used last.

use super::device::filter::Filters;
use super::owners::OwnerId;
use super::repr::{Array, Part, Repr, prim_of};
use super::state::{Gen, Where};
use norn_ir::imp::build::KernelVars;
use norn_ir::imp::{DeviceStmt, Exp, PlanKind, Planned, Prim, Stmt, Type};
use norn_ir::nest::grids::{
    ALONE, APART, APPEND, BRING, COUNT, ELEMENTS, FROM, NOTE, NOTED, NOTES, OWN_COUNT, OWN_FROM, PART, PARTS,
    PLAN, PROCESSOR, ROOM, SELECT, UNEVEN, WHOLE,
};
use norn_ir::nest::{ArrayExp, Atom, Body, Exp as NestExp, Stm, Var};

impl Gen<'_> {
    /// The statements of a body, which takes over these owners. Afterwards its results can be used, until
    /// `end_body`.
    pub fn begin_body(&mut self, body: &Body, handed: &[OwnerId]) {
        self.owners.enter(body);
        self.owners.hand_in(handed);
        self.statements(body);
    }

    /// The statements of a body whose scope has been entered.
    pub fn statements(&mut self, body: &Body) {
        let released = self.owners.begin_body();
        self.release(released);
        let outer = self.span;
        let plan = self.plan_concatenations(body);
        for (at, stm) in body.stms.iter().enumerate() {
            self.owners.begin_statement(at);
            self.span = stm.span;
            self.reserve(&plan, at, stm);
            if self.at == Where::Host && self.filters.is_none() {
                self.filters = Filters::of(&body.stms[at..]);
            }
            self.statement(stm);
            let released = self.owners.end_statement();
            self.release(released);
        }
        self.span = outer;
        self.owners.begin_statement(body.stms.len());
    }

    /// What the body owns and nobody has taken is released.
    pub fn end_body(&mut self) {
        let released = self.owners.end_body();
        self.release(released);
        for region in self.owners.end_regions() {
            self.code.push(Stmt::RegionEnd(region));
        }
        self.owners.leave();
        let depth = self.owners.depth();
        self.offsets.retain(|_, (_, known)| *known <= depth);
    }

    fn release(&mut self, blocks: Vec<Exp>) {
        // What a group has is free when its row is done.
        let blocks = blocks.into_iter().filter(|block| *block != Exp::null_block());
        blocks.for_each(|block| self.code.release(block));
    }

    fn statement(&mut self, stm: &Stm) {
        let is = |attr: &str| stm.attrs.iter().any(|given| given == attr);
        if is(ROOM) {
            return self.room(stm.vars[0]);
        }
        let planned = [
            (PARTS, Planned::Parts),
            (FROM, Planned::From),
            (COUNT, Planned::Count),
            (ALONE, Planned::Alone),
        ];
        if let Some(what) = planned.into_iter().find_map(|(attr, what)| is(attr).then_some(what)) {
            return self.planned(stm.vars[0], what);
        }
        if is(APART) {
            return self.parts_apart(stm);
        }
        if is(NOTES) || is(NOTE) || is(NOTED) {
            return self.note(stm);
        }
        if is(APPEND) {
            return self.append_part(stm);
        }
        self.exp(&stm.vars, &stm.exp, stm.grid);
        if is(OWN_FROM) {
            self.own_rows.from = Some(self.scalar(stm.vars[0].into()));
        } else if is(OWN_COUNT) {
            self.own_rows.count = Some(self.scalar(stm.vars[0].into()));
        } else if is(WHOLE) {
            self.own_rows.whole = Some(self.scalar(stm.vars[0].into()));
        }
        if let NestExp::Array(ArrayExp::Update { array, slice, value: _ }) = &stm.exp {
            self.note_written(*array, slice);
        }
        if is(ELEMENTS) {
            self.task_elements = self.scalar(stm.vars[0].into());
        } else if is(SELECT) || is(PART) || is(PLAN) {
            let number = self.scalar(stm.vars[0].into());
            let stmt = match (is(SELECT), is(PART)) {
                (true, _) => DeviceStmt::Select(number),
                (false, true) => DeviceStmt::Part(number),
                (false, false) => {
                    let (grain, site) = (Exp::i64(1), self.operator_site("task"));
                    let kind = match (is(PROCESSOR), is(UNEVEN)) {
                        (true, _) => PlanKind::Processor,
                        (false, true) => PlanKind::Uneven,
                        (false, false) => PlanKind::Usual,
                    };
                    let elements = self.task_elements.clone();
                    DeviceStmt::Plan { width: number, elements, grain, kind, site }
                }
            };
            self.code.push(Stmt::Device(stmt));
        } else if is(BRING)
            && let Repr::Array(array) = self.value(stm.vars[0].into())
        {
            self.bring(&array);
        }
    }

    /// A number that the plan of a task chooses.
    fn planned(&mut self, var: Var, what: Planned) {
        let known = self.part.and_then(|KernelVars { chunk: _, from, to }| match what {
            Planned::Parts | Planned::Processor | Planned::Alone => None,
            Planned::From => Some(from.into()),
            Planned::Count => Some(Exp::Var(to).sub(from)),
        });
        if let Some(number) = known {
            return self.bind_scalar(var, number);
        }
        let number = self.code.new_var(self.name(var), Type::Scalar(Prim::I64));
        self.code.push(Stmt::Device(DeviceStmt::Planned { var: number, what }));
        self.bind(var, Repr::Scalar(number.into()));
    }

    /// A regular array without contents.
    fn room(&mut self, var: Var) {
        let ty = self.ty(var);
        let prim = prim_of(ty.elem().expect("imp_gen: an array of no values"));
        let sizes: Vec<Exp> =
            ty.dims().iter().filter_map(|dim| dim.atom()).map(|size| self.scalar(size)).collect();
        let array = self.new_array(var, prim, &sizes, "replicate");
        self.bind(var, Repr::Array(array));
    }

    /// The parts of a result, row-major, that the open body hands on to whoever asks.
    pub fn keep(&mut self, atom: Atom) -> Repr {
        match self.value(atom) {
            Repr::Array(array) => Repr::Array(self.keep_array(array)),
            other => other,
        }
    }

    /// The array row-major, in blocks that are the caller's to release.
    pub fn keep_array(&mut self, array: Array) -> Array {
        let kept = array.is_row_major() && array.parts().all(Part::can_be_kept);
        let mut array = if kept { array } else { self.copy_array("kept", &array, "copy") };
        for part in array.parts_mut() {
            let taken = part.owner.is_some_and(|owner| self.owners.take(owner));
            if !taken {
                self.code.retain(part.block.clone());
            }
            part.owner = None;
        }
        array
    }

    /// Own the blocks of an array that was handed over.
    pub fn own_array(&mut self, mut array: Array) -> Array {
        for part in array.parts_mut() {
            part.owner = Some(self.owners.own(part.block.clone()));
        }
        array
    }
}
