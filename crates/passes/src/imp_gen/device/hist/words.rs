//! Many bins whose columns fit into one word, which threads compare and swap where it is. Several columns are packed into words first.
//!
//! Threads that want the same word at once begin again, the more often the more they are: what many want has a place in the memory of each group
//! (`near`).

use super::Hist;
use super::combine::UpdateMethod;
use crate::imp_gen::operators::launch::Grid;
use crate::imp_gen::repr::Array;
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Exp, Prim};

/// Bins may be so many times as many as elements, if they have to be packed.
const SPARSE: i64 = 4;

impl Gen<'_> {
    pub(super) fn hist_in_words(
        &mut self,
        hist: &Hist,
        method: &UpdateMethod,
        (word, columns): (Prim, &[Prim]),
        cells: &Exp,
        grid: &Grid,
    ) {
        if columns.len() == 1 {
            return self.hist_in_memory(hist, method, grid);
        }
        self.code.open();
        self.scoped(&mut |this| {
            let words = this.new_array_named("words", word, &hist.cell_sizes(), "hist");
            this.each_word(hist, &words, cells, grid, &mut |this, hist, words, number| {
                let cell = this.cell_of(hist, &number);
                let mut values = Vec::with_capacity(hist.dests.len());
                for dest in &hist.dests {
                    let at = this.index_of_cell(dest, &cell);
                    values.push(this.element(dest, at));
                }
                this.store(words, &cell.indices, method.pack(values).remove(0));
            });
            let packed = Hist { dests: vec![words.clone()], ..hist.clone() };
            this.hist_in_memory(&packed, method, grid);
            this.each_word(hist, &words, cells, grid, &mut |this, hist, words, number| {
                let cell = this.cell_of(hist, &number);
                let at = this.index_of_cell(words, &cell);
                let packed = this.element(words, at);
                let packed = this.code.bind("packed", packed);
                for (dest, value) in hist.dests.iter().zip(method.unpack(vec![packed.into()])) {
                    this.store(dest, &cell.indices, value);
                }
            });
        });
        let in_words = self.code.close();
        self.code.open();
        self.scoped(&mut |this| this.hist_sort(hist, grid));
        let sorted = self.code.close();
        self.code.if_(cells.clone().le(hist.width.clone().mul(SPARSE)), in_words, sorted);
    }

    /// A kernel with a thread for each cell.
    fn each_word(
        &mut self,
        hist: &Hist,
        words: &Array,
        cells: &Exp,
        grid: &Grid,
        with: &mut dyn FnMut(&mut Self, &Hist, &Array, Exp),
    ) {
        let (words, numbers) = (std::slice::from_ref(words), std::slice::from_ref(cells));
        self.launch_with_decks(hist, words, numbers, cells, grid, &mut |this, hist, words, numbers| {
            this.each_apart(&numbers[0], &mut |this, number| with(this, hist, &words[0], number));
        });
    }
}
