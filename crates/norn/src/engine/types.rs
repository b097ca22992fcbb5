//! What types are: names, kinds, parts. Errors are sentences.

use super::{Engine, ItemType};
use norn_ir::nest::iface::Column as ColumnType;
use norn_ir::nest::{IfaceId, IfaceShape};
use norn_values::{Expected, Prim};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Primitive,
    Array,
    Record,
    Sum,
    /// Recursive types: their values are made and taken apart as those of sums, but are held in another way.
    Recursive,
    /// Values that can only be handed back.
    Opaque,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Primitive => "primitive",
            Kind::Array => "array",
            Kind::Record => "record",
            Kind::Sum | Kind::Recursive => "sum",
            Kind::Opaque => "opaque",
        }
    }
}

impl Engine {
    /// The type with this name. Scalars and arrays of them are known even if no entry point has them.
    pub fn type_by_name(&self, name: &str) -> Option<ItemType> {
        let mut elem = name;
        let mut rank = 0;
        while let Some(rest) = elem.strip_prefix("[]") {
            elem = rest;
            rank += 1;
        }
        match Prim::from_name(elem) {
            Some(prim) => Some(ItemType::Plain(Expected::new(prim, rank))),
            None => self.iface_by_name(name).map(|id| self.item_type(id)),
        }
    }

    pub fn type_name(&self, ty: ItemType) -> String {
        match ty {
            ItemType::Plain(plain) => plain.to_string(),
            ItemType::Opaque(id) => self.iface(id).name.clone(),
        }
    }

    /// The types of the program, none twice.
    pub fn types(&self) -> Vec<ItemType> {
        let mut types: Vec<ItemType> = Vec::new();
        for i in 0..self.prog().ifaces.len() {
            let ty = self.item_type(IfaceId(i as u32));
            if !types.contains(&ty) {
                types.push(ty);
            }
        }
        types
    }

    pub fn kind(&self, ty: ItemType) -> Kind {
        match ty {
            ItemType::Plain(Expected { rank: 0, .. }) => Kind::Primitive,
            ItemType::Plain(_) => Kind::Array,
            ItemType::Opaque(id) => match self.iface(id).shape {
                IfaceShape::Scalar(_) => Kind::Primitive,
                IfaceShape::Array(..) | IfaceShape::OpaqueArray(..) => Kind::Array,
                IfaceShape::Record(_) => Kind::Record,
                IfaceShape::Sum(_) => Kind::Sum,
                IfaceShape::Recursive(_) => Kind::Recursive,
                IfaceShape::Opaque => Kind::Opaque,
            },
        }
    }

    /// The fields of a record in order; those of a tuple are `0`, `1`, ..
    pub fn fields(&self, ty: ItemType) -> Result<Vec<(&str, ItemType)>, String> {
        let fields = self.record_fields(ty)?;
        Ok(fields.iter().map(|(name, id)| (name.as_str(), self.item_type(*id))).collect())
    }

    /// The types of the parts of a tuple; none for other types.
    pub fn tuple(&self, ty: ItemType) -> Option<Vec<ItemType>> {
        let fields = self.record_fields(ty).ok()?;
        let numbered = fields.iter().enumerate().all(|(i, (name, _))| *name == i.to_string());
        numbered.then(|| fields.iter().map(|(_, id)| self.item_type(*id)).collect())
    }

    /// The constructors of a sum in order, with the types of their payloads.
    pub fn variants(&self, ty: ItemType) -> Result<Vec<(&str, Vec<ItemType>)>, String> {
        let constructors = self.constructors(ty)?;
        let payload = |ids: &[IfaceId]| ids.iter().map(|id| self.item_type(*id)).collect();
        Ok(constructors.iter().map(|(name, ids)| (name.as_str(), payload(ids))).collect())
    }

    /// How many dimensions values of an array type have.
    pub fn rank(&self, ty: ItemType) -> Result<usize, String> {
        self.array_parts(ty).map(|(_, rank)| rank)
    }

    /// The type of the elements of an array type.
    pub fn elem_type(&self, ty: ItemType) -> Result<ItemType, String> {
        self.array_parts(ty).map(|(elem, _)| elem)
    }

    pub(super) fn record_fields(&self, ty: ItemType) -> Result<&[(String, IfaceId)], String> {
        if let ItemType::Opaque(id) = ty
            && let IfaceShape::Record(fields) = &self.iface(id).shape
        {
            return Ok(fields);
        }
        Err(format!("The type {} is not a record type.", self.type_name(ty)))
    }

    /// Those of a sum, or of a recursive type.
    pub(super) fn constructors(&self, ty: ItemType) -> Result<&[(String, Vec<IfaceId>)], String> {
        if let ItemType::Opaque(id) = ty
            && let IfaceShape::Sum(constructors) | IfaceShape::Recursive(constructors) = &self.iface(id).shape
        {
            return Ok(constructors);
        }
        Err(format!("The type {} is not a sum type.", self.type_name(ty)))
    }

    /// The type of the elements and the number of dimensions.
    pub(super) fn array_parts(&self, ty: ItemType) -> Result<(ItemType, usize), String> {
        match ty {
            ItemType::Plain(Expected { prim, rank: rank @ 1.. }) => {
                return Ok((ItemType::Plain(Expected::new(prim, 0)), rank));
            }
            ItemType::Plain(_) => {}
            ItemType::Opaque(id) => {
                if let IfaceShape::OpaqueArray(elem, rank) = self.iface(id).shape {
                    return Ok((self.item_type(elem), rank));
                }
            }
        }
        Err(format!("The type {} is not an array type.", self.type_name(ty)))
    }

    /// The type of arrays with `rank` dimensions of `elem` that have these columns, if there is one.
    pub(super) fn array_type(&self, elem: IfaceId, rank: usize, columns: &[ColumnType]) -> Option<ItemType> {
        let regular = columns.iter().all(|column| !column.irregular.contains(&true));
        match self.iface(elem).shape {
            IfaceShape::Scalar(prim) if regular => Some(ItemType::Plain(Expected::new(prim, rank))),
            IfaceShape::Array(prim, inner) if regular => {
                Some(ItemType::Plain(Expected::new(prim, rank + inner)))
            }
            IfaceShape::OpaqueArray(inner, more) => self
                .opaque_array(elem, rank, columns)
                .or_else(|| self.opaque_array(inner, rank + more, columns)),
            IfaceShape::Scalar(_)
            | IfaceShape::Array(..)
            | IfaceShape::Record(_)
            | IfaceShape::Sum(_)
            | IfaceShape::Recursive(_)
            | IfaceShape::Opaque => self.opaque_array(elem, rank, columns),
        }
    }

    fn opaque_array(&self, elem: IfaceId, rank: usize, columns: &[ColumnType]) -> Option<ItemType> {
        let expected = IfaceShape::OpaqueArray(elem, rank);
        let fits = |iface: &norn_ir::nest::Iface| iface.shape == expected && iface.columns == columns;
        let at = self.prog().ifaces.iter().position(fits)?;
        Some(ItemType::Opaque(IfaceId(at as u32)))
    }
}
