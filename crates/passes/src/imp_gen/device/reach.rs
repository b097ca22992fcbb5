//! What a launch reads and writes of the blocks that it is passed pointers to: the elements of the arrays that it was made with.
//!
//! Only devices that share work ask for it: of a block, a device then gets what it needs. An array of which it is not known, since its rows have different
//! lengths, say, is reached as a whole, which is right always.

use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{DeviceStmt, Elem, Exp, Prim, Reach, Stmt, Var as ImpVar};
use norn_ir::nest::Var;
use rustc_hash::FxHashMap;

/// The arrays that lie at a pointer; nothing if one of them is reached as a whole.
type Reached = FxHashMap<ImpVar, Option<Vec<Array>>>;

impl Gen<'_> {
    /// What a kernel reaches that is made with these captured variables and values, by those arguments that are passed to it.
    pub fn reaches(&mut self, captured: &[Var], extra: &[Repr], args: &[Exp]) -> Vec<Reach> {
        if !self.out.shares_work {
            return Vec::new();
        }
        let mut reached = Reached::default();
        for var in captured {
            if let Some(repr) = self.env.get(var) {
                note_reached(repr, &mut reached);
            } else if let Some(array) = self.away.get(var) {
                note_reached(&Repr::Array(array.clone()), &mut reached);
            }
        }
        extra.iter().for_each(|repr| note_reached(repr, &mut reached));
        let mut reaches = Vec::new();
        for (arg, ptr) in args.iter().enumerate() {
            let Exp::Var(ptr) = ptr else { continue };
            if let Some(Some(arrays)) = reached.get(ptr) {
                let (from, count) = self.elements_until_last(arrays);
                reaches.push(Reach { arg, elem: Elem::Prim(arrays[0].prim), from, count });
            }
        }
        reaches
    }

    /// Before the device begins: it will read the array.
    pub fn bring(&mut self, array: &Array) {
        if array.counted.is_some() {
            return;
        }
        let (from, count) = match array.is_regular() {
            true => self.elements_until_last(std::slice::from_ref(array)),
            false => all(),
        };
        let data = (Elem::Prim(array.prim), &array.data, from, count);
        let offsets =
            array.offsets.iter().map(|offsets| (Elem::Prim(Prim::I64), offsets, Exp::i64(0), Exp::i64(-1)));
        for (elem, part, from, count) in offsets.chain([data]) {
            self.code.push(Stmt::Device(DeviceStmt::Bring { elem, ptr: part.ptr.clone(), from, count }));
        }
    }

    /// The processor has written the array, which is regular.
    pub fn written(&mut self, array: &Array) {
        let (from, count) = self.elements_until_last(std::slice::from_ref(array));
        let (elem, ptr) = (Elem::Prim(array.prim), array.data.ptr.clone());
        self.code.push(Stmt::Device(DeviceStmt::Written { elem, ptr, from, count }));
    }

    /// From which element on, seen from their pointer, regular arrays lie, and how many elements that is until the last one.
    fn elements_until_last(&mut self, arrays: &[Array]) -> (Exp, Exp) {
        let (mut first, mut behind) = (Exp::i64(0), Exp::i64(0));
        for array in arrays {
            let (mut low, mut high) = (Exp::i64(0), Exp::i64(1));
            if array.is_row_major() {
                high = Exp::product(array.lead.iter().map(|lead| lead.size.clone()));
            } else {
                for lead in &array.lead {
                    let end = self.code.atom("end", lead.size.clone().sub(1).mul(lead.stride.clone()));
                    low = low.add(end.clone().min(0));
                    high = high.add(end.max(0));
                }
            }
            (first, behind) = match arrays.len() {
                1 => (low, high),
                _ => (self.code.atom("first", first.min(low)), self.code.atom("behind", behind.max(high))),
            };
        }
        let first = self.code.atom("first", first);
        let count = self.code.atom("reach", behind.sub(first.clone()));
        (first, count)
    }
}

/// From where on, and how many: all of a block.
fn all() -> (Exp, Exp) {
    (Exp::i64(0), Exp::i64(-1))
}

fn note_reached(repr: &Repr, reached: &mut Reached) {
    match repr {
        Repr::Array(array) if array.is_regular() => {
            let Exp::Var(ptr) = array.data.ptr else { return };
            if let Some(arrays) = reached.entry(ptr).or_insert_with(|| Some(Vec::new()))
                && !arrays.iter().any(|other| other.lead == array.lead && other.prim == array.prim)
            {
                arrays.push(array.clone());
            }
        }
        Repr::Array(_) | Repr::Acc(_) => {
            let mut repr = repr.clone();
            repr.for_each_exp_mut(&mut |exp| {
                if let Exp::Var(var) = exp {
                    reached.insert(*var, None);
                }
            });
        }
        Repr::Scalar(_) | Repr::Region(_) | Repr::Cert => {}
    }
}
