//! Expressions.

use super::{Printer, show_elem, show_type};
use crate::imp::names::{INFIX, constant};
use crate::imp::{BinOp, Exp, GroupExp, Prim, UnOp};

impl Printer<'_> {
    pub fn exp(&self, exp: &Exp) -> String {
        match exp {
            Exp::Const(scalar) => constant(*scalar),
            Exp::Var(var) => self.var(*var),
            Exp::Un(UnOp::Not, Prim::Bool, x) => format!("!{}", self.operand(x)),
            Exp::Un(op, prim, x) => format!("{}.{}({})", op.name(), prim.name(), self.exp(x)),
            Exp::Bin(op, prim, x, y) => self.bin(*op, *prim, x, y),
            Exp::Tri(op, prim, x, y, z) => {
                let operands = [x, y, z].map(|x| self.exp(x)).join(", ");
                format!("{}.{}({operands})", op.name(), prim.name())
            }
            Exp::Convert { from, to, value } => {
                format!("convert.{}.{}({})", from.name(), to.name(), self.exp(value))
            }
            Exp::Select(cond, x, y) => {
                format!("select({}, {}, {})", self.exp(cond), self.exp(x), self.exp(y))
            }
            Exp::Load { elem, ptr, index } => self.place_at(ptr, &self.exp(index), show_elem(*elem)),
            Exp::Offset { elem, ptr, index } => {
                format!("&{}", self.place_at(ptr, &self.exp(index), show_elem(*elem)))
            }
            Exp::Cast(elem, ptr) => format!("cast.{}({})", show_elem(*elem), self.exp(ptr)),
            Exp::Null(ty) => format!("null({})", show_type(*ty)),
            Exp::Data(elem, block) => format!("data.{}({})", show_elem(*elem), self.exp(block)),
            Exp::Remote(elem, block) => format!("remote.{}({})", show_elem(*elem), self.exp(block)),
            Exp::Cell { region, cell } => format!("cell({}, {})", self.exp(region), self.exp(cell)),
            Exp::CellBlock { region, cell } => {
                format!("cell_block({}, {})", self.exp(region), self.exp(cell))
            }
            Exp::Capacity(block) => format!("capacity({})", self.exp(block)),
            Exp::Table(prim, values) => {
                let values: Vec<String> = values.iter().map(|value| constant(*value)).collect();
                format!("static_data.{}({})", prim.name(), values.join(", "))
            }
            Exp::Splat(lanes, x) => format!("splat({lanes}, {})", self.exp(x)),
            Exp::Lanes(prim, lanes) => format!("lanes.{}x{lanes}", prim.name()),
            Exp::LoadLanes { prim, lanes, ptr, index, mask } => {
                let index = format!("{} ..", self.exp(index)) + &self.mask(mask.as_deref());
                self.place_at(ptr, &index, &format!("{}x{lanes}", prim.name()))
            }
            Exp::Gather { prim, ptr, index, mask } => {
                let index = format!("each {}", self.exp(index)) + &self.mask(mask.as_deref());
                self.place_at(ptr, &index, prim.name())
            }
            Exp::Lane(vector, lane) => format!("lane({}, {})", self.exp(vector), self.exp(lane)),
            Exp::Combine(op, prim, vector) => {
                format!("combine.{}.{}({})", op.name(), prim.name(), self.exp(vector))
            }
            Exp::Any(mask) => format!("any({})", self.exp(mask)),
            Exp::Workers => "workers".to_string(),
            Exp::Chunks { width, work } => format!("chunks({}, {})", self.exp(width), self.exp(work)),
            Exp::DeviceGroups => "device_groups".to_string(),
            Exp::DevicePool => "device_pool".to_string(),
            Exp::Tunable(number) => format!("tunable({number})"),
            Exp::Group(GroupExp::Thread) => "this_thread".to_string(),
            Exp::Group(GroupExp::Group) => "this_group".to_string(),
            Exp::Group(GroupExp::Groups) => "group_count".to_string(),
        }
    }

    fn bin(&self, op: BinOp, prim: Prim, x: &Exp, y: &Exp) -> String {
        match INFIX.iter().find(|(infix, ..)| *infix == op) {
            Some((_, symbol, plain)) => {
                let suffix = if prim == *plain { String::new() } else { format!(".{}", prim.name()) };
                format!("{} {symbol}{suffix} {}", self.operand(x), self.operand(y))
            }
            None => format!("{}.{}({}, {})", op.name(), prim.name(), self.exp(x), self.exp(y)),
        }
    }

    /// In parentheses if it is made of several words.
    fn operand(&self, exp: &Exp) -> String {
        let text = self.exp(exp);
        let infix = matches!(exp, Exp::Bin(op, ..) if INFIX.iter().any(|(infix, ..)| infix == op));
        if infix { format!("({text})") } else { text }
    }

    /// `ptr[index].elem`
    pub(super) fn place_at(&self, ptr: &Exp, index: &str, elem: &str) -> String {
        let prefixed = matches!(ptr, Exp::Offset { .. } | Exp::Un(UnOp::Not, Prim::Bool, _));
        let ptr = if prefixed { format!("({})", self.exp(ptr)) } else { self.operand(ptr) };
        format!("{ptr}[{index}].{elem}")
    }

    pub(super) fn mask(&self, mask: Option<&Exp>) -> String {
        mask.map_or(String::new(), |mask| format!(" where {}", self.exp(mask)))
    }
}
