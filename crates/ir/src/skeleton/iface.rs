//! The types of entry points, as the world outside sees them.
//!
//! The columns of a value are laid out by these rules, so that whoever holds a value can take it
//! apart and put it together without the program: a record has the columns of its fields in the order listed,
//! a sum has an `i8` for the constructor and then the columns of every payload of every constructor in
//! the order listed, an array has those of its elements with more dimensions in front. A value of a recursive type is
//! one column, a ref to a cell; the cell has the columns of its constructor's payloads in the order listed, in which every
//! dimension is `?`.

use super::Elem;
use crate::scalar::Prim;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct IfaceId(pub u32);

/// A type of an entry point's parameter or result, or a part of one.
#[derive(Clone, PartialEq, Debug)]
pub struct Iface {
    /// The name the user gave the type, or its text. No two have the same.
    pub name: String,
    pub shape: IfaceShape,
    pub columns: Vec<Column>,
}

#[derive(Clone, PartialEq, Debug)]
pub enum IfaceShape {
    Scalar(Prim),
    /// A regular array of scalars.
    Array(Prim, usize),
    /// Any other array: its elements, and how many dimensions.
    OpaqueArray(IfaceId, usize),
    /// Fields in order; a tuple has fields `0`, `1`, ..
    Record(Vec<(String, IfaceId)>),
    Sum(Vec<(String, Vec<IfaceId>)>),
    /// A recursive type: its constructors, in the order of those of its data, with their payloads.
    Recursive(Vec<(String, Vec<IfaceId>)>),
    /// Functions, and recursive types that hold some: they can only be handed back.
    Opaque,
}

/// The type of a column, but for its sizes.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    pub elem: Elem,
    /// For each dimension, whether it is `?`.
    pub irregular: Vec<bool>,
}
