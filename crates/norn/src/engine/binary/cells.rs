//! The cells of a structured value: one long array of a sum, of all constructors of all recursive types in it.
//!
//! Only cells that the value leads to are stored, each once, behind those that it refers to. The walk keeps its own stack: a list is as deep as it is long.

use super::super::Engine;
use super::super::columns::Column;
use super::batch::{Batch, Sums, data_of, from_strips, to_strips};
use super::decode::Decoder;
use super::description::recursive_types;
use super::strip::Strip;
use norn_interp::{CellParts, Elements, Field, NO_CELL, Region};
use norn_ir::nest::{Elem, IfaceId, IfaceShape, Type};
use norn_values::{ErrorKind, ReadError};
use std::collections::HashMap;

/// The constructors of all recursive types in a type, by the numbers that they have in the bytes.
pub(super) struct CellKinds {
    kinds: Vec<CellKind>,
    /// Of each data, the number of its first constructor.
    first: HashMap<usize, usize>,
}

pub(super) struct CellKind {
    pub data: usize,
    pub constr: usize,
    pub payload: Vec<IfaceId>,
}

impl CellKinds {
    pub fn new(engine: &Engine, ty: IfaceId) -> CellKinds {
        let mut found = CellKinds { kinds: Vec::new(), first: HashMap::new() };
        for id in recursive_types(engine, ty) {
            let IfaceShape::Recursive(constrs) = &engine.iface(id).shape else { continue };
            let data = data_of(engine, id);
            found.first.entry(data).or_insert(found.kinds.len());
            let kinds = constrs.iter().enumerate();
            found.kinds.extend(kinds.map(|(constr, (_, payload))| CellKind {
                data,
                constr,
                payload: payload.clone(),
            }));
        }
        found
    }

    pub fn is_empty(&self) -> bool {
        self.kinds.is_empty()
    }

    /// How many constructors there are.
    pub fn constructors(&self) -> usize {
        self.kinds.len()
    }
}

/// The cells that columns lead to.
pub(super) struct Collected {
    regions: Vec<(Region, Vec<CellParts>)>,
    /// Of each cell, its number in the bytes, behind that of all cells that it refers to.
    numbers: HashMap<(usize, u32), u32>,
    /// The cells in the order of their numbers.
    order: Vec<(usize, u32)>,
    /// Their constructors.
    pub tags: Vec<usize>,
}

impl Collected {
    pub fn new(engine: &Engine, kinds: &CellKinds, columns: &[Column]) -> Option<Collected> {
        let mut collected =
            Collected { regions: Vec::new(), numbers: HashMap::new(), order: Vec::new(), tags: Vec::new() };
        for column in columns {
            let Some(region) = column.region() else { continue };
            let number = match collected.regions.iter().position(|(known, _)| known.is(region)) {
                Some(number) => number,
                None => {
                    collected.regions.push((region.clone(), region.cells(&engine.prog().datas)?));
                    collected.regions.len() - 1
                }
            };
            for root in column.refs() {
                collected.walk(engine, kinds, number, root)?;
            }
        }
        Some(collected)
    }

    /// Numbers what a cell leads to, and then the cell.
    fn walk(&mut self, engine: &Engine, kinds: &CellKinds, region: usize, root: u32) -> Option<()> {
        let mut pending = vec![(root, false)];
        while let Some((cell, is_open)) = pending.pop() {
            if cell == NO_CELL || self.numbers.contains_key(&(region, cell)) {
                continue;
            }
            let CellParts { data, constr, fields } = self.regions[region].1.get(cell as usize)?;
            if is_open {
                let number = u32::try_from(self.order.len()).ok().filter(|number| *number < NO_CELL)?;
                self.numbers.insert((region, cell), number);
                self.order.push((region, cell));
                self.tags.push(kinds.first.get(data)? + constr);
                continue;
            }
            pending.push((cell, true));
            let columns = &engine.prog().datas[*data].constrs[*constr].columns;
            for (field, ty) in fields.iter().zip(columns) {
                match field {
                    Field::Word(word) if is_ref(ty) => pending.push((*word as u32, false)),
                    Field::Word(_) => {}
                    Field::Array(parts) => {
                        if let Elements::Ref(cells) = &parts.elements {
                            pending.extend(cells.iter().map(|cell| (*cell, false)));
                        }
                    }
                }
            }
        }
        Some(())
    }

    pub fn count(&self) -> usize {
        self.order.len()
    }

    /// The number that a cell of a region has in the bytes.
    pub fn number(&self, region: &Region, cell: u32) -> u32 {
        let region = self.regions.iter().position(|(known, _)| known.is(region));
        region.and_then(|region| self.numbers.get(&(region, cell)).copied()).unwrap_or(NO_CELL)
    }

    /// Of each constructor, the payloads of its cells.
    pub fn payloads(&self, engine: &Engine, kinds: &CellKinds) -> Option<Vec<Vec<Batch>>> {
        let mut strips: Vec<Vec<Strip>> = Vec::new();
        for kind in &kinds.kinds {
            let columns = &engine.prog().datas[kind.data].constrs[kind.constr].columns;
            let strip = |ty: &Type| Some(Strip::empty(ty.elem()?, ty.dims().len()));
            strips.push(columns.iter().map(strip).collect::<Option<Vec<Strip>>>()?);
        }
        let mut counts = vec![0; kinds.kinds.len()];
        for (&(region, cell), &tag) in self.order.iter().zip(&self.tags) {
            counts[tag] += 1;
            let number = |cell: u32| self.numbers.get(&(region, cell)).copied().unwrap_or(NO_CELL);
            let fields = self.regions[region].1[cell as usize].fields.iter();
            fields.zip(&mut strips[tag]).for_each(|(field, strip)| strip.push(field.clone(), number));
        }
        let mut payloads = Vec::new();
        for ((kind, strips), count) in kinds.kinds.iter().zip(strips).zip(counts) {
            let mut strips = strips.into_iter();
            let part = |id: &IfaceId| {
                let own = strips.by_ref().take(engine.iface(*id).columns.len()).collect();
                from_strips(engine, *id, own, count)
            };
            payloads.push(kind.payload.iter().map(part).collect::<Option<Vec<Batch>>>()?);
        }
        Some(payloads)
    }
}

/// The region with the cells that are next in the bytes.
pub(super) fn region_of(
    engine: &Engine,
    kinds: &CellKinds,
    decoder: &mut Decoder,
) -> Result<Region, ReadError> {
    let start = decoder.at();
    let count = decoder.count("cells")?;
    if u32::try_from(count).ok().is_none_or(|count| count == NO_CELL) {
        let found = format!("{count} cells");
        return Err(ReadError::new(start, ErrorKind::TooLarge, "fewer than 4,294,967,295 cells", found));
    }
    let tags = decoder.tags(kinds.kinds.len(), count)?;
    // Who refers to a cell can say of which type it should be.
    decoder.set_cells(tags.iter().map(|tag| kinds.kinds[*tag].data).collect());
    let types: Vec<&[IfaceId]> = kinds.kinds.iter().map(|kind| &kind.payload[..]).collect();
    let Sums { tags, payloads } = decoder.payloads(engine, tags, &types)?;
    let mut fields: Vec<Vec<_>> = Vec::new();
    for (number, (kind, batches)) in kinds.kinds.iter().zip(payloads).enumerate() {
        let there = tags.iter().filter(|tag| **tag == number).count();
        let parts = kind.payload.iter().zip(batches);
        let strips: Vec<Strip> = parts.flat_map(|(id, batch)| to_strips(engine, *id, batch, there)).collect();
        fields.push(
            strips.into_iter().map(|strip| strip.rows(there).collect::<Vec<_>>().into_iter()).collect(),
        );
    }
    let mut cells = Vec::with_capacity(count);
    for (number, tag) in tags.into_iter().enumerate() {
        let CellKind { data, constr, .. } = kinds.kinds[tag];
        let columns = &engine.prog().datas[data].constrs[constr].columns;
        let mut own = Vec::with_capacity(columns.len());
        for (rows, ty) in fields[tag].iter_mut().zip(columns) {
            let strip = rows.next().unwrap_or_else(|| panic!("engine: each cell has all of its fields"));
            if let Elements::Ref(cells) = &strip.elements
                && let Some(later) = cells.iter().find(|cell| **cell != NO_CELL && **cell as usize >= number)
            {
                let expected = format!("references of the cell {number} to cells before it");
                let found = format!("one to the cell {later}");
                return Err(ReadError::new(start, ErrorKind::Corrupt, expected, found));
            }
            // A row in a cell has a length of its own.
            let irregular: Vec<bool> =
                ty.dims().iter().enumerate().map(|(i, dim)| i > 0 && dim.atom().is_none()).collect();
            own.push(strip.into_field(&irregular).ok_or_else(|| {
                let expected = format!("rows of one length in the cell {number}");
                ReadError::new(start, ErrorKind::Irregular, expected, "rows of different lengths")
            })?);
        }
        cells.push(CellParts { data, constr, fields: own });
    }
    Ok(Region::from_cells(cells))
}

fn is_ref(ty: &Type) -> bool {
    matches!(ty.elem(), Some(Elem::Ref(..)))
}
