//! Regions: stores of the cells of recursive types.
//!
//! A ref is the number of a cell. Which region it leads into is known from its type, so neither
//! refs nor arrays of refs mention it. Cells are never changed, and refs in a cell lead into the
//! region of the cell, to cells that are older.

use crate::data::{Data as Elements, Kind};
use crate::meter;
use crate::slice::Part;
use crate::view::View;
use norn_ir::nest::{Data, Elem};

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The ref that leads nowhere.
pub(crate) const NULL: u32 = u32::MAX;

/// A region, alive as long as somebody holds it. The lock is needed because allocation changes the store
/// for all holders, which may be on several threads once a call has ended; it is never held while code runs.
#[derive(Clone, Default)]
pub struct Region(pub(crate) Arc<RwLock<Store>>);

#[derive(Default)]
pub(crate) struct Store {
    pub(crate) cells: Vec<Cell>,
    /// What they are counted as.
    bytes: u64,
}

#[derive(Clone)]
pub(crate) struct Cell {
    /// Which of the program's data it is.
    pub(crate) data: u32,
    pub(crate) constr: u32,
    pub(crate) fields: Box<[Part]>,
}

impl Region {
    pub(crate) fn read(&self) -> RwLockReadGuard<'_, Store> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn write(&self) -> RwLockWriteGuard<'_, Store> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn same(&self, other: &Region) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// The place of the new cell; none if there are too many, or too little memory.
    pub(crate) fn alloc(&self, cell: Cell) -> Option<u32> {
        let store = &mut self.write();
        let place = u32::try_from(store.cells.len()).ok().filter(|place| *place < NULL)?;
        meter::take(cell.bytes())?;
        store.bytes += cell.bytes();
        store.cells.push(cell);
        Some(place)
    }
}

impl Store {
    /// Adds a cell whatever memory there is.
    pub(crate) fn push(&mut self, cell: Cell) {
        meter::add(cell.bytes());
        self.bytes += cell.bytes();
        self.cells.push(cell);
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        meter::give_back(self.bytes);
    }
}

impl Cell {
    /// What its memory is counted as.
    fn bytes(&self) -> u64 {
        (size_of::<Cell>() + size_of_val(&*self.fields)) as u64 + 16
    }
}

impl fmt::Debug for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Region({} cells)", self.read().cells.len())
    }
}

/// Copies the cells that roots lead to from one region into another, and returns where each is now.
/// What leads nowhere stays.
pub(crate) fn copy_cells(
    datas: &[Data],
    from: &Region,
    to: &Region,
    roots: impl Iterator<Item = u32>,
) -> HashMap<u32, u32> {
    let from = from.read();
    let to = &mut to.write();
    let mut places: HashMap<u32, u32> = HashMap::new();
    let mut order: Vec<u32> = Vec::new();
    let mut pending: Vec<u32> = roots.collect();
    while let Some(place) = pending.pop() {
        let Some(cell) = from.cells.get(place as usize) else { continue };
        if let Entry::Vacant(vacant) = places.entry(place) {
            vacant.insert((to.cells.len() + order.len()) as u32);
            order.push(place);
            for_each_ref(datas, cell, &mut |place| pending.push(place));
        }
    }
    for place in order {
        let mut cell = from.cells[place as usize].clone();
        for (field, is_ref) in cell.fields.iter_mut().zip(ref_columns(datas, cell.data, cell.constr)) {
            if is_ref {
                *field = match field {
                    Part::Word(word) => Part::Word(moved(&places, *word as u32) as u64),
                    Part::View(view) => Part::View(move_refs(view, &places)),
                };
            }
        }
        to.push(cell);
    }
    places
}

/// Which columns are refs or arrays of refs.
fn ref_columns(datas: &[Data], data: u32, constr: u32) -> impl Iterator<Item = bool> {
    let columns = &datas[data as usize].constrs[constr as usize].columns;
    columns.iter().map(|column| matches!(column.elem(), Some(Elem::Ref(..))))
}

fn for_each_ref(datas: &[Data], cell: &Cell, f: &mut dyn FnMut(u32)) {
    for (field, is_ref) in cell.fields.iter().zip(ref_columns(datas, cell.data, cell.constr)) {
        match field {
            Part::Word(word) if is_ref => f(*word as u32),
            Part::View(view) if is_ref => for_each_ref_in(view, f),
            Part::Word(_) | Part::View(_) => {}
        }
    }
}

/// The refs in an array of refs.
pub(crate) fn for_each_ref_in(view: &View, f: &mut dyn FnMut(u32)) {
    match view.kind() {
        Kind::Rows => view.entries().iter().for_each(|row| for_each_ref_in(row, f)),
        Kind::Prim(_) | Kind::Ref => (0..view.count()).for_each(|i| f(view.word(i) as u32)),
    }
}

/// An array of refs that have moved.
pub(crate) fn move_refs(view: &View, places: &HashMap<u32, u32>) -> View {
    let data = match view.kind() {
        Kind::Rows => Elements::from_rows(view.entries().iter().map(|row| move_refs(row, places)).collect()),
        Kind::Prim(_) | Kind::Ref => {
            Elements::from_refs((0..view.count()).map(|i| moved(places, view.word(i) as u32)).collect())
        }
    };
    View::new(view.shape.clone(), data)
}

pub(crate) fn moved(places: &HashMap<u32, u32>, place: u32) -> u32 {
    places.get(&place).copied().unwrap_or(place)
}
