//! The memory of arrays: one vector of one kind of element.
//!
//! An element is a scalar, a place in a region, or, in an irregular array, a whole row. What is the
//! same for all kinds is written once and reached through the macros here. Everything that makes
//! a vector whose length a program chooses goes through `with_capacity`, which refuses politely. What a vector can hold is counted
//! (`meter`) from when it is made until it is dropped or leaves for the world outside.

use crate::failure::{Outcome, fail};
use crate::meter;
use crate::view::View;
use norn_ir::scalar::eval::Word;
use norn_ir::scalar::{Prim, f16};
use norn_values::Data as Host;
use std::mem::take;
use std::ops::Range;

pub(crate) enum Data {
    I8(Vec<i8>),
    I16(Vec<i16>),
    I32(Vec<i32>),
    I64(Vec<i64>),
    U8(Vec<u8>),
    U16(Vec<u16>),
    U32(Vec<u32>),
    U64(Vec<u64>),
    F16(Vec<f16>),
    F32(Vec<f32>),
    F64(Vec<f64>),
    Bool(Vec<bool>),
    /// Places of cells in one region.
    Ref(Vec<u32>),
    /// The rows of an irregular array.
    Rows(Vec<View>),
}

/// What the elements of an array are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Prim(Prim),
    Ref,
    Rows,
}

/// No array has more bytes.
pub(crate) const MAX_BYTES: usize = 1 << 33;

/// Evaluates `$body` with `$elements` bound to the vector in `$data`, whatever its kind.
macro_rules! on_data {
    ($data:expr, $elements:ident => $body:expr) => {
        on_data!($data, $elements => $body, rows $elements => $body)
    };
    ($data:expr, $elements:ident => $body:expr, rows $rows:ident => $other:expr) => {
        match $data {
            $crate::data::Data::I8($elements) => $body,
            $crate::data::Data::I16($elements) => $body,
            $crate::data::Data::I32($elements) => $body,
            $crate::data::Data::I64($elements) => $body,
            $crate::data::Data::U8($elements) => $body,
            $crate::data::Data::U16($elements) => $body,
            $crate::data::Data::U32($elements) => $body,
            $crate::data::Data::U64($elements) => $body,
            $crate::data::Data::F16($elements) => $body,
            $crate::data::Data::F32($elements) => $body,
            $crate::data::Data::F64($elements) => $body,
            $crate::data::Data::Bool($elements) => $body,
            $crate::data::Data::Ref($elements) => $body,
            $crate::data::Data::Rows($rows) => $other,
        }
    };
}

/// Evaluates `$body` with both vectors, which are of one kind.
macro_rules! on_both {
    ($left:expr, $right:expr, $x:ident, $y:ident => $body:expr) => {
        on_both!(@arms $left, $right, $x, $y, $body,
            I8 I16 I32 I64 U8 U16 U32 U64 F16 F32 F64 Bool Ref Rows)
    };
    (@arms $left:expr, $right:expr, $x:ident, $y:ident, $body:expr, $($kind:ident)*) => {
        match ($left, $right) {
            $(($crate::data::Data::$kind($x), $crate::data::Data::$kind($y)) => $body,)*
            (left, right) => panic!("elements of kinds {:?} and {:?} meet", left.kind(), right.kind()),
        }
    };
}

/// A scalar as an element.
pub(crate) trait Element: Copy {
    fn of(word: Word) -> Self;
    fn word(self) -> Word;
}

macro_rules! element {
    ($($ty:ty: $word:ident => $of:expr, $x:ident => $to:expr;)*) => {$(
        impl Element for $ty {
            fn of($word: Word) -> $ty {
                $of
            }
            fn word(self) -> Word {
                let $x = self;
                $to
            }
        }
    )*};
}

element! {
    i8: w => w as i8, x => x as u8 as Word;
    i16: w => w as i16, x => x as u16 as Word;
    i32: w => w as i32, x => x as u32 as Word;
    i64: w => w as i64, x => x as Word;
    u8: w => w as u8, x => x as Word;
    u16: w => w as u16, x => x as Word;
    u32: w => w as u32, x => x as Word;
    u64: w => w, x => x;
    f16: w => f16::from_bits(w as u16), x => x.to_bits() as Word;
    f32: w => f32::from_bits(w as u32), x => x.to_bits() as Word;
    f64: w => f64::from_bits(w), x => x.to_bits();
    bool: w => w != 0, x => x as Word;
}

impl Kind {
    fn bytes(self) -> usize {
        match self {
            Kind::Prim(prim) => prim.bits().div_ceil(8) as usize,
            Kind::Ref => 4,
            Kind::Rows => size_of::<View>(),
        }
    }
}

impl Data {
    pub(crate) fn empty(kind: Kind) -> Data {
        match kind {
            Kind::Prim(Prim::I8) => Data::I8(Vec::new()),
            Kind::Prim(Prim::I16) => Data::I16(Vec::new()),
            Kind::Prim(Prim::I32) => Data::I32(Vec::new()),
            Kind::Prim(Prim::I64) => Data::I64(Vec::new()),
            Kind::Prim(Prim::U8) => Data::U8(Vec::new()),
            Kind::Prim(Prim::U16) => Data::U16(Vec::new()),
            Kind::Prim(Prim::U32) => Data::U32(Vec::new()),
            Kind::Prim(Prim::U64) => Data::U64(Vec::new()),
            Kind::Prim(Prim::F16) => Data::F16(Vec::new()),
            Kind::Prim(Prim::F32) => Data::F32(Vec::new()),
            Kind::Prim(Prim::F64) => Data::F64(Vec::new()),
            Kind::Prim(Prim::Bool) => Data::Bool(Vec::new()),
            Kind::Ref => Data::Ref(Vec::new()),
            Kind::Rows => Data::Rows(Vec::new()),
        }
    }

    pub(crate) fn from_host(data: Host) -> Data {
        let data = match data {
            Host::I8(v) => Data::I8(v),
            Host::I16(v) => Data::I16(v),
            Host::I32(v) => Data::I32(v),
            Host::I64(v) => Data::I64(v),
            Host::U8(v) => Data::U8(v),
            Host::U16(v) => Data::U16(v),
            Host::U32(v) => Data::U32(v),
            Host::U64(v) => Data::U64(v),
            Host::F16(v) => Data::F16(v),
            Host::F32(v) => Data::F32(v),
            Host::F64(v) => Data::F64(v),
            Host::Bool(v) => Data::Bool(v),
        };
        data.counted()
    }

    pub(crate) fn from_refs(cells: Vec<u32>) -> Data {
        Data::Ref(cells).counted()
    }

    pub(crate) fn from_rows(rows: Vec<View>) -> Data {
        Data::Rows(rows).counted()
    }

    /// One that is there already.
    fn counted(self) -> Data {
        meter::add(self.held_bytes());
        self
    }

    /// What its memory is counted as.
    fn held_bytes(&self) -> u64 {
        held_bytes(self.kind(), on_data!(self, v => v.capacity()))
    }

    /// Scalars; nothing else has a form outside.
    pub(crate) fn into_host(mut self) -> Option<Host> {
        let held = self.held_bytes();
        let host = match &mut self {
            Data::I8(v) => Host::I8(take(v)),
            Data::I16(v) => Host::I16(take(v)),
            Data::I32(v) => Host::I32(take(v)),
            Data::I64(v) => Host::I64(take(v)),
            Data::U8(v) => Host::U8(take(v)),
            Data::U16(v) => Host::U16(take(v)),
            Data::U32(v) => Host::U32(take(v)),
            Data::U64(v) => Host::U64(take(v)),
            Data::F16(v) => Host::F16(take(v)),
            Data::F32(v) => Host::F32(take(v)),
            Data::F64(v) => Host::F64(take(v)),
            Data::Bool(v) => Host::Bool(take(v)),
            Data::Ref(_) | Data::Rows(_) => return None,
        };
        meter::give_back(held);
        Some(host)
    }

    /// Cells, if that is what it holds; if not, it is given back.
    pub(crate) fn into_refs(mut self) -> Result<Vec<u32>, Data> {
        let held = self.held_bytes();
        match &mut self {
            Data::Ref(cells) => {
                meter::give_back(held);
                Ok(take(cells))
            }
            _ => Err(self),
        }
    }

    pub(crate) fn with_capacity(kind: Kind, count: usize) -> Outcome<Data> {
        let bytes = count.saturating_mul(kind.bytes());
        if bytes > MAX_BYTES {
            return fail(format!("Cannot allocate an array of {}.", elements(count)));
        }
        if meter::take(held_bytes(kind, count)).is_none() {
            return fail(format!("Cannot allocate an array of {}: {}.", elements(count), meter::describe()));
        }
        let mut data = Data::empty(kind);
        if on_data!(&mut data, v => v.try_reserve_exact(count).is_err()) {
            meter::give_back(held_bytes(kind, count));
            return fail(format!("Cannot allocate an array of {}.", elements(count)));
        }
        // The allocator may have given more.
        meter::add(data.held_bytes() - held_bytes(kind, count));
        Ok(data)
    }

    pub(crate) fn kind(&self) -> Kind {
        Kind::Prim(match self {
            Data::I8(_) => Prim::I8,
            Data::I16(_) => Prim::I16,
            Data::I32(_) => Prim::I32,
            Data::I64(_) => Prim::I64,
            Data::U8(_) => Prim::U8,
            Data::U16(_) => Prim::U16,
            Data::U32(_) => Prim::U32,
            Data::U64(_) => Prim::U64,
            Data::F16(_) => Prim::F16,
            Data::F32(_) => Prim::F32,
            Data::F64(_) => Prim::F64,
            Data::Bool(_) => Prim::Bool,
            Data::Ref(_) => return Kind::Ref,
            Data::Rows(_) => return Kind::Rows,
        })
    }

    pub(crate) fn len(&self) -> usize {
        on_data!(self, v => v.len())
    }

    pub(crate) fn word(&self, index: usize) -> Word {
        on_data!(self, v => v[index].word(), rows _rows => no_scalars())
    }

    pub(crate) fn set_word(&mut self, index: usize, word: Word) {
        on_data!(self, v => v[index] = Element::of(word), rows _rows => no_scalars())
    }

    pub(crate) fn push_word(&mut self, word: Word) {
        on_data!(self, v => v.push(Element::of(word)), rows _rows => no_scalars())
    }

    /// Appends the word so many times.
    pub(crate) fn fill(&mut self, word: Word, count: usize) {
        on_data!(self, v => v.resize(v.len() + count, Element::of(word)), rows _rows => no_scalars())
    }

    /// Appends this part of other data of the same kind.
    pub(crate) fn extend(&mut self, from: &Data, range: Range<usize>) {
        on_both!(self, from, to, from => to.extend_from_slice(&from[range]))
    }

    /// Overwrites what begins at `at` by this part of other data of the same kind.
    pub(crate) fn copy(&mut self, at: usize, from: &Data, range: Range<usize>) {
        on_both!(self, from, to, from => to[at..at + range.len()].clone_from_slice(&from[range]))
    }

    pub(crate) fn rows(&self) -> &[View] {
        let Data::Rows(rows) = self else {
            panic!("a row was expected in a regular array, whose elements are scalars")
        };
        rows
    }

    pub(crate) fn rows_mut(&mut self) -> &mut [View] {
        let Data::Rows(rows) = self else {
            panic!("a row was expected in a regular array, whose elements are scalars")
        };
        rows
    }

    /// Appends a row, for which there is room.
    pub(crate) fn push_row(&mut self, row: View) {
        let Data::Rows(rows) = self else {
            panic!("a row was expected in a regular array, whose elements are scalars")
        };
        rows.push(row);
    }
}

impl Drop for Data {
    fn drop(&mut self) {
        meter::give_back(self.held_bytes());
    }
}

/// What a vector that can hold so many elements is counted as. An empty one has no memory.
fn held_bytes(kind: Kind, capacity: usize) -> u64 {
    if capacity == 0 { 0 } else { capacity.saturating_mul(kind.bytes()) as u64 + meter::AROUND }
}

/// `1 element`, `2 elements`.
fn elements(count: usize) -> String {
    if count == 1 { "1 element".to_string() } else { format!("{count} elements") }
}

fn no_scalars() -> ! {
    panic!("a scalar was expected in an irregular array, whose elements are rows")
}
