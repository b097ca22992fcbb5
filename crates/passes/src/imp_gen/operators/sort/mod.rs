//! Radix sort, from the least significant digit on: a key goes to where the keys with smaller digits end. Each pass
//! is stable.
//!
//! Keys are handled as bits. Of these the *rank* is made whenever a digit is needed (`rank`), so that a key is never changed: NaNs come
//! out as they went in. If the former indices are needed, each key moves together with its own.
//!
//! - `thread` sorts in one thread, few keys by insertion;
//! - `grid` deals keys out by their first digit in parallel, and then sorts what has the same one in one thread each;
//! - the device's way is in `device/sort`.

mod grid;
pub mod rank;
mod thread;

use super::launch::Grid;
use crate::imp_gen::repr::{Array, Repr, prim_of};
use crate::imp_gen::state::Gen;
use norn_ir::imp::{Elem, Exp, LoopForm, Prim, Type, Var as ImpVar};
use norn_ir::nest::{Atom, Sorted, Var};
use rank::{DIGIT_BITS, bits_of};

/// `sort`. The variables are the keys, if they are needed, and the places, if they are.
pub struct Sort<'a> {
    pub width: Atom,
    pub keys: Var,
    pub yields: Sorted,
    pub vars: &'a [Var],
}

/// What is sorted: keys of a type, with their places or without.
#[derive(Clone, Copy)]
pub struct KeyKind {
    pub prim: Prim,
    pub places: bool,
}

impl KeyKind {
    /// A key as it lies in memory.
    pub fn bits(self) -> Prim {
        bits_of(self.prim)
    }

    pub fn key_elem(self) -> Elem {
        Elem::Prim(self.bits())
    }

    /// How many digits a key has.
    pub fn digits(self) -> i64 {
        self.bits().size() as i64 * 8 / DIGIT_BITS
    }
}

/// Where sorted keys and their places go.
pub struct SortedArrays {
    pub keys: Array,
    pub places: Option<Array>,
    /// The results, the places they are to lie in, and the arrays they are sorted in.
    results: Vec<(Var, Array, Array)>,
}

const PLACE: Elem = Elem::Prim(Prim::I64);

/// Pointers to keys, and to the places that they had.
#[derive(Clone)]
struct Records {
    keys: Exp,
    /// Not there: a key is where it was.
    places: Option<Exp>,
}

impl Records {
    fn at(&self, kind: KeyKind, index: &Exp) -> Records {
        Records {
            keys: Exp::offset(kind.key_elem(), self.keys.clone(), index.clone()),
            places: self.places.clone().map(|places| Exp::offset(PLACE, places, index.clone())),
        }
    }

    fn reprs(&self) -> Vec<Repr> {
        [Some(&self.keys), self.places.as_ref()].into_iter().flatten().cloned().map(Repr::Scalar).collect()
    }

    fn inside(&self, given: &mut dyn Iterator<Item = Repr>) -> Records {
        let keys = scalar_inside(given.next());
        let places = self.places.as_ref().map(|_| scalar_inside(given.next()));
        Records { keys, places }
    }
}

/// Pointers that are set again and again.
#[derive(Clone, Copy)]
struct Cursor {
    keys: ImpVar,
    places: Option<ImpVar>,
}

impl From<Cursor> for Records {
    fn from(cursor: Cursor) -> Records {
        Records { keys: cursor.keys.into(), places: cursor.places.map(Exp::Var) }
    }
}

impl Gen<'_> {
    pub fn sort(&mut self, sort: &Sort, grid: Option<&Grid>) {
        let width = self.scalar(sort.width);
        let kind = self.sorted_kind(sort);
        let source = self.keys_in_memory(sort.keys);
        let sorted = self.sorted_arrays(sort, kind, &width);
        let out = self.records(kind, &sorted.keys, sorted.places.as_ref());
        let spare_keys = self.new_array_named("spare", kind.bits(), std::slice::from_ref(&width), "sort");
        let spare_places = kind
            .places
            .then(|| self.new_array_named("spare", Prim::I64, std::slice::from_ref(&width), "sort"));
        let spare = self.records(kind, &spare_keys, spare_places.as_ref());
        let source = Records { keys: self.key_pointer(kind, &source), places: None };
        match grid {
            Some(grid) => self.sort_in_grid(kind, &source, &out, &spare, &width, grid),
            None => self.sort_in_thread(kind, &source, &out, &spare, &width),
        }
        self.bind_sorted(sorted);
    }

    pub fn sorted_kind(&self, sort: &Sort) -> KeyKind {
        let prim = prim_of(self.ty(sort.keys).elem().expect("imp_gen: a sort of no values"));
        KeyKind { prim, places: sort.yields.has_places() }
    }

    /// The keys one after the other in memory.
    pub fn keys_in_memory(&mut self, keys: Var) -> Array {
        let keys = self.array(keys);
        if keys.counted.is_none() && keys.lead[0].stride.as_i64() == Some(1) {
            return keys;
        }
        self.copy_array("keys", &keys, "sort")
    }

    /// Arrays for the results; keys that nobody needs are sorted nevertheless.
    pub fn sorted_arrays(&mut self, sort: &Sort, kind: KeyKind, width: &Exp) -> SortedArrays {
        let size = std::slice::from_ref(width);
        let mut results = Vec::new();
        let mut make = |this: &mut Self, var: Var, prim: Prim| {
            let place = this.new_array(var, prim, size, "sort");
            // Its place may be a column of another array, which is not contiguous.
            let array = match place.lead[0].stride.as_i64() {
                Some(1) => place.clone(),
                Some(_) | None => this.new_array_named("sorted", prim, size, "sort"),
            };
            results.push((var, place, array.clone()));
            array
        };
        let keys = match sort.yields.has_keys() {
            true => make(self, sort.vars[0], kind.prim),
            false => self.new_array_named("keys", kind.prim, size, "sort"),
        };
        let var = sort.vars.last().filter(|_| kind.places);
        let places = var.map(|var| make(self, *var, Prim::I64));
        SortedArrays { keys, places, results }
    }

    pub fn bind_sorted(&mut self, sorted: SortedArrays) {
        for (var, place, array) in sorted.results {
            self.copy_into(&place, &array);
            self.bind(var, Repr::Array(place));
        }
    }

    /// The keys of an array as bits.
    pub fn key_pointer(&mut self, kind: KeyKind, keys: &Array) -> Exp {
        match keys.prim == kind.bits() {
            true => keys.data.ptr.clone(),
            false => self.code.bind("bits", Exp::cast(kind.key_elem(), keys.data.ptr.clone())).into(),
        }
    }

    fn records(&mut self, kind: KeyKind, keys: &Array, places: Option<&Array>) -> Records {
        Records { keys: self.key_pointer(kind, keys), places: places.map(|array| array.data.ptr.clone()) }
    }

    /// Set to these, which need not have places that are known.
    fn new_cursor(&mut self, kind: KeyKind, name: &str) -> Cursor {
        let keys = self.code.new_var(name, Type::Ptr(kind.key_elem()));
        let places = kind.places.then(|| self.code.new_var(name, Type::Ptr(PLACE)));
        Cursor { keys, places }
    }

    fn set_cursor(&mut self, cursor: Cursor, records: &Records) {
        self.code.set(cursor.keys, records.keys.clone());
        if let (Some(var), Some(places)) = (cursor.places, &records.places) {
            self.code.set(var, places.clone());
        }
    }

    /// One or the other, as a condition says.
    fn choose_cursor(&mut self, cursor: Cursor, cond: &Exp, yes: &Records, no: &Records) {
        self.code.open();
        self.set_cursor(cursor, yes);
        let then = self.code.close();
        self.code.open();
        self.set_cursor(cursor, no);
        let els = self.code.close();
        self.code.if_(cond.clone(), then, els);
    }

    /// The keys are in order as they are.
    fn copy_records(&mut self, kind: KeyKind, from: &Records, to: &Records, count: &Exp) {
        self.code.copy(kind.key_elem(), to.keys.clone(), from.keys.clone(), count.clone());
        match (&from.places, &to.places) {
            (Some(from), Some(to)) => self.code.copy(PLACE, to.clone(), from.clone(), count.clone()),
            (None, Some(to)) => self.each(0, count.clone(), LoopForm::Independent, &mut |this, i| {
                this.code.store(PLACE, to.clone(), i.clone(), i);
            }),
            (Some(_) | None, None) => {}
        }
    }
}

fn scalar_inside(given: Option<Repr>) -> Exp {
    match given {
        Some(Repr::Scalar(exp)) => exp,
        Some(Repr::Array(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert) | None => {
            panic!("imp_gen: a pointer was handed to a kernel as something else")
        }
    }
}
