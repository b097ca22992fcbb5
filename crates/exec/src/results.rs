//! The words that an entry point has left, as columns.
//!
//! Everything is copied into the host's memory, so that nothing of a run is needed after it.

use crate::arguments::column_words;
use crate::bind::words;
use crate::column::{Cell, Column, Elements, NOWHERE, Values};
use crate::memory::{Parts, read, read_data};
use norn_ir::imp::{Data, DataId, Entry, EntryDim, EntryElem, EntryType, Prog, Scalar};
use norn_ir::nest::{Atom, Dim, Elem, Type};
use norn_runtime::cpu::{Block, Region, Session};
use std::borrow::Cow;
use std::collections::HashMap;

/// What is known about a call that has ended well.
pub struct Results<'a> {
    pub prog: &'a Prog,
    pub entry: &'a Entry,
    pub session: &'a Session<'a>,
    /// Of each argument, its first word.
    pub args: Vec<u64>,
    pub regions: &'a HashMap<usize, *mut Region>,
    pub words: &'a [u64],
}

/// The blocks that the results hold.
pub fn result_blocks(entry: &Entry, results: &[u64]) -> Vec<*mut Block> {
    let mut blocks = Vec::new();
    let mut at = 0;
    for ty in &entry.rets {
        let count = words(ty);
        if matches!(ty, EntryType::Value(_, dims) if !dims.is_empty()) {
            blocks.extend(results[at..at + count].chunks_exact(2).map(|part| part[1] as usize as *mut Block));
        }
        at += count;
    }
    blocks
}

impl Results<'_> {
    /// The columns of the entry point's result.
    ///
    /// # Safety
    /// The words are what the entry point has left, and nothing was released yet.
    pub unsafe fn read(&self) -> Values<'static> {
        let wanted = self.prog.ifaces[self.entry.result.0 as usize].columns.len();
        let first = self.entry.rets.len() - wanted;
        let mut cells =
            Cells { datas: &self.prog.datas, found: HashMap::new(), cells: Vec::new(), pending: Vec::new() };
        let mut columns = Vec::with_capacity(wanted);
        for (ty, at) in self.entry.rets.iter().zip(self.starts()).skip(first) {
            let words = &self.words[at..at + words(ty)];
            columns.push(match ty {
                EntryType::Region => Column::Ref(NOWHERE),
                EntryType::Value(elem, dims) if dims.is_empty() => match elem {
                    EntryElem::Prim(prim) => Column::Scalar(scalar(*prim, words[0])),
                    EntryElem::Ref(data, region) => {
                        Column::Ref(cells.find(*data, self.regions[region], words[0] as u32))
                    }
                },
                EntryType::Value(elem, dims) => {
                    let parts = Parts { dims: dims.iter().map(|dim| self.size(dim)).collect(), words };
                    let elem = match elem {
                        EntryElem::Prim(prim) => Element::Prim(*prim),
                        EntryElem::Ref(data, region) => Element::Ref(*data, self.regions[region]),
                    };
                    unsafe { cells.array(parts, elem) }
                }
            });
        }
        unsafe { cells.read_pending(self.session) };
        Values { columns, cells: cells.cells }
    }

    /// Where the words of each result begin.
    fn starts(&self) -> impl Iterator<Item = usize> {
        self.entry.rets.iter().scan(0, |next, ty| {
            let start = *next;
            *next += words(ty);
            Some(start)
        })
    }

    fn size(&self, dim: &EntryDim) -> Option<usize> {
        let word = match dim {
            EntryDim::Irregular => return None,
            EntryDim::Const(size) => *size,
            EntryDim::Arg(at) => self.args[*at] as i64,
            EntryDim::Result(at) => self.starts().nth(*at).map_or(0, |start| self.words[start] as i64),
        };
        // A size that is not there has no meaning, but is none that is negative.
        Some(usize::try_from(word).unwrap_or(0))
    }
}

/// What an array has, and where its refs lead.
#[derive(Clone, Copy)]
enum Element {
    Prim(norn_ir::imp::Prim),
    Ref(DataId, *mut Region),
}

/// The cells that results lead to, as they are found.
struct Cells<'a> {
    datas: &'a [Data],
    found: HashMap<(*mut Region, u32), u32>,
    cells: Vec<Cell<'static>>,
    /// Cells that have a number, but no fields yet.
    pending: Vec<(*mut Region, u32, u32)>,
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
    unsafe fn read_pending(&mut self, session: &Session) {
        while let Some((region, cell, number)) = self.pending.pop() {
            let words = unsafe { session.cell(region, cell) };
            let data = self.cells[number as usize].data;
            let constrs = &self.datas[data.0 as usize].constrs;
            let constr = unsafe { *words } as usize;
            let columns = &constrs
                .get(constr)
                .unwrap_or_else(|| panic!("a cell of {data:?} has no constructor"))
                .columns;
            let mut fields = Vec::with_capacity(columns.len());
            let mut at = 1;
            for ty in columns {
                let count = column_words(ty) as usize;
                let words = unsafe { std::slice::from_raw_parts(words.add(at), count) };
                fields.push(unsafe { self.field(ty, region, words) });
                at += count;
            }
            self.cells[number as usize] = Cell { data, constr, fields };
        }
    }

    unsafe fn field(&mut self, ty: &Type, region: *mut Region, words: &[u64]) -> Column<'static> {
        let element = match ty.elem() {
            Some(Elem::Prim(prim)) => Element::Prim(prim),
            Some(Elem::Ref(data, _)) => Element::Ref(data, region),
            None => panic!("a field that is no value"),
        };
        if !ty.is_array() {
            return match element {
                Element::Prim(prim) => Column::Scalar(scalar(prim, words[0])),
                Element::Ref(data, region) => Column::Ref(self.find(data, region, words[0] as u32)),
            };
        }
        let mut words = words;
        let mut dims: Vec<Option<usize>> = ty.dims().iter().map(constant).collect();
        if dims[0].is_none() {
            dims[0] = Some(words[0] as usize);
            words = &words[1..];
        }
        unsafe { self.array(Parts { dims, words }, element) }
    }

    unsafe fn array(&mut self, parts: Parts, element: Element) -> Column<'static> {
        let array = unsafe {
            parts.read(|from, start, count| match element {
                Element::Prim(prim) => Elements::Prim(Cow::Owned(read_data(prim, from, start, count))),
                Element::Ref(data, region) => {
                    let cells: Vec<u32> = read(from, start, count);
                    Elements::Ref(cells.into_iter().map(|cell| self.find(data, region, cell)).collect())
                }
            })
        };
        Column::Array(array.unwrap_or_else(|| panic!("an array whose parts do not fit together")))
    }
}

fn constant(dim: &Dim) -> Option<usize> {
    match dim {
        Dim::Size(Atom::Const(Scalar::I64(size))) => usize::try_from(*size).ok(),
        Dim::Size(_) | Dim::Irregular | Dim::Result(_) => None,
    }
}

fn scalar(prim: norn_ir::imp::Prim, word: u64) -> Scalar {
    // Only the low bytes have a meaning.
    let bits = prim.size() as u32 * 8;
    let word = if bits < 64 { word & ((1 << bits) - 1) } else { word };
    let word = if prim == norn_ir::imp::Prim::Bool { u64::from(word != 0) } else { word };
    Scalar::from_bits(prim, word).unwrap_or_else(|| panic!("{word:#x} is no {}", prim.name()))
}
