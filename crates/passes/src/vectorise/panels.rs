//! Panels: some columns at a time, for all rows.
//!
//! ```text
//! for i { for j { for k reduce { sum += a[i*p + k] * b[k*m + j] } } }
//! ```
//! All of `b` goes by for each group of rows, and does not stay in a cache if it is large. So the columns are cut into panels,
//! and each panel is done for all rows:
//! ```text
//! for panel { for i { for j in first .. last { for k reduce { .. } } } }
//! ```
//! What the rows share of a panel is brought together first (`pack`).

use super::jam::JammedRows;
use super::pack::{Pack, strided};
use super::plan::{Loop, Planner};
use super::product::Product;
use norn_ir::imp::build::CodeBuilder;
use norn_ir::imp::{BinOp, Block, Exp, LoopForm, Prim, SiteId, Stmt, Type, Var};

/// How many bytes a panel has, if it has more columns than are done side by side: a part of the fastest cache.
const PANEL_BYTES: i64 = 1 << 15;

/// The loop over panels of columns, in the making.
pub struct Panels {
    number: Var,
    count: Exp,
    /// What a row does with the columns of a panel.
    pub row: Block,
    packs: Vec<Pack>,
}

impl Panels {
    /// Begins the loop around the rows, if a row does nothing else than go through its columns. Sizes of panels are computed
    /// when the code runs.
    pub fn begin(
        code: &mut CodeBuilder,
        planner: &Planner<'_>,
        it: Loop<'_>,
        rows: &JammedRows,
        site: impl FnOnce() -> SiteId,
    ) -> Option<Panels> {
        let product = Product::of(it)?;
        let Product { columns, sum, .. } = product;
        let pure = it.block.iter().all(|stmt| match stmt {
            Stmt::Set(_, exp) => !exp.reads_memory(),
            Stmt::For { .. } => true,
            _ => false,
        });
        let bounds = [columns.from, columns.to, sum.from, sum.to];
        if !pure || !bounds.into_iter().all(|exp| product.is_fixed(exp)) {
            return None;
        }
        let trips = code.bind("trips", sum.to.clone().sub(sum.from.clone()).max(0));
        let bytes_of = |load| code.ty(load).prim().map_or(8, |prim| prim.size() as i64);
        let bytes: i64 = rows.shared.iter().map(bytes_of).sum();
        let step = rows.columns as i64;
        let width = Exp::i64(PANEL_BYTES).quot(Exp::Var(trips).max(1).mul(bytes));
        let width = Exp::bin(BinOp::And, Prim::I64, width, Exp::i64(-step)).max(step);
        let width = code.bind("width", width);
        let loads = strided(planner, &product, &rows.shared);
        let packs = if loads.is_empty() {
            Vec::new()
        } else {
            let (site, many) = (site(), it.to.clone().sub(it.from.clone()));
            let begin = |load| Pack::begin(code, load, many.clone(), [trips, width], site);
            loads.into_iter().map(begin).collect()
        };
        let (from, to) = (code.atom("from", columns.from.clone()), code.atom("to", columns.to.clone()));
        let count = to.clone().sub(from.clone()).add(Exp::Var(width).sub(1)).quot(width);
        let number = code.new_var("panel", Type::I64);
        code.open();
        let first = code.bind("first", from.add(Exp::Var(number).mul(width)));
        let last = code.bind("last", Exp::Var(first).add(width).min(to));
        let mut row = it.block.clone();
        for stmt in &mut row {
            if let Stmt::For { from, to, .. } = stmt {
                (*from, *to) = (first.into(), last.into());
            }
        }
        packs.iter().for_each(|pack| pack.fill(code, &product, [first, last], &mut row));
        Some(Panels { number, count, row, packs })
    }

    /// Whether something is packed, if there is enough of it.
    pub fn are_packed(&self) -> bool {
        !self.packs.is_empty()
    }

    pub fn end(self, code: &mut CodeBuilder) {
        let body = code.close();
        code.for_(self.number, 0, self.count, LoopForm::Plain, body);
        self.packs.iter().for_each(|pack| pack.end(code));
    }
}
