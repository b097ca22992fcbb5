//! Statements of imp as statements of C, CUDA C++ and OpenCL C.
//!
//! A statement that yields a value is an assignment (`assignment`); one that acts is printed as it stands (`action`). A
//! variable is declared where it is first assigned if nothing outside that block needs it. A call, a launch and an
//! allocation may fail, so a test follows each and leads to the code that ends the function.
//!
//! On the processor, loops ask now and then whether the run has been stopped: `while` loops in each iteration, counted
//! ones between strips of iterations, which the C compiler can still vectorise (Note [Strips]).

use crate::code::{Code, join, unlikely};
use crate::dialect::Side;
use crate::host::reads_at_once;
use crate::mask::usual_width;
use crate::scalar::{self, Text};
use norn_ir::imp::walk::{Part, for_each_stmt};
use norn_ir::imp::{Block, Exp, KernelId, LoopForm, Prim, Scalar, SiteId, Split, Stmt, Type, Var};

/// A statement that is an assignment in C. If the value is memory it may not be there: the site that asks, and how many bytes.
pub(crate) struct Assignment {
    pub var: Var,
    pub value: Text,
    pub memory: Option<(i64, String)>,
}

impl Code<'_> {
    pub fn block(&mut self, block: &Block) {
        let mut rest = &block[..];
        while let Some((stmt, others)) = rest.split_first() {
            let reads = reads_at_once(rest);
            if reads.len() < 2 {
                self.stmt(stmt);
                rest = others;
                continue;
            }
            for stmt in &rest[..reads.len()] {
                for var in self.scopes.before(stmt).to_vec() {
                    self.declare(var);
                }
            }
            self.device_reads(&reads);
            rest = &rest[reads.len()..];
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        if let Stmt::Set(var, Exp::Chunks { .. }) = stmt {
            self.chunks.push(*var);
        }
        let declared = self.scopes.before(stmt).to_vec();
        if self.is_about_own(stmt) {
            return declared.into_iter().for_each(|var| self.declare(var));
        }
        if let Some(Assignment { var, value, memory }) = self.assignment(stmt) {
            for other in declared.iter().filter(|other| **other != var) {
                self.declare(*other);
            }
            let target = match declared.contains(&var) {
                true => self.declaration(var),
                false => self.name(var).to_string(),
            };
            self.line(format!("{target} = {};", value.text));
            if let Some((site, bytes)) = memory {
                let test = unlikely(&format!("!{}", self.name(var)));
                let leave = self.leave_by(&format!("norn_out_of_memory(w, {site}, {bytes})"));
                self.line(format!("if ({test}) {leave}"));
            }
            return;
        }
        for var in declared {
            self.declare(var);
        }
        self.action(stmt);
    }

    /// Whether there is nothing to do, since a block is an array.
    fn is_about_own(&self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Alloc { block, .. } | Stmt::Release(Exp::Var(block)) => self.own.contains_key(block),
            _ => false,
        }
    }

    fn declare(&mut self, var: Var) {
        if let Some(bytes) = self.own.get(&var) {
            return self.line(format!("NORN_OWN({}, {bytes});", self.name(var)));
        }
        let declaration = self.declaration(var);
        // A thread that leaves a guard goes on with what it has: that may be anything, but should be the same in every run.
        let value = if self.guards.is_some() { " = 0" } else { "" };
        self.line(format!("{declaration}{value};"));
    }

    fn assignment(&mut self, stmt: &Stmt) -> Option<Assignment> {
        let w = Text::primary("w");
        match stmt {
            Stmt::Set(var, exp) => Some(Assignment { var: *var, value: self.value(exp, *var), memory: None }),
            Stmt::Alloc { block, bytes, site } => {
                let bytes = match self.recycled {
                    Some(bytes) => Text::primary(bytes.to_string()),
                    None => self.bytes(bytes),
                };
                let value = Text::call("norn_alloc", &[&w, &bytes]);
                Some(Assignment { var: *block, value, memory: Some((site.0 as i64, bytes.text)) })
            }
            Stmt::RegionNew(region) => {
                let value = Text::call("norn_region_new", &[&w]);
                Some(Assignment {
                    var: *region,
                    value,
                    memory: Some((-1, "sizeof(norn_region)".to_string())),
                })
            }
            Stmt::CellNew { cell, region, words, site } => {
                let (region, words) = (self.exp(region), self.exp(words));
                let value = Text::call("norn_cell_new", &[&w, &region, &words]);
                // What does not fit is not the cell, but the chunk that it would have begun.
                let bytes = Text::call("norn_newest_chunk", &[&region, &words]);
                Some(Assignment { var: *cell, value, memory: Some((site.0 as i64, bytes.text)) })
            }
            Stmt::Store { .. }
            | Stmt::StoreLanes { .. }
            | Stmt::Scatter { .. }
            | Stmt::Copy { .. }
            | Stmt::Retain(_)
            | Stmt::Release(_)
            | Stmt::RegionEnd(_)
            | Stmt::Show { .. }
            | Stmt::If { .. }
            | Stmt::Switch { .. }
            | Stmt::For { .. }
            | Stmt::While { .. }
            | Stmt::Call { .. }
            | Stmt::Const { .. }
            | Stmt::Launch { .. }
            | Stmt::Await { .. }
            | Stmt::Signal { .. }
            | Stmt::Fail { .. } => None,
            Stmt::Group(group) => self.group_assignment(group),
            Stmt::Device(device) => self.device_assignment(device),
        }
    }

    /// A value to be assigned: a mask is made as wide as the variable.
    fn value(&mut self, exp: &Exp, var: Var) -> Text {
        match (self.masks.of_var(var), self.lanes(exp)) {
            (Some(width), Some(lanes)) => self.mask(exp, lanes, width),
            _ => self.exp(exp),
        }
    }

    /// A value for somebody else, who does not know how wide masks are here.
    pub fn passed(&mut self, exp: &Exp) -> Text {
        match exp.ty(self.vars) {
            Type::Vector(Prim::Bool, lanes) => self.mask(exp, lanes, usual_width(lanes)),
            Type::Vector(..)
            | Type::Scalar(_)
            | Type::Ptr(_)
            | Type::Remote(_)
            | Type::Local(_)
            | Type::Block
            | Type::Region => self.exp(exp),
        }
    }

    fn action(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Store { elem: _, ptr, index, value } => {
                let (ptr, index, value) = (self.exp(ptr), self.index(ptr, index), self.exp(value));
                self.line(format!("{} = {};", ptr.index(&index).text, value.text));
            }
            Stmt::StoreLanes { prim, ptr, index, value, mask } => {
                let store = self.store_lanes(*prim, ptr, index, value, mask.as_ref());
                self.line(format!("{};", store.text));
            }
            Stmt::Scatter { prim, ptr, index, value, mask } => {
                let scatter = self.scatter(*prim, ptr, index, value, mask.as_ref());
                self.line(format!("{};", scatter.text));
            }
            Stmt::Copy { elem, to, from, count } => {
                let (to, from, count) = (self.exp(to), self.exp(from), self.exp(count));
                if self.dialect.side() == Side::Device {
                    return self.copy_one_by_one(*elem, &to, &from, &count);
                }
                // The two may be the same place, which memcpy does not allow.
                let bytes = count.times(elem.bytes());
                self.line(format!("{};", Text::call("__builtin_memmove", &[&to, &from, &bytes]).text));
            }
            Stmt::Retain(block) => {
                let block = self.exp(block);
                self.line(format!("norn_retain({});", block.text));
            }
            Stmt::Release(block) => {
                let block = self.exp(block);
                self.line(format!("norn_release(w, {});", block.text));
            }
            Stmt::RegionEnd(region) => {
                let region = self.exp(region);
                self.line(format!("norn_region_end(w, {});", region.text));
            }
            Stmt::If { cond, then, els } => self.branch("if", cond, then, els),
            Stmt::Switch { scrutinee, cases, default } => self.switch(scrutinee, cases, default),
            Stmt::For { var, from, to, form, body } => self.count(stmt, *var, from, to, form, body),
            Stmt::While { before, cond, body } => self.repeat(before, cond, body),
            Stmt::Call { fun, args, results, site } => {
                let mut passed: Vec<String> = vec!["w".to_string()];
                passed.extend(args.iter().map(|arg| self.passed(arg).text));
                let name = self.globals.funs[fun.0 as usize].clone();
                self.call(&name, passed, results, *site);
            }
            Stmt::Const { id, results, site } => {
                let name = self.globals.consts[id.0 as usize].clone();
                self.call(&name, vec!["w".to_string()], results, *site);
            }
            Stmt::Launch { kernel, args, width, chunks, split, site } => {
                self.launch(*kernel, args, width, chunks, split, *site);
            }
            Stmt::Await { ptr, index } => {
                let place = self.place(ptr, index);
                let test = unlikely(&format!("norn_await(w, {})", place.text));
                self.line(format!("if ({test}) return NORN_STOPPED;"));
            }
            Stmt::Signal { ptr, index } => {
                let place = self.place(ptr, index);
                self.line(format!("norn_signal({});", place.text));
            }
            Stmt::Show { words, count } => {
                let (words, count) = (self.exp(words), self.exp(count));
                self.line(format!("w->host->show(w, {}, {});", words.text, count.text));
            }
            Stmt::Fail { site, operands } => self.fail(*site, operands),
            Stmt::Group(group) => self.group_action(group),
            Stmt::Device(device) => self.device_action(device),
            Stmt::Set(..) | Stmt::Alloc { .. } | Stmt::RegionNew(_) | Stmt::CellNew { .. } => {
                unreachable!("emit: an assignment is no action")
            }
        }
    }

    // # Control

    fn branch(&mut self, word: &str, cond: &Exp, then: &Block, els: &Block) {
        let cond = self.exp(cond);
        let cond = match matches!(then.last(), Some(Stmt::Fail { .. })) {
            true => unlikely(&cond.text),
            false => cond.text,
        };
        self.open(format!("{word} ({cond}) {{"));
        self.block(then);
        match &els[..] {
            [] => self.close("}"),
            // A chain of branches stays one. What is declared in front of the second has to stand in a block.
            [stmt @ Stmt::If { cond, then, els }] if self.scopes.before(stmt).is_empty() => {
                self.outdent();
                self.branch("} else if", cond, then, els);
            }
            _ => {
                self.outdent();
                self.open("} else {");
                self.block(els);
                self.close("}");
            }
        }
    }

    fn switch(&mut self, scrutinee: &Exp, cases: &[(i64, Block)], default: &Block) {
        let scrutinee = self.exp(scrutinee);
        self.open(format!("switch ({}) {{", Text::cast("i64", &scrutinee).text));
        for (number, block) in cases {
            let label = scalar::constant(self.needs, Scalar::I64(*number));
            self.open(format!("case {}: {{", label.text));
            self.block(block);
            self.line("break;");
            self.close("}");
        }
        self.open("default: {");
        self.block(default);
        self.close("}");
        self.close("}");
    }

    fn count(&mut self, stmt: &Stmt, var: Var, from_exp: &Exp, to: &Exp, form: &LoopForm, body: &Block) {
        let (from, end) = (self.exp(from_exp), self.exp(to));
        let name = self.name(var).to_string();
        let start = match self.scopes.declares_counter(stmt) {
            true => join("i64", &name),
            false => name.clone(),
        };
        let count = iterations(from_exp, to).filter(|_| !has_long_loop(body));
        let hint = self.dialect.loop_hint(form, count);
        let goes_through_chunks = matches!(to, Exp::Var(to) if self.chunks.contains(to));
        let is_long = iterations(from_exp, to).is_none_or(|count| count > SHORT_STRIP);
        if self.dialect.side() == Side::Cpu && is_long && !goes_through_chunks && !takes_long(body) {
            return self.count_in_strips(&name, &start, (&from, &end), hint, body);
        }
        if let Some(hint) = hint {
            self.line(hint);
        }
        // The end is computed once, unless nothing can change it.
        let head = match (is_fixed(to, body), self.scopes.declares_counter(stmt)) {
            (true, _) => {
                let test = scalar::less(&Text::primary(name.as_str()), &end);
                format!("{start} = {}; {}", from.text, test.text)
            }
            (false, true) => format!("{start} = {}, out_end = {}; {name} < out_end", from.text, end.text),
            (false, false) => {
                format!("i64 out_end = {}, out_start = ({name} = {}); {name} < out_end", end.text, from.text)
            }
        };
        self.open(format!("for ({head}; {name}++) {{"));
        if takes_long(body) {
            self.stop_test();
        } else if goes_through_chunks && self.dialect.side() == Side::Cpu {
            self.line(format!("NORN_FEW({name});"));
        }
        let counting = std::mem::replace(&mut self.counting, true);
        self.block(body);
        self.counting = counting;
        self.close("}");
    }

    /// An innermost loop, see Note [Strips].
    fn count_in_strips(
        &mut self,
        name: &str,
        start: &str,
        (from, end): (&Text, &Text),
        hint: Option<&'static str>,
        body: &Block,
    ) {
        self.tests_stop = true;
        self.open("{");
        self.line(format!("const i64 out_end = {};", end.text));
        self.line(format!("{start} = {};", from.text));
        let is_copied = count_stmts(body) <= MOST_COPIED;
        let strip = format!("norn_strip({name}, out_end, {})", if is_copied { STRIP } else { SHORT_STRIP });
        if is_copied {
            self.open(format!("if ({strip} == out_end) {{"));
            if let Some(hint) = hint {
                self.line(hint);
            }
            self.open(format!("for (; {name} < out_end; {name}++) {{"));
            self.block(body);
            self.close("}");
            self.outdent();
            self.open("} else for (;;) {");
        } else {
            self.open("for (;;) {");
        }
        self.line(format!("const i64 out_strip = {strip};"));
        if let Some(hint) = hint {
            self.line(hint);
        }
        self.open(format!("for (; {name} < out_strip; {name}++) {{"));
        self.block(body);
        self.close("}");
        self.line(format!("if (NORN_LIKELY({name} >= out_end)) break;"));
        self.line("if (norn_stopped(run)) return NORN_STOPPED;");
        self.close("}");
        self.close("}");
    }

    fn repeat(&mut self, before: &Block, cond: &Exp, body: &Block) {
        match before.is_empty() {
            true => {
                let cond = self.exp(cond);
                self.open(format!("while ({}) {{", cond.text));
                self.stop_test();
            }
            false => {
                self.open("for (;;) {");
                self.stop_test();
                self.block(before);
                let cond = self.exp(&cond.clone().not());
                self.line(format!("if ({}) break;", cond.text));
            }
        }
        let counting = std::mem::replace(&mut self.counting, false);
        self.block(body);
        self.counting = counting;
        self.close("}");
    }

    fn stop_test(&mut self) {
        match self.dialect.side() {
            Side::Cpu => {
                self.tests_stop = true;
                self.line("if (norn_stopped(run)) return NORN_STOPPED;");
            }
            Side::Device => {}
        }
    }

    // # Calls

    /// A call of a function or constant. Results come into variables of the block, so that nobody holds the address of ours.
    fn call(&mut self, function: &str, mut args: Vec<String>, results: &[Var], site: SiteId) {
        self.open("{");
        for (i, var) in results.iter().enumerate() {
            let ty = self.c_type(self.var_ty(*var), None);
            self.line(format!("{};", join(&ty, &format!("out_{i}"))));
            args.push(format!("&out_{i}"));
        }
        self.line(format!("int end = {function}({});", args.join(", ")));
        let test = unlikely("end");
        let leave = self.leave_call(site);
        self.line(format!("if ({test}) {leave}"));
        for (i, var) in results.iter().enumerate() {
            let value = self.received(*var, &format!("out_{i}"));
            self.line(format!("{} = {};", self.name(*var), value.text));
        }
        self.close("}");
    }

    /// What comes from somebody else, as the variable wants it.
    pub fn received(&mut self, var: Var, name: &str) -> Text {
        let text = Text::primary(name);
        match (self.masks.of_var(var), self.var_ty(var).lanes()) {
            (Some(width), Some(lanes)) if width != usual_width(lanes) => {
                let usual = usual_width(lanes);
                Text::call(self.needs.vectors.convert(usual, width, lanes), &[&text])
            }
            _ => text,
        }
    }

    fn launch(
        &mut self,
        kernel: KernelId,
        args: &[Exp],
        width: &Exp,
        chunks: &Exp,
        split: &Split,
        site: SiteId,
    ) {
        let name = self.globals.kernels[kernel.0 as usize].clone();
        let mut blocks: Vec<String> = Vec::new();
        let mut texts: Vec<String> = Vec::with_capacity(args.len());
        for arg in args {
            let text = self.passed(arg).text;
            if arg.ty(self.vars) == Type::Block && !blocks.contains(&text) {
                blocks.push(text.clone());
            }
            texts.push(text);
        }
        let args = texts;
        let reach: Vec<String> = blocks.iter().map(|block| format!("norn_capacity({block})")).collect();
        let bytes = match reach.is_empty() {
            true => "0".to_string(),
            false => format!("w->profile ? {} : 0", reach.join(" + ")),
        };
        self.open("{");
        let address = match args.is_empty() {
            true => "0",
            false => {
                self.line(format!("struct {name}_args args = {{{}}};", args.join(", ")));
                "&args"
            }
        };
        let (width, chunks) = (self.exp(width).text, self.exp(chunks).text);
        let (split, offsets) = match split {
            Split::Even => ("NORN_SPLIT_EVEN", "0".to_string()),
            Split::ByOffsets(offsets) => ("NORN_SPLIT_OFFSETS", self.exp(offsets).text),
            Split::Ordered => ("NORN_SPLIT_ORDERED", "0".to_string()),
            Split::Parts { wait: false } => ("NORN_SPLIT_PARTS", "0".to_string()),
            Split::Parts { wait: true } => ("NORN_SPLIT_PARTS_WAIT", "0".to_string()),
        };
        self.line(format!(
            "int end = norn_launch(w, {name}, {address}, {width}, {chunks}, {split}, {offsets}, {}, {bytes});",
            site.0
        ));
        let test = unlikely("end");
        self.line(format!("if ({test}) return end;"));
        self.close("}");
    }
}

/// How many iterations a strip has: some tens of milliseconds at most, whatever a body does that has no loops.
const STRIP: i64 = 1 << 18;
/// The same where an iteration takes longer.
const SHORT_STRIP: i64 = 1 << 14;

/// A body with more statements is not copied: what its loop costs beside them does not matter.
const MOST_COPIED: usize = 200;

fn count_stmts(body: &Block) -> usize {
    let mut count = 0;
    for_each_stmt(body, &mut |_| count += 1);
    count
}

/// How often a loop runs, if that is known.
fn iterations(from: &Exp, to: &Exp) -> Option<i64> {
    from.as_i64().zip(to.as_i64()).map(|(from, to)| to.saturating_sub(from))
}

/// Whether there is a loop of which nobody knows how often it runs. Compilers would do more to copies of it than they can
/// afford: three of them, with remainders inside, keep NVRTC busy for minutes.
fn has_long_loop(body: &Block) -> bool {
    let mut found = false;
    for_each_stmt(body, &mut |stmt| {
        let is_long = matches!(stmt, Stmt::For { from, to, .. } if iterations(from, to).is_none());
        found |= is_long || matches!(stmt, Stmt::While { .. });
    });
    found
}

/// Whether an expression keeps its value while a loop runs.
fn is_fixed(exp: &Exp, body: &Block) -> bool {
    if let Exp::Var(var) = exp {
        let mut assigned = false;
        for_each_stmt(body, &mut |stmt| {
            stmt.for_each_part(&mut |part| match part {
                Part::Assigned(other) => assigned |= other == *var,
                Part::Exp(_) | Part::Block(_) | Part::Accumulator(_) => {}
            });
        });
        return !assigned;
    }
    matches!(exp, Exp::Const(_))
}

/// Whether one iteration may take so long that the next should not start after the run has stopped: it has calls, or
/// loops that do not end soon.
fn takes_long(body: &Block) -> bool {
    let mut long = false;
    for_each_stmt(body, &mut |stmt| match stmt {
        Stmt::For { from, to, .. } => {
            let count = from.as_i64().zip(to.as_i64()).map(|(from, to)| to.saturating_sub(from));
            long |= count.is_none_or(|count| count > 16);
        }
        Stmt::While { .. }
        | Stmt::Call { .. }
        | Stmt::Const { .. }
        | Stmt::Launch { .. }
        | Stmt::Show { .. }
        | Stmt::Device(_) => long = true,
        Stmt::Set(..)
        | Stmt::Store { .. }
        | Stmt::StoreLanes { .. }
        | Stmt::Scatter { .. }
        | Stmt::Copy { .. }
        | Stmt::Alloc { .. }
        | Stmt::Retain(_)
        | Stmt::Release(_)
        | Stmt::RegionNew(_)
        | Stmt::RegionEnd(_)
        | Stmt::CellNew { .. }
        | Stmt::If { .. }
        | Stmt::Switch { .. }
        | Stmt::Await { .. }
        | Stmt::Signal { .. }
        | Stmt::Group(_)
        | Stmt::Fail { .. } => {}
    });
    long
}

// Note [Strips]
//
// A run that is cancelled must end soon, also in the middle of a loop. A loop whose iterations may take long asks before each of them
// whether the run has stopped. An innermost loop has no time for that, so it is cut into strips, and asks only between two of them:
//
//     if (norn_strip(i, out_end, 262144) == out_end) {
//       for (; i < out_end; i++) { .. }
//     } else for (;;) {
//       const i64 out_strip = norn_strip(i, out_end, 262144);    // out_end, or so much further on
//       for (; i < out_strip; i++) { .. }
//       if (NORN_LIKELY(i >= out_end)) break;
//       if (norn_stopped(run)) return NORN_STOPPED;
//     }
//
// A loop with few iterations is the same as without strips, after one comparison, so that nothing is lost where it is entered often. The
// price is a copy of the body, so a large body is only there once, in strips. A loop over the chunks of a launch is never long.
// There is one after each reduction, so the C compiler is kept from making more of it: where a function had 120 of
// them, vectorising them took three quarters of its time.
