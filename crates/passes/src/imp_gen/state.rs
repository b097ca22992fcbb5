//! `Gen`, the state of the translation from nest to imp: the program in the making, the current function, and where its variables are.
//!
//! `Gen` translates one function; its methods are in the other files, by subject.
//! - `Where` is where the code runs (on the processor, on the host of a device, in a thread, in a group of threads). It decides whether an operator
//!   is a loop or a launch, and in whose memory a new array is.
//! - `env` maps each variable of nest to its representation (`repr`), `owners` knows who releases its memory, `places` where it is to be
//!   computed, and `code` collects the statements.
//! - `Output` is what functions have in common: kernels, sites, and what is refused (`Unsupported`).
//!
//! Here are only the steps that all other files need: looking up a variable, binding one, and allocating an array.

use super::device::filter::Filters;
use super::device::from_nest::KernelForm;
use super::device::groups::Pool;
use super::owners::{OwnerId, Owners};
use super::repr::{Array, Lead, Part, Repr, prim_of};
use super::short_circuit::Reserved;
use super::updates::Updates;
use norn_base::Span;
use norn_ir::failure::CheckKind;
use norn_ir::imp::build::{CodeBuilder, KernelVars, Sites};
use norn_ir::imp::{self, DeviceStmt, Elem, Exp, Prim, SiteId, SiteKind, Type};
use norn_ir::nest::grids::{HOST, THREAD};
use norn_ir::nest::{self, Atom, Dim, Side, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;

pub struct Gen<'a> {
    pub prog: &'a nest::Prog,
    pub fun: &'a nest::Fun,
    pub code: CodeBuilder,
    pub env: FxHashMap<Var, Repr>,
    /// Scalars that stay on the device: each is the one element of an array there.
    pub away: FxHashMap<Var, Array>,
    pub owners: Owners,
    /// The places in which variables that are not bound yet are to be computed.
    pub places: FxHashMap<Var, Array>,
    /// Of lengths, where rows of these lengths begin and end on the device, and how deep the scope is that computed it.
    pub offsets: FxHashMap<Var, (Part, usize)>,
    /// Filters at work whose counts are read at once.
    pub filters: Option<Filters>,
    /// Pointers to offsets of which the first is 0.
    pub from_zero: FxHashSet<imp::Var>,
    /// Arrays of sums of lengths on the device, which may have been too large to be counted.
    pub sums: FxHashSet<Var>,
    /// Concatenations whose memory was made before their statement.
    pub reserved: FxHashMap<Var, Reserved>,
    /// Arrays that kernels make and that are transposed at once (`device::layouts`), by so many dimensions; and, of those that are made so, the layout that transposing
    /// them yields.
    pub transposed_at_once: FxHashMap<Var, usize>,
    pub made_transposed: FxHashMap<Var, Vec<Lead>>,
    /// Of a host function, by the operators in its body.
    pub kernels: &'a FxHashMap<*const nest::Operator, KernelForm>,
    /// Variables whose arrays are not made.
    pub counted_vars: &'a FxHashSet<Var>,
    /// Variables that the function mentions somewhere behind their statements.
    pub used_vars: &'a FxHashSet<Var>,
    /// Of the group whose code is made.
    pub pool: Option<Pool>,
    /// How many threads the groups of the kernel have whose code is made.
    pub group_size: i64,
    /// The rows of the part of a task whose code is made: where they begin and end.
    pub part: Option<KernelVars>,
    /// How many these are, and how many the whole task has.
    pub own_rows: OwnRows,
    /// About how many elements the task works on that is planned next.
    pub task_elements: Exp,
    /// How many rows of a part groups of threads do at once, as far as is known.
    pub grain: i64,
    /// Arrays of all parts of a task, which its parts write rows of, and nobody reads before they are done; and where in them values lie that update them.
    pub rooms: FxHashSet<Var>,
    pub updates_in_place: FxHashMap<Var, Array>,
    /// What is known of the function that may be computed where it belongs; made when it is asked for, since most functions update nothing.
    pub updates: OnceCell<Updates<'a>>,
    /// Where arrays that a part writes to are on devices, if its code is made for the processor.
    pub written_by_part: FxHashMap<Var, Array>,
    /// How many operators and kernels are around: what is inside one does not run in parallel by itself.
    pub inside_loops: usize,
    /// Whether loops may do rows side by side (`device/jam`), and how often they do.
    pub may_jam: bool,
    pub jams: usize,
    pub at: Where,
    /// Of the statement at work.
    pub span: Span,
    pub out: &'a mut Output,
}

/// Where a part begins, how many rows it has, and how many the task; nothing outside of parts.
#[derive(Clone, Default)]
pub struct OwnRows {
    pub from: Option<Exp>,
    pub count: Option<Exp>,
    pub whole: Option<Exp>,
}

/// What runs the code that is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Where {
    /// The processor, which can call, launch and allocate anywhere.
    Cpu,
    /// The host of a device: all arrays are on the device.
    Host,
    /// A thread of the device.
    Thread,
    /// All threads of a group together.
    Group,
}

impl Where {
    pub fn of(fun: &nest::Fun) -> Where {
        let is = |attr: &str| fun.attrs.iter().any(|given| given == attr);
        match (is(HOST), is(THREAD)) {
            (true, _) => Where::Host,
            (false, true) => Where::Thread,
            (false, false) => Where::Cpu,
        }
    }
}

/// What a program is made of, beside its functions.
#[derive(Default)]
pub struct Output {
    pub kernels: Vec<imp::Kernel>,
    pub group_kernels: Vec<imp::GroupKernel>,
    pub sites: Sites,
    pub unsupported: Vec<Unsupported>,
    /// Whether several devices share the work.
    pub shares_work: bool,
}

/// What cannot be translated, and where it stands.
#[derive(Clone, PartialEq, Debug)]
pub struct Unsupported {
    pub what: String,
    pub span: Span,
}

impl<'a> Gen<'a> {
    // # Variables

    pub fn ty(&self, var: Var) -> &'a nest::Type {
        &self.fun.vars[var.0 as usize].ty
    }

    pub fn name(&self, var: Var) -> &'a str {
        &self.fun.vars[var.0 as usize].name
    }

    pub fn repr(&self, var: Var) -> &Repr {
        let repr = self.env.get(&var);
        repr.unwrap_or_else(|| panic!("imp_gen: {} has no value in {}", self.name(var), self.fun.name))
    }

    /// The value of a variable, whose memory is what these owners keep.
    pub fn bind(&mut self, var: Var, repr: Repr) {
        if let Repr::Array(array) = &repr {
            self.join_owners(array, var);
        }
        self.env.insert(var, repr);
    }

    /// The memory of the array is kept as long as the variable is used.
    fn join_owners(&mut self, array: &Array, var: Var) {
        let owners: Vec<OwnerId> = array.parts().filter_map(|part| part.owner).collect();
        owners.into_iter().for_each(|owner| self.owners.join(owner, var));
    }

    /// A scalar that is the one element of this array on the device. The host reads it, unless only kernels need it.
    pub fn bind_on_device(&mut self, var: Var, array: Array) {
        if self.fun.vars[var.0 as usize].side == Some(Side::Device) {
            self.join_owners(&array, var);
            self.away.insert(var, array);
        } else {
            let value = self.element(&array, Exp::i64(0));
            self.bind(var, Repr::Scalar(value));
        }
    }

    /// A scalar that is computed now.
    pub fn bind_scalar(&mut self, var: Var, exp: Exp) {
        let exp = self.code.atom(self.name(var), exp);
        self.bind(var, Repr::Scalar(exp));
    }

    pub fn scalar(&self, atom: Atom) -> Exp {
        match atom {
            Atom::Const(scalar) => Exp::Const(scalar),
            Atom::Var(var) => match self.repr(var) {
                Repr::Scalar(exp) => exp.clone(),
                Repr::Array(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert => {
                    panic!("imp_gen: {} is no scalar", self.name(var))
                }
            },
        }
    }

    pub fn array(&self, var: Var) -> Array {
        match self.repr(var) {
            Repr::Array(array) => array.clone(),
            Repr::Scalar(_) | Repr::Acc(_) | Repr::Region(_) | Repr::Cert => {
                panic!("imp_gen: {} is no array", self.name(var))
            }
        }
    }

    pub fn region(&self, var: Var) -> Exp {
        match self.repr(var) {
            Repr::Region(exp) => exp.clone(),
            Repr::Scalar(_) | Repr::Array(_) | Repr::Acc(_) | Repr::Cert => {
                panic!("imp_gen: {} is no region", self.name(var))
            }
        }
    }

    /// A value of any kind.
    pub fn value(&self, atom: Atom) -> Repr {
        match atom {
            Atom::Const(scalar) => Repr::Scalar(Exp::Const(scalar)),
            Atom::Var(var) => self.repr(var).clone(),
        }
    }

    /// The sizes of a type; `None` for `?`. All of them are visible now.
    pub fn sizes(&self, dims: &[Dim]) -> Vec<Option<Exp>> {
        let size = |dim: &Dim| match dim {
            Dim::Size(atom) => Some(self.scalar(*atom)),
            Dim::Irregular => None,
            Dim::Result(_) => panic!("imp_gen: the size of a result in {}", self.fun.name),
        };
        dims.iter().map(size).collect()
    }

    /// Note that this cannot be translated; the variable gets no value that matters.
    pub fn unsupported(&mut self, what: &str, var: Var) -> Repr {
        self.out.unsupported.push(Unsupported { what: what.to_string(), span: self.span });
        let elem = self.ty(var).elem();
        let sizes = vec![Exp::i64(0); self.ty(var).rank()];
        match elem {
            Some(elem) if !sizes.is_empty() => {
                let prim = prim_of(elem);
                let data = Part::lent(Exp::null_ptr(Elem::Prim(prim)));
                Repr::Array(self.row_major(prim, &sizes, data))
            }
            Some(elem) => Repr::Scalar(Exp::Const(norn_ir::scalar::Scalar::zero(prim_of(elem)))),
            None => Repr::Cert,
        }
    }

    // # Sites

    pub fn check_site(&mut self, kind: CheckKind) -> SiteId {
        self.out.sites.add(SiteKind::Check(kind), self.span)
    }

    pub fn operator_site(&mut self, name: &str) -> SiteId {
        self.out.sites.add(SiteKind::Operator(name.to_string()), self.span)
    }

    // # Memory

    /// Memory for so many elements, which the open body owns.
    pub fn new_part(&mut self, name: &str, prim: Prim, count: &[Exp], site: SiteId) -> Part {
        self.new_bytes(name, prim, Self::bytes(prim, count), site)
    }

    /// Memory for elements that need so many bytes in all.
    pub fn new_bytes(&mut self, name: &str, prim: Prim, bytes: Exp, site: SiteId) -> Part {
        if self.at == Where::Group {
            return self.take_from_pool(name, prim, bytes);
        }
        let block = self.code.new_var(name, Type::Block);
        let elem = Elem::Prim(prim);
        let (alloc, data) = match self.at {
            Where::Host => {
                (imp::Stmt::Device(DeviceStmt::Alloc { block, bytes, site }), Exp::remote(elem, block))
            }
            Where::Cpu | Where::Thread | Where::Group => {
                (imp::Stmt::Alloc { block, bytes, site }, Exp::data(elem, block))
            }
        };
        self.code.push(alloc);
        let ptr = self.code.bind(name, data);
        let owner = self.owners.own(block.into());
        Part { ptr: ptr.into(), block: block.into(), owner: Some(owner) }
    }

    /// A pointer to elements of an array here.
    pub fn pointer(&self, elem: Elem) -> Type {
        match self.at {
            Where::Host => Type::Remote(elem),
            Where::Cpu | Where::Thread | Where::Group => Type::Ptr(elem),
        }
    }

    /// How many bytes an array of these dimensions has. It is one expression, which is computed without wrapping around, as all sizes that
    /// are asked for: what has no room in any memory is the largest number.
    pub fn bytes(prim: Prim, dims: &[Exp]) -> Exp {
        dims.iter().fold(Exp::i64(Elem::Prim(prim).bytes()), |bytes, dim| {
            match (bytes.as_i64(), dim.as_i64()) {
                (Some(bytes), Some(dim)) => Exp::i64(bytes.saturating_mul(dim.max(0))),
                // The check that refuses a negative size may be inside the lambda whose results have it.
                (_, _) => bytes.mul(dim.clone().max(0)),
            }
        })
    }

    /// A regular array, row-major, of these dimensions. It lies in the variable's place, if it has one.
    pub fn new_array(&mut self, var: Var, prim: Prim, sizes: &[Exp], operator: &str) -> Array {
        if let Some(place) = self.places.remove(&var) {
            return place;
        }
        let name = self.name(var).to_string();
        self.new_array_named(&name, prim, sizes, operator)
    }

    pub fn new_array_named(&mut self, name: &str, prim: Prim, sizes: &[Exp], operator: &str) -> Array {
        let site = self.operator_site(operator);
        let data = self.new_part(name, prim, sizes, site);
        self.row_major(prim, sizes, data)
    }

    /// A regular array in this memory.
    pub fn row_major(&mut self, prim: Prim, sizes: &[Exp], data: Part) -> Array {
        let lead = self.row_major_lead(sizes);
        Array { prim, lead, row_major_from: 0, tail: Vec::new(), offsets: Vec::new(), data, counted: None }
    }

    /// Dimensions whose strides are the products of the sizes that follow.
    pub fn row_major_lead(&mut self, sizes: &[Exp]) -> Vec<Lead> {
        let mut stride = Exp::i64(1);
        let mut lead: Vec<Lead> = Vec::with_capacity(sizes.len());
        for size in sizes.iter().rev() {
            lead.push(Lead { size: size.clone(), stride: stride.clone() });
            stride = self.code.atom("stride", stride.mul(size.clone()));
        }
        lead.reverse();
        lead
    }

    /// An array as it crosses the border of a function, from the pointers and blocks of its parts.
    pub fn array_of_parts(&mut self, ty: &nest::Type, sizes: &[Option<Exp>], mut parts: Vec<Part>) -> Array {
        let elem = ty.elem().expect("imp_gen: an array of no elements");
        let data = parts.pop().expect("imp_gen: an array without parts");
        let irregular = sizes.iter().position(Option::is_none).unwrap_or(sizes.len());
        let regular: Vec<Exp> = sizes[..irregular].iter().flatten().cloned().collect();
        let lead = self.row_major_lead(&regular);
        let tail = sizes[irregular..].to_vec();
        Array { prim: prim_of(elem), lead, row_major_from: 0, tail, offsets: parts, data, counted: None }
    }
}

/// How many parts an array of this type has.
pub fn part_count(ty: &nest::Type) -> usize {
    1 + ty.dims().iter().skip(1).filter(|dim| **dim == Dim::Irregular).count()
}

/// The element of each part of an array of this type.
pub fn part_elems(ty: &nest::Type) -> Vec<Elem> {
    let elem = ty.elem().expect("imp_gen: an array of no elements");
    let offsets = std::iter::repeat_n(Elem::Prim(Prim::I64), part_count(ty) - 1);
    offsets.chain([Elem::Prim(prim_of(elem))]).collect()
}
