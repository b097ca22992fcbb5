//! Prints the group kernels of a program as one module for a device (CUDA C++ or OpenCL C), and describes them for the host.
//!
//! The description of a kernel (`DeviceText`) has its parameters, its group size, whether its threads allocate, whether a check in it can fail, and the smallest element that it addresses by an index; the runtime
//! needs these to launch it, and to decide whether 64-bit indices or a repeated launch are necessary.
//!
//! `groups_at_once` bounds registers (occupancy): at least so many groups should fit on a multiprocessor, so that others compute while one waits for memory. Kernels whose groups publish to each other, such as look-back, need more groups than others.

use crate::access::{Access, accesses};
use crate::code::{Code, join};
use crate::dialect::{DeviceDialect, Needs, PointerParams, memory_type};
use crate::divisors::{divisors, factor_of};
use crate::names::Names;
use crate::pending::ask_first;
use crate::program::{Globals, comment, function};
use crate::reach;
use crate::recycled::recycled;
use norn_ir::imp::reach::on_device;
use norn_ir::imp::walk::for_each_stmt;
use norn_ir::imp::{Block, Elem, Exp, GroupKernel, GroupStmt, Prog, Stmt, Type, Var};
use std::fmt::Write;

/// One module: all group kernels of a program, and the functions that they call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceText {
    pub text: String,
    /// Where the text of each kernel begins. What all of them need is in front of the first.
    pub starts: Vec<usize>,
    /// In the order of the program: launches mention them by number.
    pub kernels: Vec<DeviceKernel>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeviceKernel {
    /// As the text calls it.
    pub name: String,
    /// How many threads a group has.
    pub group_size: u32,
    /// Those of the program, then a factor for each that is divided by. Before them stands the state (rts/gpu/state.h), and in OpenCL
    /// the heap, if the kernel uses it.
    pub params: Vec<DeviceParam>,
    /// Its threads allocate.
    pub uses_heap: bool,
    /// The parameter that says how many bytes its pool has, if it has one.
    pub pool: Option<usize>,
    /// The fewest bytes of an element that its threads find by an index.
    pub smallest_element: u8,
    /// A check in it can fail, or its memory be exhausted.
    pub may_fail: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DeviceParam {
    /// In OpenCL two parameters: a buffer, and an offset into it in bytes.
    Pointer(Access),
    /// The same, for a region of the host: whether its cells are read, and whether cells are added.
    Region(Access),
    /// So many bytes.
    Scalar(u8),
}

pub(crate) fn emit(prog: &Prog, dialect: &dyn DeviceDialect) -> DeviceText {
    reach::expect_no_circles(prog);
    let mut names = Names::new(dialect.words());
    let globals = Globals {
        funs: prog.funs.iter().map(|fun| names.give("f_", &fun.name)).collect(),
        kernels: prog.group_kernels.iter().map(|kernel| names.give("k_", &kernel.name)).collect(),
        consts: Vec::new(),
        divisors: Vec::new(),
        names,
    };
    let mut needs = Needs::new(dialect.arithmetic());
    let (mut heads, mut functions) = (String::new(), String::new());
    for (i, on_device) in on_device(prog).into_iter().enumerate() {
        if on_device {
            let (head, text) = function(&globals, dialect, &mut needs, i, &prog.funs[i]);
            heads.push_str(&head);
            functions.push_str(&text);
        }
    }
    let described = prog.group_kernels.iter().zip(accesses(prog)).zip(&globals.kernels);
    let kernels: Vec<DeviceKernel> = described
        .map(|((kernel, accesses), name)| describe(prog, dialect, kernel, &accesses, name))
        .collect();
    let may_fail: Vec<bool> = kernels.iter().map(|kernel| kernel.may_fail).collect();
    let described = kernels.iter().zip(ask_first(prog, &may_fail));
    let group_kernels = prog.group_kernels.iter().zip(described).map(|(kernel, (described, asks_first))| {
        group_kernel(prog, &globals, dialect, &mut needs, kernel, described, asks_first)
    });
    let bodies: Vec<String> = group_kernels.collect();

    let mut text = String::new();
    for header in dialect.headers(&needs).into_iter().filter(|header| !header.is_empty()) {
        text.push_str(header);
        text.push('\n');
    }
    for part in [needs.atomics.definitions(dialect), needs.scans.definitions(), heads] {
        if !part.is_empty() {
            text.push_str(&part);
            text.push('\n');
        }
    }
    text.push_str(&functions);
    let mut starts = Vec::with_capacity(bodies.len());
    for body in bodies {
        starts.push(text.len());
        text.push_str(&body);
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    DeviceText { text, starts, kernels }
}

fn describe(
    prog: &Prog,
    dialect: &dyn DeviceDialect,
    kernel: &GroupKernel,
    accesses: &[Access],
    name: &str,
) -> DeviceKernel {
    let param = |(var, access): (&Var, &Access)| match kernel.vars[var.0 as usize].ty {
        Type::Ptr(_) => DeviceParam::Pointer(*access),
        Type::Scalar(prim) => DeviceParam::Scalar(prim.size() as u8),
        Type::Region => DeviceParam::Region(*access),
        Type::Vector(..) | Type::Remote(_) | Type::Local(_) | Type::Block => {
            unreachable!("emit: a group kernel with a parameter that nobody can pass (I9)")
        }
    };
    let factors = divisors(kernel).into_iter().map(|_| DeviceParam::Scalar(8));
    DeviceKernel {
        name: name.to_string(),
        group_size: kernel.size,
        params: kernel.params.iter().zip(accesses).map(param).chain(factors).collect(),
        uses_heap: reach::uses_heap(prog, kernel, dialect.has_own_blocks()),
        pool: pool_of(kernel),
        smallest_element: reach::smallest_element(prog, kernel),
        may_fail: reach::may_fail(prog, kernel, dialect.has_own_blocks()),
    }
}

fn group_kernel(
    prog: &Prog,
    globals: &Globals<'_>,
    dialect: &dyn DeviceDialect,
    needs: &mut Needs,
    kernel: &GroupKernel,
    described: &DeviceKernel,
    asks_first: bool,
) -> String {
    let mut given = kernel.params.clone();
    given.extend(kernel.arrays.iter().map(|array| array.var));
    let mut code = Code::new(globals, dialect, needs, &kernel.vars, (&kernel.body, &[]), &given);
    code.guards = Some(Default::default());

    let mut params = vec!["NORN_GLOBAL norn_state *norn_run".to_string()];
    params.extend(dialect.heap_param().filter(|_| described.uses_heap).map(str::to_string));
    for array in &kernel.arrays {
        code.array(array.var, array.count, array.shared);
    }
    if asks_first {
        // Threads that wait for each other have to agree about it.
        code.line(if meets(&kernel.body) { "NORN_BEGIN_TOGETHER" } else { "NORN_BEGIN" });
    }
    let recycled = recycled(prog, kernel).filter(|_| dialect.has_own_blocks());
    code.recycled = recycled.map(|blocks| blocks.bytes);
    let own_memory = match recycled {
        Some(blocks) => Some(blocks.total),
        None => described.uses_heap.then(|| reach::own_memory(prog, kernel, dialect.has_own_blocks())),
    };
    code.line(match own_memory {
        Some(bytes) => format!("NORN_WORKER({bytes})"),
        None => "norn_worker norn_self = {norn_run, 0, 0, 0, 0}, *w = &norn_self;".to_string(),
    });
    code.needs.blocks |= own_memory.is_some();
    for param in &kernel.params {
        let declaration = code.declaration(*param);
        let name = code.name(*param).to_string();
        match code.var_ty(*param) {
            Type::Scalar(prim) => params.push(join(memory_type(prim), &name)),
            ty @ (Type::Ptr(_) | Type::Region) => {
                match dialect.pointer_params(&pointer_type(dialect, ty), &name) {
                    PointerParams::Same => params.push(declaration),
                    PointerParams::Several(several, value) => {
                        params.extend(several);
                        code.line(format!("{declaration} = {value};"));
                    }
                }
            }
            Type::Vector(..) | Type::Remote(_) | Type::Local(_) | Type::Block => {
                unreachable!("emit: a group kernel with a parameter that nobody can pass (I9)")
            }
        }
    }
    for at in divisors(kernel) {
        let divisor = kernel.params[at];
        code.divisors.push(divisor);
        params.push(join("u64", &factor_of(code.name(divisor))));
    }
    code.block(&kernel.body);
    let body = code.finish();
    let mut out = String::new();
    write!(
        out,
        "// group kernel {}\nNORN_KERNEL({}, {}) {}({}) {{\n{body}}}\n\n",
        comment(&kernel.name),
        kernel.size,
        groups_at_once(kernel),
        described.name,
        params.join(", "),
    )
    .expect("writing to a string");
    out
}

fn pointer_type(dialect: &dyn DeviceDialect, ty: Type) -> String {
    dialect.ty(ty).expect("only vectors have no type of their own")
}

/// How many groups should fit on a processor at the same time. One alone waits for memory, so threads use no more registers than what is left for two groups;
/// those that share memory have their reasons. Groups that wait for one another do so while others work.
fn groups_at_once(kernel: &GroupKernel) -> u32 {
    let own = kernel.arrays.iter().filter(|array| !array.shared);
    let words = own.map(|array| match kernel.vars[array.var.0 as usize].ty {
        Type::Local(Elem::Prim(prim)) => array.count as usize * prim.size().div_ceil(4),
        _ => 0,
    });
    let shares = kernel.arrays.iter().any(|array| array.shared);
    match words.sum::<usize>() {
        0 if publishes(&kernel.body) => 4,
        64..=96 => 2,
        _ if shares => 1,
        _ => 2,
    }
}

/// Whether groups publish something to each other.
fn publishes(body: &Block) -> bool {
    let mut tells = false;
    for_each_stmt(body, &mut |stmt| {
        tells |= matches!(
            stmt,
            Stmt::Group(
                GroupStmt::Publish { .. } | GroupStmt::CountBefore { .. } | GroupStmt::LookBack { .. }
            )
        );
    });
    tells
}

fn pool_of(kernel: &GroupKernel) -> Option<usize> {
    let mut pool = None;
    for_each_stmt(&kernel.body, &mut |stmt| {
        if let Stmt::Group(GroupStmt::Pool { bytes: Exp::Var(bytes), .. }) = stmt {
            pool = kernel.params.iter().position(|param| param == bytes);
        }
    });
    pool
}

/// Whether threads do something together.
fn meets(body: &Block) -> bool {
    let mut meets = false;
    for_each_stmt(body, &mut |stmt| {
        meets |= matches!(stmt, Stmt::Group(stmt) if stmt.meets());
    });
    meets
}
