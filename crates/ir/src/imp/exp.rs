//! Making expressions: `Exp::i64(4)`, `index.mul(width).add(column)`, `Exp::load(elem, ptr, index)`.
//!
//! Arithmetic on `i64`, of which most are indices and sizes, and logic on `bool` is folded where that is obvious: constants,
//! `x + 0`, `x * 1`, `x * 0`, `(x + 1) + 1`, `true && x`. Whatever is dropped has no effect, since expressions have none.

use super::{BinOp, Elem, Exp, Prim, Scalar, Type, UnOp, Var};

impl From<Var> for Exp {
    fn from(var: Var) -> Exp {
        Exp::Var(var)
    }
}

impl From<Scalar> for Exp {
    fn from(scalar: Scalar) -> Exp {
        Exp::Const(scalar)
    }
}

impl From<i64> for Exp {
    fn from(value: i64) -> Exp {
        Exp::i64(value)
    }
}

/// The names are those of the operators of the language, and folding makes them no such operations on `Exp`.
#[allow(clippy::should_implement_trait)]
impl Exp {
    pub fn i64(value: i64) -> Exp {
        Exp::Const(Scalar::I64(value))
    }

    pub fn bool(value: bool) -> Exp {
        Exp::Const(Scalar::Bool(value))
    }

    // # Any operator, not folded

    pub fn un(op: UnOp, prim: Prim, x: impl Into<Exp>) -> Exp {
        Exp::Un(op, prim, Box::new(x.into()))
    }

    pub fn bin(op: BinOp, prim: Prim, x: impl Into<Exp>, y: impl Into<Exp>) -> Exp {
        Exp::Bin(op, prim, Box::new(x.into()), Box::new(y.into()))
    }

    /// The value in another primitive type; itself if it has that type already.
    pub fn convert(self, from: Prim, to: Prim) -> Exp {
        if from == to { self } else { Exp::Convert { from, to, value: Box::new(self) } }
    }

    pub fn select(cond: impl Into<Exp>, yes: impl Into<Exp>, no: impl Into<Exp>) -> Exp {
        let (cond, yes, no) = (cond.into(), yes.into(), no.into());
        match cond.as_bool() {
            Some(true) => yes,
            Some(false) => no,
            None => Exp::Select(Box::new(cond), Box::new(yes), Box::new(no)),
        }
    }

    // # Arithmetic on `i64`, folded

    pub fn add(self, other: impl Into<Exp>) -> Exp {
        let other = other.into();
        match (self.as_i64(), other.as_i64()) {
            (Some(x), Some(y)) => Exp::i64(x.wrapping_add(y)),
            (Some(0), None) => other,
            (Some(x), None) => other.plus(x),
            (None, Some(y)) => self.plus(y),
            (None, None) => Exp::bin(BinOp::Add, Prim::I64, self, other),
        }
    }

    pub fn sub(self, other: impl Into<Exp>) -> Exp {
        let other = other.into();
        match other.as_i64() {
            Some(y) => self.add(y.wrapping_neg()),
            None if self == other => Exp::i64(0),
            None => Exp::bin(BinOp::Sub, Prim::I64, self, other),
        }
    }

    pub fn mul(self, other: impl Into<Exp>) -> Exp {
        let other = other.into();
        match (self.as_i64(), other.as_i64()) {
            (Some(x), Some(y)) => Exp::i64(x.wrapping_mul(y)),
            (Some(0), None) | (None, Some(0)) => Exp::i64(0),
            (Some(1), None) => other,
            (None, Some(1)) => self,
            // Constants stand behind.
            (Some(_), None) => Exp::bin(BinOp::Mul, Prim::I64, other, self),
            (None, Some(_)) | (None, None) => Exp::bin(BinOp::Mul, Prim::I64, self, other),
        }
    }

    /// Rounded towards zero.
    pub fn quot(self, other: impl Into<Exp>) -> Exp {
        let other = other.into();
        match (self.as_i64(), other.as_i64()) {
            (Some(x), Some(y)) if y != 0 => Exp::i64(x.wrapping_div(y)),
            (_, Some(1)) => self,
            _ => Exp::bin(BinOp::Quot, Prim::I64, self, other),
        }
    }

    pub fn rem(self, other: impl Into<Exp>) -> Exp {
        let other = other.into();
        match (self.as_i64(), other.as_i64()) {
            (Some(x), Some(y)) if y != 0 => Exp::i64(x.wrapping_rem(y)),
            (_, Some(1)) => Exp::i64(0),
            _ => Exp::bin(BinOp::Rem, Prim::I64, self, other),
        }
    }

    pub fn min(self, other: impl Into<Exp>) -> Exp {
        let other = other.into();
        match (self.as_i64(), other.as_i64()) {
            (Some(x), Some(y)) => Exp::i64(x.min(y)),
            _ if self == other => self,
            _ => Exp::bin(BinOp::Min, Prim::I64, self, other),
        }
    }

    pub fn max(self, other: impl Into<Exp>) -> Exp {
        let other = other.into();
        match (self.as_i64(), other.as_i64()) {
            (Some(x), Some(y)) => Exp::i64(x.max(y)),
            _ if self == other => self,
            _ => Exp::bin(BinOp::Max, Prim::I64, self, other),
        }
    }

    /// All of them added.
    pub fn sum(parts: impl IntoIterator<Item = Exp>) -> Exp {
        parts.into_iter().fold(Exp::i64(0), Exp::add)
    }

    /// All of them multiplied.
    pub fn product(parts: impl IntoIterator<Item = Exp>) -> Exp {
        parts.into_iter().fold(Exp::i64(1), Exp::mul)
    }

    /// `self` is no constant. Constants that are added stand behind, and there is one at most.
    fn plus(self, value: i64) -> Exp {
        if value == 0 {
            return self;
        }
        match self {
            Exp::Bin(BinOp::Add, Prim::I64, x, y) if y.as_i64().is_some() => {
                let before = y.as_i64().unwrap_or(0);
                x.add(before.wrapping_add(value))
            }
            other => Exp::bin(BinOp::Add, Prim::I64, other, value),
        }
    }

    // # Comparisons of `i64`, folded

    pub fn eq(self, other: impl Into<Exp>) -> Exp {
        self.compare(BinOp::Eq, other.into(), |x, y| x == y)
    }

    pub fn ne(self, other: impl Into<Exp>) -> Exp {
        self.eq(other).not()
    }

    pub fn lt(self, other: impl Into<Exp>) -> Exp {
        self.compare(BinOp::Lt, other.into(), |x, y| x < y)
    }

    pub fn le(self, other: impl Into<Exp>) -> Exp {
        self.compare(BinOp::Le, other.into(), |x, y| x <= y)
    }

    pub fn gt(self, other: impl Into<Exp>) -> Exp {
        other.into().lt(self)
    }

    pub fn ge(self, other: impl Into<Exp>) -> Exp {
        other.into().le(self)
    }

    fn compare(self, op: BinOp, other: Exp, holds: impl Fn(i64, i64) -> bool) -> Exp {
        match (self.as_i64(), other.as_i64()) {
            (Some(x), Some(y)) => Exp::bool(holds(x, y)),
            _ => Exp::bin(op, Prim::I64, self, other),
        }
    }

    // # Logic, folded; both sides are computed

    pub fn not(self) -> Exp {
        match self {
            Exp::Const(Scalar::Bool(value)) => Exp::bool(!value),
            Exp::Un(UnOp::Not, Prim::Bool, x) => *x,
            other => Exp::un(UnOp::Not, Prim::Bool, other),
        }
    }

    pub fn and(self, other: impl Into<Exp>) -> Exp {
        let other = other.into();
        match (self.as_bool(), other.as_bool()) {
            (Some(false), _) | (_, Some(true)) => self,
            (Some(true), _) | (_, Some(false)) => other,
            (None, None) => Exp::bin(BinOp::And, Prim::Bool, self, other),
        }
    }

    pub fn or(self, other: impl Into<Exp>) -> Exp {
        let other = other.into();
        match (self.as_bool(), other.as_bool()) {
            (Some(true), _) | (_, Some(false)) => self,
            (Some(false), _) | (_, Some(true)) => other,
            (None, None) => Exp::bin(BinOp::Or, Prim::Bool, self, other),
        }
    }

    // # Memory

    pub fn load(elem: Elem, ptr: impl Into<Exp>, index: impl Into<Exp>) -> Exp {
        Exp::Load { elem, ptr: Box::new(ptr.into()), index: Box::new(index.into()) }
    }

    /// The pointer itself for index 0; one offset instead of two.
    pub fn offset(elem: Elem, ptr: impl Into<Exp>, index: impl Into<Exp>) -> Exp {
        let (ptr, index) = (ptr.into(), index.into());
        match (ptr, index.as_i64()) {
            (ptr, Some(0)) => ptr,
            (Exp::Offset { elem: inner, ptr, index: before }, _) if inner == elem => {
                Exp::offset(elem, *ptr, before.add(index))
            }
            (ptr, _) => Exp::Offset { elem, ptr: Box::new(ptr), index: Box::new(index) },
        }
    }

    pub fn cast(elem: Elem, ptr: impl Into<Exp>) -> Exp {
        Exp::Cast(elem, Box::new(ptr.into()))
    }

    /// The first byte of a block.
    pub fn data(elem: Elem, block: impl Into<Exp>) -> Exp {
        Exp::Data(elem, Box::new(block.into()))
    }

    /// The first byte of a block on the device.
    pub fn remote(elem: Elem, block: impl Into<Exp>) -> Exp {
        Exp::Remote(elem, Box::new(block.into()))
    }

    pub fn null_ptr(elem: Elem) -> Exp {
        Exp::Null(Type::Ptr(elem))
    }

    pub fn null_block() -> Exp {
        Exp::Null(Type::Block)
    }

    /// The first word of a cell.
    pub fn cell(region: impl Into<Exp>, cell: impl Into<Exp>) -> Exp {
        Exp::Cell { region: Box::new(region.into()), cell: Box::new(cell.into()) }
    }

    /// The block that a cell is in.
    pub fn cell_block(region: impl Into<Exp>, cell: impl Into<Exp>) -> Exp {
        Exp::CellBlock { region: Box::new(region.into()), cell: Box::new(cell.into()) }
    }

    pub fn capacity(block: impl Into<Exp>) -> Exp {
        Exp::Capacity(Box::new(block.into()))
    }

    /// How many bytes so many elements take.
    pub fn bytes(elem: Elem, count: impl Into<Exp>) -> Exp {
        count.into().mul(elem.bytes())
    }

    // # Vectors

    pub fn splat(lanes: u16, value: impl Into<Exp>) -> Exp {
        Exp::Splat(lanes, Box::new(value.into()))
    }

    pub fn load_lanes(
        prim: Prim,
        lanes: u16,
        ptr: impl Into<Exp>,
        index: impl Into<Exp>,
        mask: Option<Exp>,
    ) -> Exp {
        let (ptr, index) = (Box::new(ptr.into()), Box::new(index.into()));
        Exp::LoadLanes { prim, lanes, ptr, index, mask: mask.map(Box::new) }
    }

    pub fn gather(prim: Prim, ptr: impl Into<Exp>, index: impl Into<Exp>, mask: Option<Exp>) -> Exp {
        Exp::Gather {
            prim,
            ptr: Box::new(ptr.into()),
            index: Box::new(index.into()),
            mask: mask.map(Box::new),
        }
    }

    pub fn lane(vector: impl Into<Exp>, lane: impl Into<Exp>) -> Exp {
        Exp::Lane(Box::new(vector.into()), Box::new(lane.into()))
    }

    pub fn combine(op: BinOp, prim: Prim, vector: impl Into<Exp>) -> Exp {
        Exp::Combine(op, prim, Box::new(vector.into()))
    }

    pub fn any(mask: impl Into<Exp>) -> Exp {
        Exp::Any(Box::new(mask.into()))
    }

    // # The machine

    pub fn chunks(width: impl Into<Exp>, work: impl Into<Exp>) -> Exp {
        Exp::Chunks { width: Box::new(width.into()), work: Box::new(work.into()) }
    }
}
