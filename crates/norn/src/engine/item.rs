//! What goes into and comes out of entry points.

use super::Engine;
use super::columns::Column;
use norn_ir::nest::{IfaceId, IfaceShape};
use norn_values::{Expected, Value};

/// A value of the world outside, or one that only the program (and the rules of its columns) can
/// make sense of. Cheap to clone where it is opaque.
#[derive(Clone, Debug)]
pub enum Item {
    /// A scalar or a regular array of scalars.
    Value(Value),
    Opaque(Opaque),
}

#[derive(Clone, Debug)]
pub struct Opaque {
    pub ty: IfaceId,
    /// As many as the type has.
    pub columns: Vec<Column>,
}

/// The type of an item. Scalars and regular arrays of them are known to every program; other types
/// belong to one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ItemType {
    Plain(Expected),
    Opaque(IfaceId),
}

/// An item is of another type than it should be.
pub(super) struct WrongType {
    pub expected: ItemType,
    pub found: ItemType,
}

impl Item {
    pub fn ty(&self) -> ItemType {
        match self {
            Item::Value(value) => ItemType::Plain(value.unsized_type()),
            Item::Opaque(opaque) => ItemType::Opaque(opaque.ty),
        }
    }

    pub(super) fn columns(&self) -> Vec<Column> {
        match self {
            Item::Value(value) => vec![Column::from_host(value)],
            Item::Opaque(opaque) => opaque.columns.clone(),
        }
    }
}

impl Engine {
    /// The type that items of this type of the program have.
    pub fn item_type(&self, id: IfaceId) -> ItemType {
        match self.iface(id).shape {
            IfaceShape::Scalar(prim) => ItemType::Plain(Expected::new(prim, 0)),
            IfaceShape::Array(prim, rank) => ItemType::Plain(Expected::new(prim, rank)),
            IfaceShape::OpaqueArray(..)
            | IfaceShape::Record(_)
            | IfaceShape::Sum(_)
            | IfaceShape::Recursive(_)
            | IfaceShape::Opaque => ItemType::Opaque(id),
        }
    }

    /// The item with these columns.
    pub(super) fn item(&self, id: IfaceId, mut columns: Vec<Column>) -> Item {
        if let ItemType::Plain(_) = self.item_type(id)
            && let Some(column) = columns.pop()
        {
            match column.into_host() {
                Ok(value) => return Item::Value(value),
                // Inside of arrays and cells it was not known that rows are of one length.
                Err(column) => {
                    let regular = self.iface(id).columns.first().and_then(|ty| column.fit(ty));
                    if let Some(value) = regular.and_then(|column| column.to_host()) {
                        return Item::Value(value);
                    }
                    columns.push(column);
                }
            }
        }
        Item::Opaque(Opaque { ty: id, columns })
    }

    /// The columns of an item that should be of type `id`.
    pub(super) fn columns(&self, id: IfaceId, item: &Item) -> Result<Vec<Column>, WrongType> {
        self.check_type(id, item.ty())?;
        Ok(item.columns())
    }

    /// Whether something of a type is of type `id`.
    pub(super) fn check_type(&self, id: IfaceId, found: ItemType) -> Result<(), WrongType> {
        let expected = self.item_type(id);
        if expected == found { Ok(()) } else { Err(WrongType { expected, found }) }
    }
}
