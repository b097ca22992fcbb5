//! Cells of recursive types.

use super::Machine;
use super::arrays::part;
use super::scatter::set;
use crate::code::{Alloc, Load};
use crate::failure::{Outcome, fail};
use crate::locals::Locals;
use crate::meter;
use crate::region::{Cell, Region};
use norn_ir::scalar::eval::Word;

impl Machine<'_> {
    fn region(&self, locals: &Locals, place: Option<u32>) -> Region {
        match place {
            Some(place) => locals.region(place).clone(),
            None => self.everywhere.clone(),
        }
    }

    pub(super) fn alloc(&mut self, locals: &mut Locals, alloc: &Alloc) -> Outcome {
        let fields = alloc.fields.iter().map(|field| part(locals, *field)).collect();
        let cell = Cell { data: alloc.data, constr: alloc.constr, fields };
        match self.region(locals, alloc.region).alloc(cell) {
            Some(place) => locals.set_word(alloc.dst, place as Word),
            None => {
                let why = meter::describe();
                return fail(format!("Cannot allocate another cell of a recursive type: {why}."));
            }
        }
        Ok(())
    }

    pub(super) fn tag(&mut self, locals: &mut Locals, dst: u32, cell: u32, region: Option<u32>) -> Outcome {
        let place = locals.word(cell) as usize;
        let region = self.region(locals, region);
        let Some(constr) = region.read().cells.get(place).map(|cell| cell.constr) else {
            return no_cell();
        };
        locals.set_word(dst, constr as Word);
        Ok(())
    }

    pub(super) fn load(&mut self, locals: &mut Locals, load: &Load) -> Outcome {
        let place = locals.word(load.cell) as usize;
        let region = self.region(locals, load.region);
        let store = region.read();
        let Some(cell) = store.cells.get(place) else { return no_cell() };
        if cell.constr != load.constr || cell.fields.len() != load.dsts.len() {
            return fail("nest type violated: a cell has another constructor than the one loaded from.");
        }
        for (target, field) in load.dsts.iter().zip(&cell.fields) {
            set(locals, *target, field.clone());
        }
        Ok(())
    }
}

fn no_cell() -> Outcome {
    fail("nest type violated: a ref leads nowhere.")
}
