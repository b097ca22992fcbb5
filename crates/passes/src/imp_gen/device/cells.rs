//! Cells with arrays, on the device of a host.
//!
//! ```text
//! let t: &tree = alloc leaf (xs)      a cell in the device's part of the region; its first words are written, and the elements of `xs` copied to it
//! let n, ys = load t leaf             the host reads the first words; `ys` is where the elements are on the device
//! ```
//!
//! The block that an array is in is retained as long as the array is used: a region that grows moves to another.

use crate::imp_gen::state::Gen;
use norn_ir::imp::{DeviceStmt, Elem, Exp, Prim, SiteId, Stmt, Type, Var as ImpVar};
use norn_ir::nest::{self, Atom};

const WORD: Elem = Elem::Prim(Prim::U64);

/// A cell on the device, and the block that it is in.
pub struct RemoteCell {
    pub ptr: ImpVar,
    pub block: ImpVar,
    /// What the host writes to it, in memory of its own.
    words: Option<ImpVar>,
}

impl Gen<'_> {
    /// A new cell of so many words, of which the host writes the first to this place.
    pub fn new_remote_cell(
        &mut self,
        cell: ImpVar,
        region: &Exp,
        words: Exp,
        fixed: i64,
        site: SiteId,
    ) -> (ImpVar, Option<RemoteCell>) {
        let new = DeviceStmt::CellNew { cell, region: region.clone(), words, site };
        self.code.push(Stmt::Device(new));
        let mut remote = self.place_remote_cell(region.clone(), cell.into(), site);
        let own = self.code.alloc("cell", WORD, Exp::i64(fixed), site);
        remote.words = Some(own);
        (self.code.bind("cell", Exp::data(WORD, own)), Some(remote))
    }

    /// The first words go to the device.
    pub fn write_remote_cell(&mut self, from: ImpVar, remote: RemoteCell, fixed: i64) {
        let count = Exp::i64(fixed);
        let to = remote.ptr.into();
        self.code.push(Stmt::Device(DeviceStmt::Upload { elem: WORD, to, from: from.into(), count }));
        remote.words.into_iter().for_each(|own| self.code.release(own));
        self.code.release(remote.block);
    }

    /// Where a cell is on the device.
    pub fn remote_cell(&mut self, cell: Atom) -> RemoteCell {
        let Some(nest::Elem::Ref(_, Some(region))) = cell.var().and_then(|var| self.ty(var).elem()) else {
            panic!("imp_gen: a cell without a region")
        };
        let site = self.operator_site("match");
        let (region, cell) = (self.region(region), self.scalar(cell));
        self.place_remote_cell(region, cell, site)
    }

    fn place_remote_cell(&mut self, region: Exp, cell: Exp, site: SiteId) -> RemoteCell {
        let ptr = self.code.new_var("place", Type::Remote(WORD));
        let block = self.code.new_var("block", Type::Block);
        self.code.push(Stmt::Device(DeviceStmt::CellPlace { ptr, block, region, cell, site }));
        RemoteCell { ptr, block, words: None }
    }
}
