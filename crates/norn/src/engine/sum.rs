//! Sums and recursive types: which constructor, and what it holds. Errors are sentences.

use super::columns::{self, Column};
use super::error::counted;
use super::record::part;
use super::{Engine, Item, ItemType, Kind, Opaque};
use norn_ir::nest::iface::{Column as ColumnType, payload_columns};
use norn_ir::nest::{Elem, IfaceId, Scalar, tag_prim};
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// A value of a sum or of a recursive type that was opened.
type Opened<'e, 'a> = (usize, &'e [(String, Vec<IfaceId>)], Cow<'a, [Column]>);

impl Engine {
    /// The name of the constructor of a sum.
    pub fn variant(&self, sum: &Item) -> Result<&str, String> {
        let (number, constructors, _) = self.opened(sum)?;
        Ok(&constructors[number].0)
    }

    /// What the constructor of a sum holds.
    pub fn destruct(&self, sum: &Item) -> Result<Vec<Item>, String> {
        let (number, constructors, columns) = self.opened(sum)?;
        let payload = &constructors[number].1;
        let ranges: Vec<Range<usize>> = match self.kind(sum.ty()) {
            // A cell has the payloads of its constructor alone.
            Kind::Recursive => self.ranges(payload.iter().copied()).collect(),
            Kind::Primitive | Kind::Array | Kind::Record | Kind::Sum | Kind::Opaque => {
                self.payload_ranges(constructors, number)
            }
        };
        payload.iter().zip(ranges).map(|(id, range)| Ok(self.item(*id, part(&columns, range)?))).collect()
    }

    /// A value of a sum type, or of a recursive type.
    pub fn construct(&self, ty: ItemType, variant: &str, items: &[Item]) -> Result<Item, String> {
        let constructors = self.constructors(ty)?;
        let type_name = self.type_name(ty);
        let Some(number) = constructors.iter().position(|(name, _)| name == variant) else {
            let names: Vec<&str> = constructors.iter().map(|(name, _)| name.as_str()).collect();
            let names = names.join(", ");
            return Err(format!("The type {type_name} has no constructor `{variant}`, only {names}."));
        };
        let expected = constructors[number].1.len();
        if items.len() != expected {
            let (expected, found) = (counted(expected, "value"), items.len());
            return Err(format!("The constructor `{variant}` holds {expected}, not {found}."));
        }
        let mut payload = Vec::new();
        for (j, (id, item)) in constructors[number].1.iter().zip(items).enumerate() {
            let what = format!("The value {j} of `{variant}`");
            payload.push(self.columns(*id, item).map_err(|wrong| self.mismatch(&what, wrong))?);
        }
        let ItemType::Opaque(id) = ty else { return Err(format!("The type {type_name} has no parts.")) };
        if let [ColumnType { elem: Elem::Ref(data, _), .. }] = &self.iface(id).columns[..] {
            let cell = Column::new_cell(&self.prog().datas, data.0 as usize, number, &payload.concat());
            let cell = cell.ok_or_else(|| format!("The value of {type_name} would be too large."))?;
            return Ok(Item::Opaque(Opaque { ty: id, columns: vec![cell] }));
        }
        let tag = Scalar::from_int(tag_prim(constructors.len()), number as i128);
        let mut own: HashMap<usize, Column> = HashMap::from([(0, Column::Scalar(tag))]);
        let ranges = self.payload_ranges(constructors, number);
        ranges.into_iter().zip(payload).for_each(|(range, columns)| own.extend(range.zip(columns)));
        let mut all = Vec::new();
        for (i, column) in self.iface(id).columns.iter().enumerate() {
            // What the other constructors hold does not matter, but must be there.
            let column = own.remove(&i).or_else(|| columns::filler(column));
            all.push(
                column.ok_or_else(|| format!("Values of {type_name} can only be made by the program."))?,
            );
        }
        Ok(Item::Opaque(Opaque { ty: id, columns: all }))
    }

    /// The number of the constructor, all constructors, and the columns: those of the sum, or of the cell.
    fn opened<'a>(&self, sum: &'a Item) -> Result<Opened<'_, 'a>, String> {
        let constructors = self.constructors(sum.ty())?;
        let opened = match sum {
            Item::Opaque(Opaque { columns, .. }) => match &columns[..] {
                [Column::Ref(place)] => {
                    place.open(&self.prog().datas).map(|(number, columns)| (number, columns.into()))
                }
                columns => columns.first().and_then(columns::tag).map(|number| (number, columns.into())),
            },
            Item::Value(_) => None,
        };
        match opened {
            Some((number, columns)) if number < constructors.len() => Ok((number, constructors, columns)),
            Some(_) | None => Err(format!("The value is none of {}.", self.type_name(sum.ty()))),
        }
    }

    /// Which columns belong to each value that constructor `number` holds.
    fn payload_ranges(&self, constructors: &[(String, Vec<IfaceId>)], number: usize) -> Vec<Range<usize>> {
        let first = payload_columns(&self.prog().ifaces, constructors).swap_remove(number);
        let range = |(id, first): (&IfaceId, usize)| first..first + self.iface(*id).columns.len();
        constructors[number].1.iter().zip(first).map(range).collect()
    }
}
