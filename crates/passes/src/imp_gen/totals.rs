//! Sums of lengths do not wrap around.
//!
//! Rows are computed only after their lengths have been added up, so lengths such as `[i64.highest, 3]` reach the sum before any memory has
//! been asked for. A sum that wraps around would be few elements, and the rows would be written outside of them. So sums saturate:
//! what cannot be counted is `i64.highest`, for which no memory is large enough.
//!
//! On the CPU, and in a thread, lengths are added one after the other, and saturation is one more minimum. On a device they are added by groups of threads. There, each
//! length and the sum of all tiles before a tile is at most [`MOST_ELEMENTS`], so that the sum of a tile cannot wrap around, and is added without
//! a check; what the host reads of such sums is the right number, or at least `MOST_ELEMENTS`.

use super::repr::Part;
use super::state::Gen;
use norn_ir::imp::{DeviceStmt, Exp, Prim, SiteId, Stmt, Type, Var as ImpVar};

/// More elements than any memory has. `rts/gpu` has the same number.
pub const MOST_ELEMENTS: i64 = 1 << 50;

impl Gen<'_> {
    /// Add a length, which is not negative, to a sum of lengths.
    pub fn add_length(&mut self, total: ImpVar, length: Exp) {
        let room = Exp::i64(i64::MAX).sub(total);
        self.code.set(total, Exp::Var(total).add(length.min(room)));
    }

    /// The sum of all lengths, behind the last of these offsets.
    pub fn total_on_device(&mut self, offsets: &Part, rows: &Exp) -> Exp {
        let total = self.read_i64(offsets.ptr.clone(), rows.clone());
        let counted = total.clone().lt(MOST_ELEMENTS);
        self.code.bind("total", Exp::select(counted, total, i64::MAX)).into()
    }

    /// A sum of lengths that the host reads was counted: rows with more elements have no memory, even if nobody needs the elements.
    pub fn refuse_uncounted(&mut self, sum: &Exp) {
        let site = self.operator_site("rows");
        self.code.open();
        let block = self.code.new_var("rows", Type::Block);
        self.code.push(Stmt::Device(DeviceStmt::Alloc { block, bytes: Exp::i64(i64::MAX), site }));
        self.code.push(Stmt::Release(block.into()));
        let refused = self.code.close();
        self.code.when(Exp::i64(MOST_ELEMENTS).le(sum.clone()), refused);
    }

    /// Memory for so many elements in all rows, each of these dimensions. More than can be counted does not fit, even if elements need no memory.
    pub fn new_elements(&mut self, name: &str, prim: Prim, total: &Exp, inner: &[Exp], site: SiteId) -> Part {
        let mut dims = vec![total.clone()];
        dims.extend(inner.iter().cloned());
        let bytes = Self::bytes(prim, &dims).add(total.clone().sub(MOST_ELEMENTS).max(0));
        self.new_bytes(name, prim, bytes, site)
    }
}
