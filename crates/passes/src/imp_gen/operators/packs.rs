//! Short rows of unknown lengths, side by side in memory that many of them share.
//!
//! A row has memory of its own while it is computed. As it stays there until all rows are known (`rows`), a million short ones would be a million
//! blocks: more headers than elements, and all of them to allocate and to free. So each chunk of a map copies short rows into a *pack*, one after the other,
//! and the row's own block is free for the next row.
//!
//! ```text
//! map n () \i -> [?]f32      pack: p0 p0 p0 p2 p2 | room      p1, which is long, keeps its own block
//! ```
//!
//! A pack is counted once for each row in it, so that whoever puts the rows together releases them as all others. Only the processor does this:
//! what a thread of a device allocates is freed at once.

use super::outs::Out;
use super::rows::RowStore;
use crate::imp_gen::repr::{Array, Part};
use crate::imp_gen::state::{Gen, Where};
use norn_ir::imp::{Block, Elem, Exp, Prim, SiteId, Type, Var};

/// How many bytes a pack has: few enough for the lists of free blocks of a thread.
const PACK: i64 = 1 << 14;

/// Rows with more bytes stay where they are.
const SHORT: i64 = 512;

/// The pack that is being filled.
#[derive(Clone, Debug)]
pub struct Pack {
    block: Var,
    /// Where the next row goes, and how many bytes there are from there on.
    at: Var,
    room: Var,
    site: SiteId,
}

impl Gen<'_> {
    /// The same outputs, where short rows share memory until `close_packs`.
    pub fn open_packs(&mut self, outs: &[Out], operator: &str) -> Vec<Out> {
        let mut outs = outs.to_vec();
        for out in &mut outs {
            if let Out::Rows(store) = out
                && self.at == Where::Cpu
                && store.is_open()
                && store.has_one_part()
            {
                let elem = Elem::Prim(store.prim());
                let site = self.operator_site(operator);
                let block = self.code.new_var("pack", Type::Block);
                let at = self.code.new_var("at", Type::Ptr(elem));
                let room = self.code.new_i64("room");
                let pack = Pack { block, at, room, site };
                self.new_pack(&pack, elem);
                store.set_pack(pack);
            }
        }
        outs
    }

    pub fn close_packs(&mut self, outs: &[Out]) {
        for out in outs {
            if let Out::Rows(store) = out
                && let Some(pack) = store.pack()
            {
                self.code.release(pack.block);
            }
        }
    }

    fn new_pack(&mut self, pack: &Pack, elem: Elem) {
        let block = self.code.alloc("pack", Elem::Prim(Prim::U8), PACK, pack.site);
        self.code.set(pack.block, block);
        self.code.set(pack.at, Exp::data(elem, block));
        self.code.set(pack.room, PACK);
    }

    /// A row whose blocks are handed over: into the pack if it is short, and otherwise as it is.
    pub fn pack_row(&mut self, store: &RowStore, pack: &Pack, index: &Exp, row: &Array) {
        let elem = Elem::Prim(store.prim());
        let count = Exp::product(row.lead.iter().map(|lead| lead.size.clone()));
        let bytes: Exp = self.code.bind("bytes", count.clone().mul(elem.bytes())).into();

        self.code.open();
        self.code.open();
        self.code.release(pack.block);
        self.new_pack(pack, elem);
        let full = self.code.close();
        self.code.if_(Exp::Var(pack.room).lt(bytes.clone()), full, Block::new());
        self.code.copy(elem, pack.at, row.data.ptr.clone(), count.clone());
        self.code.release(row.data.block.clone());
        self.code.retain(pack.block);
        let data = Part::borrowed(pack.at.into(), pack.block.into());
        self.set_row(store, index, &Array { data, ..row.clone() });
        self.code.set(pack.at, Exp::offset(elem, pack.at, count));
        self.code.set(pack.room, Exp::Var(pack.room).sub(bytes.clone()));
        let short = self.code.close();

        self.code.open();
        self.set_row(store, index, row);
        let long = self.code.close();
        self.code.if_(bytes.le(SHORT), short, long);
    }
}
