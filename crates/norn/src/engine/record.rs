//! Records, and arrays of them: taken apart and assembled. Errors are sentences.

use super::columns::Column;
use super::error::counted;
use super::{Engine, Item, ItemType, Opaque};
use norn_ir::nest::{IfaceId, IfaceShape};
use std::ops::Range;

impl Engine {
    /// A field of a record.
    pub fn project(&self, record: &Item, field: &str) -> Result<Item, String> {
        let fields = self.record_fields(record.ty())?;
        let found =
            self.ranges(fields.iter().map(|(_, id)| *id)).zip(fields).find(|(_, (name, _))| name == field);
        let Some((range, (_, id))) = found else {
            let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
            return Err(format!(
                "The type {} has no field `{field}`; its fields are {}.",
                self.type_name(record.ty()),
                names.join(", ")
            ));
        };
        match record {
            Item::Opaque(Opaque { columns, .. }) => Ok(self.item(*id, part(columns, range)?)),
            Item::Value(_) => Err("A plain value is no record.".into()),
        }
    }

    /// The parts of a tuple; the item itself if it is of another type.
    pub fn untuple(&self, item: Item) -> Vec<Item> {
        if self.tuple(item.ty()).is_none() {
            return vec![item];
        }
        let (Ok(fields), Item::Opaque(Opaque { columns, .. })) = (self.record_fields(item.ty()), item) else {
            panic!("a tuple has columns");
        };
        // Taken, not copied: there may be much in them.
        let mut columns = columns.into_iter();
        let part = |(_, id): &(String, IfaceId)| {
            self.item(*id, columns.by_ref().take(self.iface(*id).columns.len()).collect())
        };
        fields.iter().map(part).collect()
    }

    /// A record of its fields, in the order of the type.
    pub fn new_record(&self, ty: ItemType, items: &[Item]) -> Result<Item, String> {
        let fields = self.record_fields(ty)?;
        if fields.len() != items.len() {
            return Err(format!(
                "The type {} has {}, but the number of values is {}.",
                self.type_name(ty),
                counted(fields.len(), "field"),
                items.len()
            ));
        }
        let mut columns = Vec::new();
        for ((name, id), item) in fields.iter().zip(items) {
            let of_field = self.columns(*id, item).map_err(|wrong| {
                self.mismatch(&format!("The field `{name}` of {}", self.type_name(ty)), wrong)
            })?;
            columns.extend(of_field);
        }
        if columns.is_empty() {
            // Every value has a column, that of `()` too.
            columns.push(Column::from_host(&norn_values::Value::scalar(false)));
        }
        self.opaque(ty, columns)
    }

    /// An array of records of the arrays of their fields, in the order of the record type.
    pub fn zip(&self, ty: ItemType, items: &[Item]) -> Result<Item, String> {
        let parts = self.zipped_parts(ty)?;
        if parts.len() != items.len() {
            return Err(format!(
                "The elements of {} have {}, but the number of arrays is {}.",
                self.type_name(ty),
                counted(parts.len(), "field"),
                items.len()
            ));
        }
        let rank = self.rank(ty)?;
        let mut columns = Vec::new();
        let mut first: Option<Vec<usize>> = None;
        for (part, item) in parts.iter().zip(items) {
            let expected = part.ty()?;
            if item.ty() != expected {
                let wrong = super::item::WrongType { expected, found: item.ty() };
                return Err(self.mismatch(&format!("The field `{}`", part.name), wrong));
            }
            let shape = self.dims(item, rank)?;
            let first = first.get_or_insert_with(|| shape.clone());
            if *first != shape {
                return Err(format!("Arrays of the shapes {first:?} and {shape:?} cannot be zipped."));
            }
            match item {
                Item::Value(value) => columns.push(Column::from_host(value)),
                Item::Opaque(opaque) => columns.extend(opaque.columns.iter().cloned()),
            }
        }
        if columns.is_empty() {
            return Err("The number of elements cannot be known without fields.".into());
        }
        self.opaque(ty, columns)
    }

    /// The arrays of the fields of an array of records, in the order of the record type.
    pub fn unzip(&self, array: &Item) -> Result<Vec<Item>, String> {
        let parts = self.zipped_parts(array.ty())?;
        let Item::Opaque(Opaque { columns, .. }) = array else {
            return Err("A plain array has no fields.".into());
        };
        let unzip_part = |each: &ZippedPart| {
            let columns = part(columns, each.range.clone())?;
            match each.ty()? {
                ItemType::Opaque(ty) => Ok(Item::Opaque(Opaque { ty, columns })),
                ItemType::Plain(_) => columns
                    .first()
                    .and_then(Column::to_host)
                    .map(Item::Value)
                    .ok_or_else(|| format!("The field `{}` is no regular array.", each.name)),
            }
        };
        parts.iter().map(unzip_part).collect()
    }

    fn zipped_parts(&self, ty: ItemType) -> Result<Vec<ZippedPart>, String> {
        let no_array = || format!("The type {} is not that of an array of records.", self.type_name(ty));
        let ItemType::Opaque(id) = ty else { return Err(no_array()) };
        let array = self.iface(id);
        let IfaceShape::OpaqueArray(elem, rank) = array.shape else { return Err(no_array()) };
        let IfaceShape::Record(fields) = &self.iface(elem).shape else { return Err(no_array()) };
        let parts =
            self.ranges(fields.iter().map(|(_, id)| *id)).zip(fields).map(|(range, (name, field))| {
                let columns = array.columns.get(range.clone()).unwrap_or_default();
                ZippedPart {
                    name: name.clone(),
                    ty: self.array_type(*field, rank, columns).ok_or(self.iface(*field).name.clone()),
                    range,
                }
            });
        Ok(parts.collect())
    }

    /// Which columns belong to each of these parts that stand one after the other.
    pub(super) fn ranges(&self, parts: impl Iterator<Item = IfaceId>) -> impl Iterator<Item = Range<usize>> {
        parts.scan(0, |end, id| {
            let start = *end;
            *end += self.iface(id).columns.len();
            Some(start..*end)
        })
    }

    pub(super) fn opaque(&self, ty: ItemType, columns: Vec<Column>) -> Result<Item, String> {
        match ty {
            ItemType::Opaque(ty) => Ok(Item::Opaque(Opaque { ty, columns })),
            ItemType::Plain(_) => Err(format!("The type {} has no parts.", self.type_name(ty))),
        }
    }

    pub(super) fn mismatch(&self, what: &str, wrong: super::item::WrongType) -> String {
        let (expected, found) = (self.type_name(wrong.expected), self.type_name(wrong.found));
        format!("{what} must be of type {expected}, but is of type {found}.")
    }
}

/// What an array of records has of one field.
struct ZippedPart {
    name: String,
    /// Or the name of the field's type, of which the program has no arrays.
    ty: Result<ItemType, String>,
    range: Range<usize>,
}

impl ZippedPart {
    fn ty(&self) -> Result<ItemType, String> {
        self.ty.clone().map_err(|elem| format!("The program has no type for arrays of {elem}."))
    }
}

/// Some of the columns of an item.
pub(super) fn part(columns: &[Column], range: Range<usize>) -> Result<Vec<Column>, String> {
    columns.get(range).map(<[Column]>::to_vec).ok_or_else(|| "The value has too few columns.".into())
}
