//! Columns as the words that an entry point is called with.
//!
//! On the processor an array is passed as it lies in the host's memory, with the null block: nothing is copied. An
//! argument that the program may overwrite is copied into a block of its own, unless it is an array of a program that nobody else knows (`Held::give`). Cells are written into regions, which
//! the caller makes, with the elements of the arrays in them.
//!
//! Where a function's arrays are on a GPU, each part is copied there, unless it is held there already (`held`).
//! Regions are in the host's memory; they go where they are needed.

use crate::bind::elem_prim;
use crate::column::{Array, Column, Elements, NOWHERE, Values};
use crate::held::{Held, HeldPart};
use crate::memory::data_bytes;
use norn_ir::imp::cells::cell_layout;
use norn_ir::imp::{Data, DataId, Entry, EntryElem, EntryType, Prog};
use norn_ir::nest::Dim;
use norn_runtime::cpu::{Block, Region, Session, Stop, block_address, block_data};
use norn_runtime::gpu::Program;
use std::collections::HashMap;
use std::slice::from_raw_parts;
use std::sync::Arc;

/// The words, and what has to be there as long as the call lasts.
#[derive(Default)]
pub struct Arguments {
    pub words: Vec<u64>,
    /// By the number of the argument.
    pub regions: HashMap<usize, *mut Region>,
    /// What is on the GPU for this call, and copies of what the program may overwrite.
    pub blocks: Vec<*mut Block>,
    /// What is to be copied within the GPU before the call: to an address.
    pub copies: Vec<(u64, HeldPart)>,
    /// Places of cells, as they are called in their region.
    places: Vec<Vec<u32>>,
}

// SAFETY: regions and blocks are used during visits to the program alone, which are one after the other: a visit borrows the instance
// mutably.
unsafe impl Send for Arguments {}
// SAFETY: as above.
unsafe impl Sync for Arguments {}

/// Why a call does not begin.
pub enum Refused {
    /// There is no memory for so many bytes.
    NoMemory {
        bytes: u64,
        on_gpu: bool,
    },
    /// An argument was on a GPU that has lost its memory.
    Lost,
    Stopped(Stop),
}

/// Whether the arrays of a function are on the GPU.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Host,
    Device,
}

impl Arguments {
    /// The columns fit the entry point, and `scalars` has the sizes they determine.
    pub fn new(
        session: &mut Session,
        prog: &Prog,
        entry: &Entry,
        side: Side,
        values: &Values,
        scalars: &[u64],
        program: Option<&Arc<Program>>,
    ) -> Result<Arguments, Refused> {
        let (out, datas) = (Arguments::default(), &prog.datas);
        let mut maker = Maker { out, datas, values, side, program, moved: HashMap::new() };
        for (at, ty) in entry.args.iter().enumerate() {
            if *ty == EntryType::Region {
                let region = session.region_new().ok_or(no_memory(size_of::<Region>()))?;
                maker.out.regions.insert(at, region);
            }
        }
        let unique = unique_columns(prog, entry);
        let before = entry.args.len() - values.columns.len();
        for (at, ty) in entry.args.iter().enumerate() {
            let column = at.checked_sub(before).map(|i| (&values.columns[i], unique[i]));
            maker.add(session, at, ty, column, scalars[at])?;
        }
        Ok(maker.out)
    }
}

fn no_memory(bytes: usize) -> Refused {
    Refused::NoMemory { bytes: bytes as u64, on_gpu: false }
}

struct Maker<'a> {
    out: Arguments,
    datas: &'a [Data],
    values: &'a Values<'a>,
    side: Side,
    /// What it has on a GPU.
    program: Option<&'a Arc<Program>>,
    /// The cells that are in a region already.
    moved: HashMap<(usize, u32), u32>,
}

impl<'a> Maker<'a> {
    fn add(
        &mut self,
        session: &mut Session,
        at: usize,
        ty: &EntryType,
        column: Option<(&'a Column<'a>, bool)>,
        size: u64,
    ) -> Result<(), Refused> {
        match (ty, column) {
            (EntryType::Region, _) => self.out.words.push(self.out.regions[&at] as u64),
            (EntryType::Value(..), None) => self.out.words.push(size),
            (EntryType::Value(..), Some((Column::Scalar(scalar), _))) => self.out.words.push(scalar.bits()),
            (EntryType::Value(elem, _), Some((Column::Ref(cell), _))) => {
                let cell = self.cell(session, *elem, *cell)?;
                self.out.words.push(cell.into());
            }
            (EntryType::Value(elem, _), Some((Column::Array(array), unique))) => {
                let parts = self.array_parts(session, *elem, array)?;
                for (from, bytes) in parts {
                    self.part(session, from, bytes, unique)?;
                }
            }
            (EntryType::Value(..), Some((Column::Held(held), unique))) => match held.gpu() {
                _ if unique && self.give(session, held) => {}
                Some(_) => self.held(session, held, unique)?,
                None => {
                    for part in held.parts().ok_or(Refused::Lost)? {
                        let (from, bytes) = (part.address as usize as *const u8, part.bytes as usize);
                        self.part(session, from, bytes, unique)?;
                    }
                }
            },
        }
        Ok(())
    }

    /// Whether the program has the array itself now, to overwrite it.
    fn give(&mut self, session: &mut Session, held: &Held) -> bool {
        let is_near = held.gpu().is_some() == (self.side == Side::Device);
        let Some(block) = is_near.then(|| held.give(session, self.program)).flatten() else { return false };
        self.out.blocks.push(block);
        self.out.words.extend([held.address(), block as u64]);
        true
    }

    /// A part of an array in the host's memory.
    fn part(
        &mut self,
        session: &mut Session,
        from: *const u8,
        bytes: usize,
        unique: bool,
    ) -> Result<(), Refused> {
        let (pointer, block) = match (self.side, unique) {
            (Side::Host, false) => (from as u64, 0),
            (Side::Host, true) => self.copy(session, from, bytes)?,
            (Side::Device, unique) => self.upload(session, from, bytes, unique)?,
        };
        self.out.words.extend([pointer, block]);
        Ok(())
    }

    /// An array that is on the GPU; of one that may be overwritten there will be a copy.
    fn held(&mut self, session: &mut Session, held: &Held, unique: bool) -> Result<(), Refused> {
        assert_eq!(self.side, Side::Device, "a function for the processor gets an array on the GPU");
        let program = self.program.ok_or(Refused::Lost)?;
        for part in held.parts_for(program).map_err(|stop| stop.map_or(Refused::Lost, Refused::Stopped))? {
            if !unique {
                self.out.words.extend([part.address, 0]);
                continue;
            }
            let (address, block) = self.device_block(session, part.bytes as usize)?;
            self.out.copies.push((address, part));
            self.out.words.extend([address, block]);
        }
        Ok(())
    }

    /// Where the parts of an array lie, and how many bytes each has.
    fn array_parts(
        &mut self,
        session: &mut Session,
        elem: EntryElem,
        array: &'a Array<'a>,
    ) -> Result<Vec<(*const u8, usize)>, Refused> {
        let offsets = array.offsets().iter().map(|level| (level.as_ptr().cast(), size_of_val(&level[..])));
        let mut parts: Vec<(*const u8, usize)> = offsets.collect();
        parts.push(match array.elements() {
            Elements::Prim(data) => data_bytes(data),
            Elements::Ref(cells) => {
                let mut places = Vec::with_capacity(cells.len());
                for cell in cells.iter() {
                    places.push(self.cell(session, elem, *cell)?);
                }
                let part = (places.as_ptr().cast(), size_of_val(&places[..]));
                self.out.places.push(places);
                part
            }
        });
        debug_assert!(
            array.elements().is_empty()
                || parts.last().is_some_and(|(_, bytes)| *bytes >= elem_prim(elem).size())
        );
        Ok(parts)
    }

    fn copy(&mut self, session: &mut Session, from: *const u8, bytes: usize) -> Result<(u64, u64), Refused> {
        let block = session.alloc(bytes).ok_or(no_memory(bytes))?;
        self.out.blocks.push(block);
        // SAFETY: the block was just made.
        let to = unsafe { block_data(block) };
        // SAFETY: the part has so many bytes, the block has room for them, and nobody else knows it.
        unsafe { to.copy_from_nonoverlapping(from, bytes) };
        Ok((to as u64, block as u64))
    }

    fn upload(
        &mut self,
        session: &mut Session,
        from: *const u8,
        bytes: usize,
        unique: bool,
    ) -> Result<(u64, u64), Refused> {
        let (address, block) = self.device_block(session, bytes)?;
        // SAFETY: the part has so many bytes.
        let from = if bytes == 0 { &[] } else { unsafe { from_raw_parts(from, bytes) } };
        // SAFETY: the block was just made with room for so many bytes, and arguments are there until the call has ended, which is when lending ends.
        let sent =
            unsafe { if unique { session.upload(address, from) } else { session.lend(address, from) } };
        sent.map_err(Refused::Stopped)?;
        Ok((address, block))
    }

    fn device_block(&mut self, session: &mut Session, bytes: usize) -> Result<(u64, u64), Refused> {
        let block = session.device_alloc(bytes).map_err(Refused::Stopped)?;
        let block = block.ok_or(Refused::NoMemory { bytes: bytes as u64, on_gpu: true })?;
        self.out.blocks.push(block);
        // SAFETY: the block was just made.
        Ok((unsafe { block_address(block) }, block as u64))
    }

    /// Where a cell is in the region of its type, into which it is written with all that it leads to.
    fn cell(&mut self, session: &mut Session, elem: EntryElem, cell: u32) -> Result<u32, Refused> {
        let EntryElem::Ref(_, at) = elem else { return Ok(0) };
        if cell == NOWHERE {
            return Ok(0);
        }
        if let Some(place) = self.moved.get(&(at, cell)) {
            return Ok(*place);
        }
        let region = self.out.regions[&at];
        // First all get a place, so that a cell may lead to any other.
        let (mut reached, mut pending) = (Vec::new(), vec![cell]);
        while let Some(cell) = pending.pop() {
            if cell == NOWHERE || self.moved.contains_key(&(at, cell)) {
                continue;
            }
            let words = self.cell_words(cell);
            // SAFETY: the region was made by this session.
            let place = unsafe { session.cell_new(region, words as u64) }.ok_or(no_memory(words * 8))?;
            self.moved.insert((at, cell), place);
            reached.push(cell);
            for field in &self.values.cells[cell as usize].fields {
                match field {
                    Column::Ref(cell) => pending.push(*cell),
                    Column::Array(array) => {
                        if let Elements::Ref(cells) = array.elements() {
                            pending.extend(cells.iter());
                        }
                    }
                    Column::Scalar(_) | Column::Held(_) => {}
                }
            }
        }
        for cell in reached {
            let words = self.fields(session, at, cell)?;
            // SAFETY: the cell was made in the region, above.
            let to = unsafe { session.cell(region, self.moved[&(at, cell)]) };
            debug_assert_eq!(words.len(), self.cell_words(cell));
            // SAFETY: the cell has as many words as its fields need, and nobody else knows it.
            unsafe { to.copy_from_nonoverlapping(words.as_ptr(), words.len()) };
        }
        Ok(self.moved[&(at, cell)])
    }

    fn constructor(&self, cell: u32) -> (DataId, usize) {
        let cell = &self.values.cells[cell as usize];
        (cell.data, cell.constr)
    }

    /// The words of a cell whose refs all have places.
    fn fields(&mut self, session: &mut Session, region: usize, cell: u32) -> Result<Vec<u64>, Refused> {
        let (data, constr) = self.constructor(cell);
        let columns = &self.datas[data.0 as usize].constrs[constr].columns;
        let values = self.values;
        let layout = cell_layout(columns);
        let mut fixed = vec![0u8; 8 * layout.words];
        let mut put = |at: usize, bytes: &[u8]| fixed[at..at + bytes.len()].copy_from_slice(bytes);
        put(0, &(constr as u32).to_ne_bytes());
        // The elements of arrays come behind the columns.
        let mut behind: Vec<u64> = Vec::new();
        for ((field, ty), at) in values.cells[cell as usize].fields.iter().zip(columns).zip(layout.columns) {
            match field {
                // The low bytes come first.
                Column::Scalar(scalar) => put(at, &scalar.bits().to_le_bytes()[..scalar.prim().size()]),
                Column::Ref(NOWHERE) => put(at, &0u32.to_ne_bytes()),
                Column::Ref(cell) => put(at, &self.moved[&(region, *cell)].to_ne_bytes()),
                Column::Array(array) => {
                    let mut at = at;
                    if ty.dims().first() == Some(&Dim::Irregular) {
                        put(at, &(array.dims()[0].unwrap_or(0) as u64).to_ne_bytes());
                        at += 8;
                    }
                    let elem = match array.elements() {
                        Elements::Prim(data) => EntryElem::Prim(data.prim()),
                        Elements::Ref(_) => EntryElem::Ref(data, region),
                    };
                    for (from, bytes) in self.array_parts(session, elem, array)? {
                        let begin = behind.len();
                        put(at, &((8 * (layout.words + begin)) as u64).to_ne_bytes());
                        at += 8;
                        behind.resize(begin + bytes.div_ceil(8), 0);
                        // SAFETY: the part has so many bytes, and there is room for them now.
                        unsafe {
                            behind[begin..].as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(from, bytes)
                        };
                    }
                }
                Column::Held(_) => panic!("a cell with an array on the GPU"),
            }
        }
        let word = |bytes: &[u8]| u64::from_ne_bytes(bytes.try_into().unwrap_or_default());
        let mut words: Vec<u64> = fixed.chunks_exact(8).map(word).collect();
        words.append(&mut behind);
        Ok(words)
    }

    /// How many words a cell needs, with the elements of its arrays.
    fn cell_words(&self, cell: u32) -> usize {
        let (data, constr) = self.constructor(cell);
        let behind = |field: &Column| match field {
            Column::Array(array) => {
                let elements = match array.elements() {
                    Elements::Prim(data) => data_bytes(data).1,
                    Elements::Ref(cells) => size_of::<u32>() * cells.len(),
                };
                let offsets = array.offsets().iter().map(|level| level.len());
                offsets.sum::<usize>() + elements.div_ceil(8)
            }
            Column::Scalar(_) | Column::Ref(_) | Column::Held(_) => 0,
        };
        let fields = self.values.cells[cell as usize].fields.iter();
        let columns = &self.datas[data.0 as usize].constrs[constr].columns;
        cell_layout(columns).words + fields.map(behind).sum::<usize>()
    }
}

/// Of each column of the arguments, whether the program may overwrite it.
fn unique_columns(prog: &Prog, entry: &Entry) -> Vec<bool> {
    let columns = |param: &norn_ir::nest::EntryParam| {
        std::iter::repeat_n(param.unique, prog.ifaces[param.ty.0 as usize].columns.len())
    };
    entry.params.iter().flat_map(columns).collect()
}
