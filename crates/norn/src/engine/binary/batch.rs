//! Batches: many values of one type, by the structure of the type. This is what the bytes are.
//!
//! A batch knows nothing of the slots in which payloads lie (`norn_ir::nest::iface`): a payload is there only of those values that have its constructor. So the bytes
//! do not depend on what columns hold where nothing is, nor on how slots are shared.

use super::super::Engine;
use super::strip::{Lengths, Strip};
use norn_interp::Elements;
use norn_ir::nest::iface::payload_columns;
use norn_ir::nest::{Elem, IfaceId, IfaceShape, Prim, tag_prim};
use norn_values::Data;

pub(super) enum Batch {
    Scalars(Data),
    /// Numbers of cells.
    Cells(Vec<u32>),
    Arrays(Vec<Lengths>, Box<Batch>),
    /// That of the empty tuple has no fields, but as many values as are said.
    Records(usize, Vec<Batch>),
    Sums(Sums),
}

/// Values of a sum: the number of the constructor of each, and of each constructor, for each of its payloads, those that are there.
pub(super) struct Sums {
    pub tags: Vec<usize>,
    pub payloads: Vec<Vec<Batch>>,
}

/// The values of a type that have these columns. None if they are none.
pub(super) fn from_strips(
    engine: &Engine,
    ty: IfaceId,
    mut strips: Vec<Strip>,
    count: usize,
) -> Option<Batch> {
    let iface = engine.iface(ty);
    match &iface.shape {
        IfaceShape::Scalar(_) => match strips.pop()?.elements {
            Elements::Prim(data) => Some(Batch::Scalars(data)),
            Elements::Ref(_) => None,
        },
        IfaceShape::Array(..) => {
            let strip = strips.pop()?;
            let Elements::Prim(data) = strip.elements else { return None };
            Some(Batch::Arrays(strip.dims, Box::new(Batch::Scalars(data))))
        }
        IfaceShape::OpaqueArray(elem, rank) => {
            let mut dims = Vec::new();
            for strip in &mut strips {
                dims = strip.dims.drain(..*rank).collect();
            }
            let total = dims.iter().try_fold(count, |rows, dim| dim.total(rows))?;
            Some(Batch::Arrays(dims, Box::new(from_strips(engine, *elem, strips, total)?)))
        }
        IfaceShape::Record(fields) => {
            let mut strips = strips.into_iter();
            let field = |(_, id): &(String, IfaceId)| {
                let own = strips.by_ref().take(engine.iface(*id).columns.len()).collect();
                from_strips(engine, *id, own, count)
            };
            Some(Batch::Records(count, fields.iter().map(field).collect::<Option<_>>()?))
        }
        IfaceShape::Sum(constrs) => {
            let tags = numbers(&strips.first()?.elements)?;
            let first = payload_columns(&engine.prog().ifaces, constrs);
            let mut payloads = Vec::new();
            for (number, ((_, payload), first)) in constrs.iter().zip(first).enumerate() {
                let keep: Vec<bool> = tags.iter().map(|tag| *tag == number).collect();
                let there = keep.iter().filter(|keep| **keep).count();
                let part = |(id, first): (&IfaceId, usize)| {
                    let own = strips.get(first..first + engine.iface(*id).columns.len())?;
                    from_strips(engine, *id, own.iter().map(|strip| strip.select(&keep)).collect(), there)
                };
                payloads.push(payload.iter().zip(first).map(part).collect::<Option<Vec<Batch>>>()?);
            }
            tags.iter().all(|tag| *tag < constrs.len()).then_some(Batch::Sums(Sums { tags, payloads }))
        }
        IfaceShape::Recursive(_) => match strips.pop()?.elements {
            Elements::Ref(cells) => Some(Batch::Cells(cells)),
            Elements::Prim(_) => None,
        },
        IfaceShape::Opaque => None,
    }
}

/// The columns of so many values of a type.
pub(super) fn to_strips(engine: &Engine, ty: IfaceId, batch: Batch, count: usize) -> Vec<Strip> {
    let iface = engine.iface(ty);
    match (batch, &iface.shape) {
        (Batch::Scalars(data), _) => vec![Strip { dims: Vec::new(), elements: Elements::Prim(data) }],
        (Batch::Cells(cells), _) => vec![Strip { dims: Vec::new(), elements: Elements::Ref(cells) }],
        (Batch::Arrays(dims, elements), IfaceShape::Array(..)) => {
            let Batch::Scalars(data) = *elements else { panic!("engine: an array of scalars") };
            vec![Strip { dims, elements: Elements::Prim(data) }]
        }
        (Batch::Arrays(dims, elements), IfaceShape::OpaqueArray(elem, _)) => {
            let total = dims.iter().try_fold(count, |rows, dim| dim.total(rows));
            let total = total.unwrap_or_else(|| panic!("engine: elements that were read can be counted"));
            let mut strips = to_strips(engine, *elem, *elements, total);
            for strip in &mut strips {
                strip.dims.splice(..0, dims.iter().cloned());
            }
            strips
        }
        (Batch::Records(count, fields), _) if fields.is_empty() => {
            let mut data = Data::empty(Prim::Bool);
            data.append_zeros(count);
            vec![Strip { dims: Vec::new(), elements: Elements::Prim(data) }]
        }
        (Batch::Records(count, fields), IfaceShape::Record(types)) => types
            .iter()
            .zip(fields)
            .flat_map(|((_, id), field)| to_strips(engine, *id, field, count))
            .collect(),
        (Batch::Sums(sums), IfaceShape::Sum(constrs)) => sum_strips(engine, ty, constrs, sums),
        (Batch::Arrays(..) | Batch::Records(..) | Batch::Sums(_), _) => {
            panic!("engine: a batch is of another type than {}", iface.name)
        }
    }
}

/// Payloads in the slots that they share.
fn sum_strips(engine: &Engine, ty: IfaceId, constrs: &[(String, Vec<IfaceId>)], sums: Sums) -> Vec<Strip> {
    let Sums { tags, payloads } = sums;
    let first = payload_columns(&engine.prog().ifaces, constrs);
    let columns = &engine.iface(ty).columns;
    // Of each column, which constructors have something there.
    let mut there: Vec<Vec<(usize, Strip)>> = columns.iter().map(|_| Vec::new()).collect();
    for (number, ((batches, first), (_, payload))) in payloads.into_iter().zip(first).zip(constrs).enumerate()
    {
        let count = tags.iter().filter(|tag| **tag == number).count();
        for ((batch, first), id) in batches.into_iter().zip(first).zip(payload) {
            for (column, strip) in to_strips(engine, *id, batch, count).into_iter().enumerate() {
                there[first + column].push((number, strip));
            }
        }
    }
    let tag_column = Strip { dims: Vec::new(), elements: Elements::Prim(tag_data(constrs.len(), &tags)) };
    let slots = there.into_iter().zip(columns).skip(1).map(|(there, ty)| {
        let mut of_tag = vec![None; constrs.len()];
        there.iter().enumerate().for_each(|(strip, (number, _))| of_tag[*number] = Some(strip));
        let choices: Vec<Option<usize>> = tags.iter().map(|tag| of_tag[*tag]).collect();
        let strips: Vec<&Strip> = there.iter().map(|(_, strip)| strip).collect();
        Strip::merge(&choices, &strips, ty.elem, ty.irregular.len())
    });
    std::iter::once(tag_column).chain(slots).collect()
}

/// The numbers of constructors, in the column for them.
fn tag_data(constrs: usize, tags: &[usize]) -> Data {
    match tag_prim(constrs) {
        Prim::I8 => Data::I8(tags.iter().map(|tag| *tag as i8).collect()),
        Prim::I16 => Data::I16(tags.iter().map(|tag| *tag as i16).collect()),
        Prim::I32 => Data::I32(tags.iter().map(|tag| *tag as i32).collect()),
        prim => panic!("engine: constructors are not counted by {prim}"),
    }
}

fn numbers(elements: &Elements) -> Option<Vec<usize>> {
    let Elements::Prim(data) = elements else { return None };
    Some(match data {
        Data::I8(tags) => tags.iter().map(|tag| *tag as u8 as usize).collect(),
        Data::I16(tags) => tags.iter().map(|tag| *tag as u16 as usize).collect(),
        Data::I32(tags) => tags.iter().map(|tag| *tag as u32 as usize).collect(),
        _ => return None,
    })
}

/// The data whose cells a recursive type's values are.
pub(super) fn data_of(engine: &Engine, ty: IfaceId) -> usize {
    match engine.iface(ty).columns.first().map(|column| column.elem) {
        Some(Elem::Ref(data, _)) => data.0 as usize,
        Some(Elem::Prim(_)) | None => {
            panic!("engine: the recursive type {} has no column of refs", engine.iface(ty).name)
        }
    }
}
