//! Copies in which neighbours of one array are far apart in the other: tiles of shared memory stand between.
//!
//! ```text
//! to[j][i] = from[i][j]
//! ```
//!
//! A group reads a tile along the lines of `from`, and writes it along those of `to`, so that neighbouring threads always have
//! neighbouring elements. A line of the tile has one element more than it needs: those of a column are in different
//! banks then. Where one side of the matrix is short, the tile is as narrow, and longer instead.

use super::GROUP;
use super::kernels::{array_inside, scalar_inside};
use crate::imp_gen::repr::{Array, Repr};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{BinOp, Elem, Exp, GroupArray, GroupExp, LoopForm, Prim, Var as ImpVar};

/// A tile has two to the power of this many elements.
const TILE_BITS: i64 = 10;
/// Its sides have two to the power of this, where the matrix is large enough, and never less than two to the power of that.
const SIDE_BITS: i64 = 5;
const LEAST_BITS: i64 = 2;
/// With the elements that are there for the banks alone.
const ROOM: i64 = (1 << TILE_BITS) + (1 << (TILE_BITS - LEAST_BITS));
/// How many elements of a tile a thread has.
const EACH: i64 = (1 << TILE_BITS) / GROUP;

/// The two dimensions that change places: neighbours along `down` are neighbours in the array that is written, those along `across` in the one
/// that is read.
#[derive(Clone, Copy)]
pub struct Transpose {
    pub down: usize,
    pub across: usize,
}

/// What a group has to know of a transposition.
struct Tiling {
    transpose: Transpose,
    rows: Exp,
    columns: Exp,
    row_bits: Exp,
    column_bits: Exp,
    tiles_down: Exp,
    tiles_across: Exp,
    count: Exp,
}

/// The transposition that a copy between regular arrays of one shape is, as far as strides are known at compile time.
pub fn transpose(to: &Array, from: &Array) -> Option<Transpose> {
    let dense = |array: &Array| array.lead.iter().rposition(|lead| lead.stride.as_i64() == Some(1));
    let (down, across) = (dense(to)?, dense(from)?);
    (down != across && from.counted.is_none()).then_some(Transpose { down, across })
}

impl Gen<'_> {
    /// Copy an array to a place of the same shape by tiles; only if `condition` holds.
    pub fn launch_transpose(&mut self, to: &Array, from: &Array, transpose: Transpose, condition: &Exp) {
        let (rows, columns) =
            (from.lead[transpose.down].size.clone(), from.lead[transpose.across].size.clone());
        let (short_rows, short_columns) = (self.side_bits(&rows), self.side_bits(&columns));
        // What one side lacks the other has more.
        let longer = |bits: &Exp| Exp::i64(TILE_BITS).sub(bits.clone());
        let narrow = short_columns.clone().lt(SIDE_BITS);
        let row_bits = Exp::select(narrow.clone(), longer(&short_columns), short_rows.clone());
        let column_bits = Exp::select(narrow, short_columns, longer(&short_rows));
        let (row_bits, column_bits) =
            (self.code.atom("row_bits", row_bits), self.code.atom("column_bits", column_bits));
        // Square tiles have a kernel of their own, which need not compute its sides.
        let square = row_bits.clone().eq(SIDE_BITS).and(column_bits.clone().eq(SIDE_BITS));
        let square = self.code.atom("square", square);
        let side = Exp::i64(SIDE_BITS);
        self.launch_tiles(to, from, transpose, [side.clone(), side], condition.clone().and(square.clone()));
        self.launch_tiles(to, from, transpose, [row_bits, column_bits], condition.clone().and(square.not()));
    }

    /// With tiles whose sides have these powers of two.
    fn launch_tiles(
        &mut self,
        to: &Array,
        from: &Array,
        transpose: Transpose,
        bits: [Exp; 2],
        condition: Exp,
    ) {
        let [row_bits, column_bits] = bits;
        let (rows, columns) =
            (from.lead[transpose.down].size.clone(), from.lead[transpose.across].size.clone());
        let tiles = |size: &Exp, bits: &Exp| {
            let last = size.clone().add(power(bits)).sub(1);
            shifted(last, bits)
        };
        let tiles_down = self.code.atom("tiles_down", tiles(&rows, &row_bits));
        let tiles_across = self.code.atom("tiles_across", tiles(&columns, &column_bits));
        let others = others(from, transpose).map(|dim| from.lead[dim].size.clone());
        let count = Exp::product(others).mul(tiles_down.clone()).mul(tiles_across.clone());
        let count = self.code.atom("count", count);
        let groups = Exp::select(condition, count.clone().min(1 << 30), Exp::i64(0));
        let groups = self.code.atom("groups", groups);
        let mut extra = vec![Repr::Array(to.clone()), Repr::Array(from.clone())];
        let scalars = [rows, columns, row_bits, column_bits, tiles_down, tiles_across, count];
        extra.extend(scalars.map(Repr::Scalar));
        self.launch_groups("transpose", &[], &extra, groups, &mut |this, arrays, given| {
            let mut given = given.into_iter();
            let mut next = || given.next().expect("imp_gen: a kernel was handed too little");
            let (to, from) = (array_inside(next()), array_inside(next()));
            let mut scalar = || scalar_inside(Some(next()));
            let tiling = Tiling {
                transpose,
                rows: scalar(),
                columns: scalar(),
                row_bits: scalar(),
                column_bits: scalar(),
                tiles_down: scalar(),
                tiles_across: scalar(),
                count: scalar(),
            };
            this.turn_tiles(arrays, &to, &from, &tiling);
        });
    }

    /// How long the side of a tile is at most for so many elements.
    fn side_bits(&mut self, size: &Exp) -> Exp {
        let mut bits = Exp::i64(SIDE_BITS);
        for fewer in (LEAST_BITS..SIDE_BITS).rev() {
            let enough = size.clone().le(1i64 << fewer);
            bits = self.code.atom("bits", Exp::select(enough, Exp::i64(fewer), bits));
        }
        bits
    }

    fn turn_tiles(&mut self, arrays: &mut Vec<GroupArray>, to: &Array, from: &Array, tiling: &Tiling) {
        let shared = self.shared_array(arrays, "tile", from.prim, ROOM);
        let line = self.code.atom("line", power(&tiling.column_bits).add(1));
        self.each_by_groups("number", Exp::i64(1), &tiling.count, &mut |this, number| {
            this.turn_tile(shared, &line, to, from, tiling, number);
        });
    }

    fn turn_tile(
        &mut self,
        shared: ImpVar,
        line: &Exp,
        to: &Array,
        from: &Array,
        tiling: &Tiling,
        number: Exp,
    ) {
        let below: Exp = self.code.bind("below", number.clone().quot(tiling.tiles_across.clone())).into();
        let right = number.sub(below.clone().mul(tiling.tiles_across.clone()));
        let matrix: Exp = self.code.bind("matrix", below.clone().quot(tiling.tiles_down.clone())).into();
        let below = below.sub(matrix.clone().mul(tiling.tiles_down.clone()));
        let first_row: Exp = self.code.bind("first_row", shift_up(below, &tiling.row_bits)).into();
        let first_column: Exp = self.code.bind("first_column", shift_up(right, &tiling.column_bits)).into();
        let (to, from) = self.matrices(to, from, tiling.transpose, matrix);
        self.each(0, EACH, LoopForm::Plain, &mut |this, round| {
            let at: Exp = this.code.bind("at", round.mul(GROUP).add(Exp::Group(GroupExp::Thread))).into();
            let row: Exp = this.code.bind("row", shifted(at.clone(), &tiling.column_bits)).into();
            let column: Exp = this.code.bind("column", low(at, &tiling.column_bits)).into();
            let place = row.clone().mul(line.clone()).add(column.clone());
            let indices = [first_row.clone().add(row), first_column.clone().add(column)];
            let indices = indices.map(|index| this.code.atom("index", index));
            this.code.open();
            let at = this.element_index(&from, &indices);
            let value = this.element(&from, at);
            this.code.store(Elem::Prim(from.prim), shared, place, value);
            let block = this.code.close();
            this.code.when(tiling.contains(&indices), block);
        });
        self.barrier();
        self.each(0, EACH, LoopForm::Plain, &mut |this, round| {
            let at: Exp = this.code.bind("at", round.mul(GROUP).add(Exp::Group(GroupExp::Thread))).into();
            let column: Exp = this.code.bind("column", shifted(at.clone(), &tiling.row_bits)).into();
            let row: Exp = this.code.bind("row", low(at, &tiling.row_bits)).into();
            let place = row.clone().mul(line.clone()).add(column.clone());
            let indices = [first_row.clone().add(row), first_column.clone().add(column)];
            let indices = indices.map(|index| this.code.atom("index", index));
            this.code.open();
            this.store(&to, &indices, Exp::load(Elem::Prim(from.prim), shared, place));
            let block = this.code.close();
            this.code.when(tiling.contains(&indices), block);
        });
        // Nobody writes the next tile while others read this one.
        self.barrier();
    }

    /// One of the matrices that are transposed, by its number.
    fn matrices(&mut self, to: &Array, from: &Array, transpose: Transpose, number: Exp) -> (Array, Array) {
        let sizes: Vec<Repr> =
            others(from, transpose).map(|dim| Repr::Scalar(from.lead[dim].size.clone())).collect();
        let indices = if sizes.is_empty() { Vec::new() } else { self.indices_of(number, &sizes) };
        let mut matrix = |array: &Array| {
            let mut matrix = array.clone();
            let terms = others(array, transpose).zip(&indices);
            let first = Exp::sum(terms.map(|(dim, index)| index.clone().mul(array.lead[dim].stride.clone())));
            let ptr = Exp::offset(Elem::Prim(array.prim), array.data.ptr.clone(), first);
            matrix.data.ptr = self.code.atom("matrix", ptr);
            matrix.lead = vec![array.lead[transpose.down].clone(), array.lead[transpose.across].clone()];
            matrix.row_major_from = matrix.lead.len();
            matrix
        };
        (matrix(to), matrix(from))
    }
}

impl Tiling {
    fn contains(&self, [row, column]: &[Exp; 2]) -> Exp {
        row.clone().lt(self.rows.clone()).and(column.clone().lt(self.columns.clone()))
    }
}

/// The dimensions that stay.
fn others(array: &Array, transpose: Transpose) -> impl Iterator<Item = usize> {
    (0..array.lead.len()).filter(move |dim| *dim != transpose.down && *dim != transpose.across)
}

fn power(bits: &Exp) -> Exp {
    shift_up(Exp::i64(1), bits)
}

fn shift_up(number: Exp, bits: &Exp) -> Exp {
    Exp::bin(BinOp::Shl, Prim::I64, number, bits.clone())
}

fn shifted(number: Exp, bits: &Exp) -> Exp {
    Exp::bin(BinOp::Lshr, Prim::I64, number, bits.clone())
}

/// What `shifted` leaves out.
fn low(number: Exp, bits: &Exp) -> Exp {
    Exp::bin(BinOp::And, Prim::I64, number, power(bits).sub(1))
}
