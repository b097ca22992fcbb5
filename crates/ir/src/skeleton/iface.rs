//! The types of entry points, as the world outside sees them.
//!
//! The columns of a value are laid out by these rules, so that whoever holds a value can take it
//! apart and put it together without the program: a record has the columns of its fields in the order listed,
//! a sum has an `i8` for the constructor and then the slots in which payloads lie, an array has those of its elements with more dimensions in front. A value of a recursive type is
//! one column, a ref to a cell; the cell has the columns of its constructor's payloads in the order listed, in which every
//! dimension is `?`.
//!
//! Only one constructor's payloads are there at a time, so they share slots (`Slots`): a payload lies in the first slot
//! for its kind that the constructor does not use yet, or else in a new slot at the end. A kind is a type without its sizes. Arrays in
//! arrays, functions and recursive types have slots of their own, and so has what contains such things.

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

/// A type without its sizes: values of one kind have the same columns.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    Scalar(Prim),
    Array(Box<Kind>),
    Record(Vec<(String, Kind)>),
    Sum(Vec<(String, Vec<Kind>)>),
}

impl Kind {
    /// An array of these, unless there are arrays in them: whether rows are of one length is no matter of kinds.
    pub fn array(elem: Kind) -> Option<Kind> {
        (!elem.has_array()).then(|| Kind::Array(Box::new(elem)))
    }

    fn has_array(&self) -> bool {
        match self {
            Kind::Scalar(_) => false,
            Kind::Array(_) => true,
            Kind::Record(fields) => fields.iter().any(|(_, kind)| kind.has_array()),
            Kind::Sum(constrs) => constrs.iter().flat_map(|(_, payload)| payload).any(Kind::has_array),
        }
    }
}

/// The slots of a sum, in the making.
#[derive(Default)]
pub struct Slots {
    kinds: Vec<Option<Kind>>,
    /// Those of the constructor that is looked at.
    taken: Vec<usize>,
}

impl Slots {
    pub fn next_constructor(&mut self) {
        self.taken.clear();
    }

    /// The slot for the next payload of the constructor.
    pub fn place(&mut self, kind: Option<Kind>) -> usize {
        let is_free = |slot: &usize| self.kinds[*slot] == kind && !self.taken.contains(slot);
        let known = (0..self.kinds.len()).find(|slot| kind.is_some() && is_free(slot));
        let slot = known.unwrap_or(self.kinds.len());
        if slot == self.kinds.len() {
            self.kinds.push(kind);
        }
        self.taken.push(slot);
        slot
    }
}

/// Of each constructor of a sum, for each of its payloads, the first column. That of the constructor's number is 0.
pub fn payload_columns(ifaces: &[Iface], constrs: &[(String, Vec<IfaceId>)]) -> Vec<Vec<usize>> {
    let mut slots = Slots::default();
    let mut widths: Vec<usize> = Vec::new();
    let mut places: Vec<Vec<usize>> = Vec::new();
    for (_, payload) in constrs {
        slots.next_constructor();
        let own: Vec<usize> = payload.iter().map(|id| slots.place(kind(ifaces, *id))).collect();
        for (slot, id) in own.iter().zip(payload) {
            if *slot == widths.len() {
                widths.push(ifaces[id.0 as usize].columns.len());
            }
        }
        places.push(own);
    }
    let mut first = vec![1];
    widths.iter().for_each(|width| first.push(first[first.len() - 1] + width));
    places.into_iter().map(|own| own.into_iter().map(|slot| first[slot]).collect()).collect()
}

fn kind(ifaces: &[Iface], id: IfaceId) -> Option<Kind> {
    let array = |elem: Kind, rank: usize| (0..rank).try_fold(elem, |elem, _| Kind::array(elem));
    match &ifaces[id.0 as usize].shape {
        IfaceShape::Scalar(prim) => Some(Kind::Scalar(*prim)),
        IfaceShape::Array(prim, rank) => array(Kind::Scalar(*prim), *rank),
        IfaceShape::OpaqueArray(elem, rank) => array(kind(ifaces, *elem)?, *rank),
        IfaceShape::Record(fields) => {
            let fields = fields.iter().map(|(name, id)| Some((name.clone(), kind(ifaces, *id)?)));
            fields.collect::<Option<Vec<_>>>().map(Kind::Record)
        }
        IfaceShape::Sum(constrs) => {
            let constrs = constrs.iter().map(|(name, ids)| {
                let payload = ids.iter().map(|id| kind(ifaces, *id)).collect::<Option<Vec<_>>>()?;
                Some((name.clone(), payload))
            });
            constrs.collect::<Option<Vec<_>>>().map(Kind::Sum)
        }
        IfaceShape::Recursive(_) | IfaceShape::Opaque => None,
    }
}

/// The type of a column, but for its sizes.
#[derive(Clone, PartialEq, Debug)]
pub struct Column {
    pub elem: Elem,
    /// For each dimension, whether it is `?`.
    pub irregular: Vec<bool>,
}
