//! What a host asks of its device: calls of functions of `norn_host` (rts/cpu/abi.h). A remote pointer is a `u64`.

use crate::code::{Code, join, unlikely};
use crate::scalar::Text;
use crate::stmt::Assignment;
use norn_ir::imp::{DeviceStmt, Elem, Exp, PlanKind, Planned, Reach, Stmt, Type};

impl Code<'_> {
    /// The address of a block on the device.
    pub fn remote(&mut self, block: &Exp) -> Text {
        self.needs.device = true;
        let block = self.exp(block);
        Text::call("norn_remote", &[&block])
    }

    /// The address of an element.
    pub fn remote_place(&mut self, elem: Elem, ptr: &Exp, index: &Exp) -> Text {
        let ptr = self.exp(ptr);
        if index.as_i64() == Some(0) {
            return ptr;
        }
        let index = self.exp(index);
        ptr.plus(&Text::cast("u64", &index).times(elem.bytes()))
    }

    pub fn device_assignment(&mut self, stmt: &DeviceStmt) -> Option<Assignment> {
        match stmt {
            DeviceStmt::Alloc { block, bytes, site } => {
                let bytes = self.bytes(bytes);
                let value = Text::call("w->host->device_alloc", &[&Text::primary("w"), &bytes]);
                Some(Assignment { var: *block, value, memory: Some((site.0 as i64, bytes.text)) })
            }
            DeviceStmt::Launch { .. }
            | DeviceStmt::Read { .. }
            | DeviceStmt::Write { .. }
            | DeviceStmt::Upload { .. }
            | DeviceStmt::Download { .. }
            | DeviceStmt::Copy { .. }
            | DeviceStmt::Clear { .. }
            | DeviceStmt::Select(_)
            | DeviceStmt::Plan { .. }
            | DeviceStmt::Part(_)
            | DeviceStmt::Planned { .. }
            | DeviceStmt::Bring { .. }
            | DeviceStmt::Here { .. }
            | DeviceStmt::Written { .. }
            | DeviceStmt::Fetch(_)
            | DeviceStmt::Settle(_)
            | DeviceStmt::Look { .. }
            | DeviceStmt::CellNew { .. }
            | DeviceStmt::CellPlace { .. } => None,
        }
    }

    pub fn device_action(&mut self, stmt: &DeviceStmt) {
        match stmt {
            DeviceStmt::Launch { kernel, args, reaches, groups, site } => {
                let mut words: Vec<String> = args.iter().map(|arg| self.word(arg).text).collect();
                for at in &self.globals.divisors[kernel.0 as usize] {
                    let divisor = self.exp(&args[*at]);
                    self.needs.device = true;
                    words.push(Text::call("norn_reciprocal", &[&divisor]).text);
                }
                let groups = self.exp(groups);
                self.open("{");
                let address = match words.is_empty() {
                    true => "0",
                    false => {
                        self.line(format!("const u64 args[] = {{{}}};", words.join(", ")));
                        "args"
                    }
                };
                if reaches.is_empty() {
                    self.ask("launch", &format!("{}, {address}, {}, {}", kernel.0, groups.text, site.0));
                } else {
                    let mut within = vec!["0, -1".to_string(); words.len()];
                    for Reach { arg, elem, from, count } in reaches {
                        let bytes = [from, count].map(|exp| self.exp(exp).times(elem.bytes()).text);
                        within[*arg] = bytes.join(", ");
                    }
                    self.line(format!("const i64 within[] = {{{}}};", within.join(", ")));
                    let operands = format!("{}, {address}, within, {}, {}", kernel.0, groups.text, site.0);
                    self.ask("launch_within", &operands);
                }
                self.close("}");
            }
            DeviceStmt::Read { .. } => self.device_reads(&[stmt]),
            DeviceStmt::Write { elem, ptr, index, value } => {
                let place = self.remote_place(*elem, ptr, index);
                let value = self.exp(value);
                let ty = self.c_type(elem.ty(), None);
                self.open("{");
                self.line(format!("{} = {};", join(&ty, "out_0"), value.text));
                self.ask("write", &format!("{}, &out_0, {}", place.text, elem.bytes()));
                self.close("}");
            }
            DeviceStmt::Upload { elem, to, from, count } => self.transfer("write", *elem, to, from, count),
            DeviceStmt::Download { elem, to, from, count } => self.transfer("read", *elem, to, from, count),
            DeviceStmt::Copy { elem, to, from, count } => self.transfer("copy", *elem, to, from, count),
            DeviceStmt::Clear { elem, ptr, count } => {
                let (ptr, bytes) = (self.exp(ptr), self.exp(count).times(elem.bytes()));
                self.ask_alone("fill", &format!("{}, 0, {}", ptr.text, bytes.text));
            }
            DeviceStmt::Plan { width, elements, grain, kind, site } => {
                let [width, elements, grain] = [width, elements, grain].map(|exp| self.exp(exp).text);
                let kind = match kind {
                    PlanKind::Usual => 0,
                    PlanKind::Processor => 1,
                    PlanKind::Uneven => 2,
                };
                self.ask_alone("plan", &format!("{width}, {elements}, {grain}, {}, {kind}", site.0));
            }
            DeviceStmt::Part(part) => {
                let part = self.exp(part);
                self.ask_alone("part", &part.text);
            }
            DeviceStmt::Planned { var, what } => {
                let number = match what {
                    Planned::Parts => 0,
                    Planned::From => 1,
                    Planned::Count => 2,
                    Planned::Processor => 3,
                    Planned::Alone => 4,
                };
                let var = self.name(*var).to_string();
                self.line(format!("{var} = w->host->device_planned(w, {number});"));
            }
            DeviceStmt::Bring { elem, ptr, from, count } => {
                let ptr = self.exp(ptr);
                let [from, bytes] = [from, count].map(|exp| self.exp(exp).times(elem.bytes()).text);
                self.ask_alone("bring", &format!("{}, {from}, {bytes}", ptr.text));
            }
            DeviceStmt::Here { var, elem, ptr } => {
                let (var, ptr) = (self.name(*var).to_string(), self.exp(ptr));
                let ty = self.c_type(Type::Ptr(*elem), None);
                self.open("{");
                self.line("void *out_0;");
                self.ask("here", &format!("{}, &out_0", ptr.text));
                self.line(format!("{var} = ({ty})out_0;"));
                self.close("}");
            }
            DeviceStmt::Written { elem, ptr, from, count } => {
                let ptr = self.exp(ptr);
                let [from, bytes] = [from, count].map(|exp| self.exp(exp).times(elem.bytes()).text);
                self.ask_alone("written", &format!("{}, {from}, {bytes}", ptr.text));
            }
            DeviceStmt::Select(device) => {
                let device = self.exp(device);
                self.ask_alone("select", &device.text);
            }
            DeviceStmt::Fetch(region) | DeviceStmt::Settle(region) => {
                let region = self.exp(region);
                let verb = if matches!(stmt, DeviceStmt::Fetch(_)) { "fetch" } else { "settle" };
                self.needs.device = true;
                self.open("{");
                self.line(format!("int end = norn_{verb}(w, {});", region.text));
                self.line(format!("if ({}) return end;", unlikely("end")));
                self.close("}");
            }
            DeviceStmt::Look { region, cell, words } => {
                let (region, cell) = (self.exp(region), self.exp(cell));
                self.needs.device = true;
                self.open("{");
                self.line(format!("int end = norn_look(w, {}, {}, {words});", region.text, cell.text));
                self.line(format!("if ({}) return end;", unlikely("end")));
                self.close("}");
            }
            DeviceStmt::CellNew { cell, region, words, site } => {
                let (region, words) = (self.exp(region), self.exp(words));
                let cell = self.name(*cell).to_string();
                self.ask_alone("cell", &format!("{}, {}, {}, &{cell}", region.text, words.text, site.0));
            }
            DeviceStmt::CellPlace { ptr, block, region, cell, site } => {
                let (region, cell) = (self.exp(region), self.exp(cell));
                let (ptr, block) = (self.name(*ptr).to_string(), self.name(*block).to_string());
                self.ask_alone(
                    "place",
                    &format!("{}, {}, {}, &{ptr}, &{block}", region.text, cell.text, site.0),
                );
            }
            DeviceStmt::Alloc { .. } => unreachable!("emit: an assignment is no action"),
        }
    }

    fn transfer(&mut self, verb: &str, elem: Elem, to: &Exp, from: &Exp, count: &Exp) {
        let (to, from, bytes) = (self.exp(to), self.exp(from), self.exp(count).times(elem.bytes()));
        self.ask_alone(verb, &format!("{}, {}, {}", to.text, from.text, bytes.text));
    }

    /// Reads of the device, with one wait for all of them.
    pub fn device_reads(&mut self, stmts: &[&DeviceStmt]) {
        let (mut reads, mut arrived) = (Vec::with_capacity(stmts.len()), Vec::new());
        self.open("{");
        for (number, stmt) in stmts.iter().enumerate() {
            let DeviceStmt::Read { vars, elem, ptr, index } = stmt else { continue };
            let place = self.remote_place(*elem, ptr, index);
            let ty = self.c_type(elem.ty(), None);
            let count = vars.len();
            self.line(format!("{};", join(&ty, &format!("out_{number}[{count}]"))));
            reads.push(format!("out_{number}, {}, {}", place.text, elem.bytes() * count as i64));
            arrived.extend((0..).zip(vars).map(|(at, var)| (*var, format!("out_{number}[{at}]"))));
        }
        match &reads[..] {
            [read] => self.ask("read", read),
            _ => {
                self.line(format!("const norn_read reads[] = {{{{{}}}}};", reads.join("}, {")));
                self.ask("read_all", &format!("reads, {}", reads.len()));
            }
        }
        for (var, place) in arrived {
            self.line(format!("{} = {place};", self.name(var)));
        }
        self.close("}");
    }

    /// A call that may not end well, and then ends this function. It is no call of the program, so it leaves no trace.
    fn ask(&mut self, verb: &str, args: &str) {
        self.line(format!("int end = w->host->device_{verb}(w, {args});"));
        self.line(format!("if ({}) return end;", unlikely("end")));
    }

    /// The same, in a block of its own.
    fn ask_alone(&mut self, verb: &str, args: &str) {
        self.open("{");
        self.ask(verb, args);
        self.close("}");
    }
}

/// The reads that these statements begin with and whose places are known before the first of them.
pub fn reads_at_once(stmts: &[Stmt]) -> Vec<&DeviceStmt> {
    let (mut reads, mut read) = (Vec::new(), Vec::new());
    for stmt in stmts {
        let Stmt::Device(stmt @ DeviceStmt::Read { vars, elem: _, ptr, index }) = stmt else { break };
        if read.iter().any(|var| ptr.mentions(*var) || index.mentions(*var)) {
            break;
        }
        reads.push(stmt);
        read.extend(vars);
    }
    reads
}
