//! The words that an entry point has left, as columns.
//!
//! Everything is copied into the host's memory, so that nothing of a run is needed after it; but for regular arrays that are to stay
//! where they are: those take the block along that they are in, or are copied where others hold it, too.

use crate::arguments::{Arguments, Side};
use crate::bind::{parts, words};
use crate::column::{Cell, Column, Elements, NOWHERE, Values, cell_bytes};
use crate::held::{Held, HeldPart, Home, OnGpu};
use crate::instances::Instances;
use crate::memory::{Memory, Parts};
use crate::room::Room;
use norn_ir::imp::cells::cell_layout;
use norn_ir::imp::{Data, DataId, Entry, EntryDim, EntryElem, EntryType, Prim, Prog, Scalar};
use norn_ir::nest::{Atom, Dim, Elem, Type};
use norn_runtime::cpu::{Block, Detached, Region, Session, Stop, block_bytes};
use norn_runtime::gpu::{Halt, Program};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

/// What is known about a call that has ended well.
pub struct Results<'a> {
    prog: &'a Prog,
    entry: &'a Entry,
    side: Side,
    /// Of each argument, its first word.
    args: Vec<u64>,
    arguments: &'a Arguments,
    words: Vec<u64>,
    /// Of the columns, those that stay where they are.
    held: HashMap<usize, Held>,
}

/// An array whose elements lie side by side.
struct Regular {
    prim: Prim,
    dims: Vec<usize>,
    address: u64,
}

impl Regular {
    fn count(&self) -> usize {
        self.dims.iter().product()
    }

    fn bytes(&self) -> u64 {
        bytes(self.count(), self.prim)
    }
}

/// What is given to a result of a few bytes does not matter.
const SMALL: u64 = 64 << 10;

impl<'a> Results<'a> {
    pub fn new(
        prog: &'a Prog,
        entry: &'a Entry,
        side: Side,
        arguments: &'a Arguments,
        words: Vec<u64>,
    ) -> Results<'a> {
        let args = first_words(entry, &arguments.words);
        Results { prog, entry, side, args, arguments, words, held: HashMap::new() }
    }

    /// Holds large regular arrays that are in blocks of their own, instead of having them read.
    ///
    /// # Safety
    /// The words are what the entry point has left, and nothing was released yet.
    pub unsafe fn take_over(&mut self, session: &mut Session) {
        // SAFETY: as the caller promises.
        let taken = unsafe { self.detach(session) };
        for (column, array, detached) in taken {
            if let Detached::Host(block) = detached {
                self.hold(column, array, Home::Host { owner: Arc::new(block) });
            }
        }
    }

    /// The same on the GPU.
    ///
    /// # Safety
    /// As for `take_over`.
    pub unsafe fn take_over_remote(&mut self, session: &mut Session, instances: &Arc<Instances>) {
        let mut homes: Vec<OnGpu> = Vec::new();
        for _ in self.columns() {
            // What is lost is not held, and whoever reads it gets an error.
            let Some(home) = OnGpu::new(instances) else { return };
            homes.push(home);
        }
        // SAFETY: as the caller promises.
        let taken = unsafe { self.detach(session) };
        for ((column, array, detached), mut home) in taken.into_iter().zip(homes) {
            if let Detached::Device(address) = detached {
                home.add(address);
                self.hold(column, array, Home::Gpu(home));
            }
        }
    }

    /// Holds copies of the regular arrays on the GPU that are not held yet, as far as there is memory.
    pub fn copy_rest(&mut self, program: &Program, instances: &Arc<Instances>) -> Result<(), Halt> {
        for (column, at, array) in self.arrays() {
            if self.held.contains_key(&column) {
                continue;
            }
            let Some(mut home) = OnGpu::new(instances) else { return Ok(()) };
            let bytes = array.bytes();
            let Some(piece) = program.obtain(bytes).map_err(Halt::Trouble)? else { continue };
            home.add(piece.address);
            program.copy(piece.address, self.words[at], bytes)?;
            self.hold(column, Regular { address: piece.address, ..array }, Home::Gpu(home));
        }
        Ok(())
    }

    fn hold(&mut self, column: usize, array: Regular, home: Home) {
        let part = HeldPart { address: array.address, count: array.count(), bytes: array.bytes() };
        let dims = array.dims.into_iter().map(Some).collect();
        self.held.insert(column, Held::new(array.prim, dims, vec![part], home));
    }

    /// Takes the blocks of regular arrays from the program that nobody else holds, and that are not much larger than the array.
    ///
    /// # Safety
    /// The words are what the entry point has left, and nothing was released yet.
    unsafe fn detach(&mut self, session: &mut Session) -> Vec<(usize, Regular, Detached)> {
        let mut taken = Vec::new();
        for (column, at, array) in self.arrays() {
            let block = self.words[at + 1] as usize as *mut Block;
            // SAFETY: a block that the entry point has left exists, and is held once for each result that it is part of.
            unsafe {
                if block.is_null() || block_bytes(block) / 2 > array.bytes().max(SMALL) {
                    continue;
                }
                if let Some(detached) = session.detach(block) {
                    self.words[at + 1] = 0;
                    taken.push((column, array, detached));
                }
            }
        }
        taken
    }

    /// The regular arrays of numbers among the columns: their numbers, and where their words begin.
    fn arrays(&self) -> Vec<(usize, usize, Regular)> {
        let mut found = Vec::new();
        for (column, (ty, at)) in self.columns().enumerate() {
            let EntryType::Value(EntryElem::Prim(prim), dims) = ty else { continue };
            let dims: Option<Vec<usize>> = dims.iter().map(|dim| self.size(dim)).collect();
            if let Some(dims) = dims.filter(|dims| !dims.is_empty()) {
                found.push((column, at, Regular { prim: *prim, dims, address: self.words[at] }));
            }
        }
        found
    }

    /// The blocks that the results hold.
    pub fn blocks(&self) -> Vec<*mut Block> {
        let mut blocks = Vec::new();
        for (ty, at) in self.entry.rets.iter().zip(starts(self.entry)) {
            if matches!(ty, EntryType::Value(_, dims) if !dims.is_empty()) {
                let words = &self.words[at..at + words(ty)];
                blocks.extend(words.chunks_exact(2).map(|part| part[1] as usize as *mut Block));
            }
        }
        blocks
    }

    /// The columns of the entry point's result.
    ///
    /// # Safety
    /// The words are what the entry point has left, and nothing was released yet.
    pub unsafe fn read(&self, session: &mut Session, room: &Room) -> Result<Values<'static>, Stop> {
        let mut cells = Cells {
            datas: &self.prog.datas,
            found: HashMap::new(),
            cells: Vec::new(),
            pending: Vec::new(),
            room,
        };
        let mut columns = Vec::new();
        for (number, (ty, at)) in self.columns().enumerate() {
            if let Some(held) = self.held.get(&number) {
                columns.push(Column::Held(held.clone()));
                continue;
            }
            let words = &self.words[at..at + words(ty)];
            columns.push(match ty {
                EntryType::Region => Column::Ref(NOWHERE),
                EntryType::Value(elem, dims) if dims.is_empty() => match elem {
                    EntryElem::Prim(prim) => Column::Scalar(scalar(*prim, words[0])),
                    EntryElem::Ref(data, region) => {
                        Column::Ref(cells.find(*data, self.arguments.regions[region], words[0] as u32))
                    }
                },
                EntryType::Value(elem, dims) => {
                    let parts = Parts { dims: dims.iter().map(|dim| self.size(dim)).collect(), words };
                    let elem = match elem {
                        EntryElem::Prim(prim) => Element::Prim(*prim),
                        EntryElem::Ref(data, region) => Element::Ref(*data, self.arguments.regions[region]),
                    };
                    // SAFETY: it is asked for the parts that the entry point has left, which are there, as the caller promises.
                    let mut download = |to: &mut [u8], from| unsafe { session.download(to, from) };
                    let mut memory = match self.side {
                        Side::Host => Memory::Host,
                        Side::Device => Memory::Device(&mut download),
                    };
                    // SAFETY: the words are what the entry point has left, as the caller promises, so their parts are there.
                    unsafe { cells.array(&mut memory, parts, elem) }?
                }
            });
        }
        // SAFETY: the cells that were found were left by the program, and nothing was released yet.
        unsafe { cells.read_pending(session) }?;
        Ok(Values { columns, cells: cells.cells })
    }

    /// The types of the result's columns, and where the words of each begin.
    fn columns(&self) -> impl Iterator<Item = (&'a EntryType, usize)> + use<'a> {
        let columns = self.prog.ifaces[self.entry.result.0 as usize].columns.len();
        self.entry.rets.iter().zip(starts(self.entry)).skip(self.entry.rets.len() - columns)
    }

    fn size(&self, dim: &EntryDim) -> Option<usize> {
        let word = match dim {
            EntryDim::Irregular => return None,
            EntryDim::Const(size) => *size,
            EntryDim::Arg(at) => self.args[*at] as i64,
            EntryDim::Result(at) => starts(self.entry).nth(*at).map_or(0, |start| self.words[start] as i64),
        };
        // A size that is not there has no meaning, but is none that is negative.
        Some(usize::try_from(word).unwrap_or(0))
    }
}

/// Where the words of each result begin.
fn starts(entry: &Entry) -> impl Iterator<Item = usize> {
    entry.rets.iter().scan(0, |next, ty| {
        let start = *next;
        *next += words(ty);
        Some(start)
    })
}

/// Of each argument, its first word: sizes are scalars.
fn first_words(entry: &Entry, all: &[u64]) -> Vec<u64> {
    let mut at = 0;
    let first = |ty| {
        let word = all[at];
        at += words(ty);
        word
    };
    entry.args.iter().map(first).collect()
}

/// What an array has, and where its refs lead.
#[derive(Clone, Copy)]
enum Element {
    Prim(Prim),
    Ref(DataId, *mut Region),
}

/// The cells that results lead to, as they are found.
struct Cells<'a> {
    datas: &'a [Data],
    found: HashMap<(*mut Region, u32), u32>,
    cells: Vec<Cell<'static>>,
    /// Cells that have a number, but no fields yet.
    pending: Vec<(*mut Region, u32, u32)>,
    room: &'a Room<'a>,
}

impl Cells<'_> {
    /// The number of a cell on the host's side.
    fn find(&mut self, data: DataId, region: *mut Region, cell: u32) -> u32 {
        // Null, as programs write it.
        if cell == 0 {
            return NOWHERE;
        }
        if let Some(number) = self.found.get(&(region, cell)) {
            return *number;
        }
        let number = self.cells.len() as u32;
        self.found.insert((region, cell), number);
        self.cells.push(Cell { data, constr: 0, fields: Vec::new() });
        self.pending.push((region, cell, number));
        number
    }

    /// Reads the fields of all cells that were found, which leads to more.
    ///
    /// # Safety
    /// The cells were left by the program, and nothing was released yet.
    unsafe fn read_pending(&mut self, session: &Session) -> Result<(), Stop> {
        while let Some((region, cell, number)) = self.pending.pop() {
            // SAFETY: refs that a program makes lead to cells of the region that their type names, and it was not released yet.
            let words = unsafe { session.cell(region, cell) };
            let data = self.cells[number as usize].data;
            let constrs = &self.datas[data.0 as usize].constrs;
            // SAFETY: a cell begins with the number of its constructor.
            let constr = unsafe { *words.cast::<u32>() } as usize;
            let columns = &constrs
                .get(constr)
                .unwrap_or_else(|| panic!("a cell of {data:?} has no constructor"))
                .columns;
            self.room.take(cell_bytes(columns.len()))?;
            let mut fields = Vec::with_capacity(columns.len());
            for (ty, at) in columns.iter().zip(cell_layout(columns).columns) {
                // SAFETY: the cell has this column there.
                fields.push(unsafe { self.field(ty, region, words.cast(), at) }?);
            }
            self.cells[number as usize] = Cell { data, constr, fields };
        }
        Ok(())
    }

    /// A field of a cell, which begins at this byte.
    ///
    /// # Safety
    /// The cell is one of the region, and has a column of this type there.
    unsafe fn field(
        &mut self,
        ty: &Type,
        region: *mut Region,
        cell: *const u8,
        at: usize,
    ) -> Result<Column<'static>, Stop> {
        // SAFETY: the column is there, as the caller promises, and has so many bytes.
        let word = |at: usize, bytes: usize| unsafe {
            let mut word = [0; 8];
            word[..bytes].copy_from_slice(std::slice::from_raw_parts(cell.add(at), bytes));
            // The low bytes come first.
            u64::from_le_bytes(word)
        };
        let element = match ty.elem() {
            Some(Elem::Prim(prim)) => Element::Prim(prim),
            Some(Elem::Ref(data, _)) => Element::Ref(data, region),
            None => panic!("a field that is no value"),
        };
        if !ty.is_array() {
            return Ok(match element {
                Element::Prim(prim) => Column::Scalar(scalar(prim, word(at, prim.size()))),
                Element::Ref(data, region) => Column::Ref(self.find(data, region, word(at, 4) as u32)),
            });
        }
        let mut at = at;
        let mut next = || {
            at += 8;
            word(at - 8, 8)
        };
        let mut dims: Vec<Option<usize>> = ty.dims().iter().map(constant).collect();
        if dims[0].is_none() {
            dims[0] = Some(next() as usize);
        }
        let count = parts(ty.dims().iter().map(|dim| *dim == Dim::Irregular));
        let words: Vec<u64> = (0..count).flat_map(|_| [(cell as u64).wrapping_add(next()), 0]).collect();
        // SAFETY: the words of a column say how far behind the cell its parts are, which are in the region.
        unsafe { self.array(&mut Memory::Host, Parts { dims, words: &words }, element) }
    }

    /// # Safety
    /// The parts are there, in this memory, with elements of that type.
    unsafe fn array(
        &mut self,
        memory: &mut Memory,
        parts: Parts,
        element: Element,
    ) -> Result<Column<'static>, Stop> {
        let room = self.room;
        // Of more than one `?`, the outermost has to do.
        let regular = parts.dims.split(Option::is_none).next().unwrap_or_default();
        if regular.len() < parts.dims.len() {
            room.take(bytes(regular.iter().flatten().product(), Prim::I64))?;
        }
        // SAFETY: the parts are there, as the caller promises.
        let array = unsafe {
            parts.read(memory, |memory, from, start, count| match element {
                Element::Prim(prim) => {
                    room.take(bytes(count, prim))?;
                    Ok(Elements::Prim(Cow::Owned(memory.read_data(prim, from, start, count)?)))
                }
                Element::Ref(data, region) => {
                    room.take(bytes(count, Prim::U32))?;
                    let cells: Vec<u32> = memory.read(from, start, count)?;
                    Ok(Elements::Ref(cells.into_iter().map(|cell| self.find(data, region, cell)).collect()))
                }
            })
        };
        array.map(Column::Array)
    }
}

fn bytes(count: usize, prim: Prim) -> u64 {
    (count as u64).saturating_mul(prim.size() as u64)
}

fn constant(dim: &Dim) -> Option<usize> {
    match dim {
        Dim::Size(Atom::Const(Scalar::I64(size))) => usize::try_from(*size).ok(),
        Dim::Size(_) | Dim::Irregular | Dim::Result(_) => None,
    }
}

fn scalar(prim: Prim, word: u64) -> Scalar {
    // Only the low bytes have a meaning.
    let bits = prim.size() as u32 * 8;
    let word = if bits < 64 { word & ((1 << bits) - 1) } else { word };
    let word = if prim == Prim::Bool { u64::from(word != 0) } else { word };
    Scalar::from_bits(prim, word).unwrap_or_else(|| panic!("{word:#x} is no {}", prim.name()))
}
