//! Values that have sums or cells in them: they are assembled part by part.

use super::{Incoming, Object, Place, value};
use crate::array::fetched;
use crate::case::{Case, Opaque};
use crate::errors;
use norn::engine::Item;
use norn_ir::nest::{IfaceId, IfaceShape};
use norn_values::Value;
use pyo3::prelude::*;
use std::sync::Arc;

/// A case whose values are being made.
struct Open<'py> {
    ty: IfaceId,
    name: String,
    parts: Vec<(Object<'py>, IfaceId)>,
    done: Vec<Item>,
}

impl<'py> Incoming<'_, 'py> {
    /// A value that has sums or cells in it.
    pub(super) fn item(&self, object: &Object<'py>, ty: IfaceId, place: &Place) -> PyResult<Item> {
        self.check_depth(place)?;
        let engine = self.engine();
        let name = &engine.iface(ty).name;
        let invalid = |message: String| errors::arguments(self.py, message);
        match &engine.iface(ty).shape {
            IfaceShape::Scalar(prim) => Ok(Item::Value(value(self.scalar(object, *prim, place)?))),
            IfaceShape::Array(prim, rank) => {
                let held = self.array(object, *prim, *rank, place)?;
                self.follow();
                let shape = held.dims().iter().flatten().copied().collect();
                let value = Value::new(shape, fetched(self.py, &held)?);
                value.map(Item::Value).map_err(|_| self.wrong(place, name, "is too large"))
            }
            IfaceShape::Record(fields) => {
                let mut items = Vec::with_capacity(fields.len());
                for (number, (field, id)) in fields.iter().enumerate() {
                    let part = self.field(object, fields, number, 0, name, place)?;
                    items.push(self.item(&part, *id, &Place::Field { of: place, name: field })?);
                }
                engine.new_record(engine.item_type(ty), &items).map_err(invalid)
            }
            IfaceShape::OpaqueArray(elem, rank) => {
                let (mut dims, mut elements) = (Vec::new(), vec![object.clone()]);
                for _ in 0..*rank {
                    let count = elements.first().map_or(Ok(0), |row| row.len());
                    dims.push(count.map_err(|_| self.wrong_kind(place, name, object))?);
                    let mut next = Vec::new();
                    for row in &elements {
                        for element in row.try_iter()? {
                            next.push(element?);
                        }
                    }
                    elements = next;
                }
                let mut items = Vec::with_capacity(elements.len());
                for (number, element) in elements.iter().enumerate() {
                    items.push(self.item(element, *elem, &Place::Element { of: place, number })?);
                }
                engine.new_array(engine.item_type(ty), &dims, &items).map_err(invalid)
            }
            IfaceShape::Sum(_) | IfaceShape::Recursive(_) => self.case(object, ty, place),
            IfaceShape::Opaque => match object.cast::<Opaque>() {
                Ok(known) if Arc::ptr_eq(&known.get().shared, self.shared) && known.get().ty == ty => {
                    self.shared.program.to_item(known.get().handle.clone()).map_err(invalid)
                }
                Ok(_) | Err(_) => Err(self.wrong(place, name, "is none that this program has made")),
            },
        }
    }

    /// A value of a sum or of a recursive type. Cases in cases are opened one by one, so that they may be as deep as they like.
    fn case(&self, object: &Object<'py>, ty: IfaceId, place: &Place) -> PyResult<Item> {
        let mut open: Vec<Open<'py>> = Vec::new();
        let mut next = Some((object.clone(), ty));
        loop {
            let done = match next.take() {
                Some((object, ty)) => match self.opened(&object, ty, place)? {
                    Ok(item) => Some(item),
                    Err(case) => {
                        open.push(case);
                        None
                    }
                },
                None => None,
            };
            if let Some(item) = done {
                match open.last_mut() {
                    Some(case) => case.done.push(item),
                    None => return Ok(item),
                }
            }
            // What is open and complete becomes a value of the one around it.
            while let Some(case) = open.pop_if(|case| case.done.len() == case.parts.len()) {
                let engine = self.engine();
                let made = engine.construct(engine.item_type(case.ty), &case.name, &case.done);
                let item = made.map_err(|message| errors::arguments(self.py, message))?;
                match open.last_mut() {
                    Some(around) => around.done.push(item),
                    None => return Ok(item),
                }
            }
            let Some(case) = open.last_mut() else { continue };
            let number = case.done.len();
            let (object, ty) = case.parts[number].clone();
            let shape = &self.engine().iface(ty).shape;
            if matches!(shape, IfaceShape::Sum(_) | IfaceShape::Recursive(_)) {
                next = Some((object, ty));
            } else {
                let place = Place::Payload { of: place, constructor: &case.name, number };
                let item = self.item(&object, ty, &place)?;
                case.done.push(item);
                // It may be complete now.
                continue;
            }
        }
    }

    /// What a program has made, or else what has to be made first.
    fn opened(&self, object: &Object<'py>, ty: IfaceId, place: &Place) -> PyResult<Result<Item, Open<'py>>> {
        let engine = self.engine();
        let iface = engine.iface(ty);
        let (IfaceShape::Sum(constrs) | IfaceShape::Recursive(constrs)) = &iface.shape else {
            return Err(self.wrong_kind(place, &iface.name, object));
        };
        let Ok(case) = object.cast::<Case>() else { return Err(self.wrong_kind(place, &iface.name, object)) };
        let case = case.get();
        if let Some(made) = case.made().filter(|made| Arc::ptr_eq(&made.shared, self.shared) && made.ty == ty)
        {
            return Ok(Ok(made.item.clone()));
        }
        let values = case.tuple(self.py)?;
        let Some((name, types)) = constrs.iter().find(|(name, _)| name == case.name()) else {
            let names: Vec<&str> = constrs.iter().map(|(name, _)| name.as_str()).collect();
            let why = format!("`{}` is none of its constructors {}", case.name(), names.join(", "));
            return Err(self.wrong(place, &iface.name, &why));
        };
        if values.len() != types.len() {
            let why = format!("`{name}` holds {} values instead of {}", values.len(), types.len());
            return Err(self.wrong(place, &iface.name, &why));
        }
        let parts = values.iter().zip(types.iter().copied()).collect();
        Ok(Err(Open { ty, name: name.clone(), parts, done: Vec::new() }))
    }
}
