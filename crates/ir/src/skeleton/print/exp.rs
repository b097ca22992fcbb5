//! Prints expressions of the skeleton: scalars, control flow, arrays, cells, checks. Operators print themselves (`Operators::print`).
//!
//! The text is what `skeleton/parse` reads: `parse(print(p)) == p` on every program of the tests. Names are unique in a function, so there are no scopes to show.

use super::Printer;
use crate::skeleton::{
    ArrayExp, Atom, CellExp, Check, ControlExp, DataId, DimIndex, Elem, Exp, Lambda, LoopForm, Operators,
    Prim, Reduction, ScalarExp, Type, Var,
};
use crate::text::names::quoted;

impl Printer<'_> {
    pub(crate) fn exp<O: Operators>(&mut self, exp: &Exp<O>) {
        match exp {
            Exp::Scalar(exp) => self.scalar_exp(exp),
            Exp::Control(exp) => self.control_exp(exp),
            Exp::Array(exp) => self.array_exp(exp),
            Exp::Cell(exp) => self.cell_exp(exp),
            Exp::Op(op) => op.print(self),
        }
    }

    fn scalar_exp(&mut self, exp: &ScalarExp) {
        match exp {
            ScalarExp::Atom(x) => self.push(&self.atom(*x)),
            ScalarExp::Un(op, prim, x) => self.scalar(op.name(), *prim, &[*x]),
            ScalarExp::Bin(op, prim, x, y) => self.scalar(op.name(), *prim, &[*x, *y]),
            ScalarExp::Tri(op, prim, x, y, z) => self.scalar(op.name(), *prim, &[*x, *y, *z]),
            ScalarExp::Convert { from, to, value } => {
                self.push(&format!("convert.{}.{} {}", from.name(), to.name(), self.atom(*value)));
            }
            ScalarExp::Workers => self.push("workers"),
            ScalarExp::Tunable(number) => self.push(&format!("tunable {number}")),
        }
    }

    fn control_exp<O: Operators>(&mut self, exp: &ControlExp<O>) {
        match exp {
            ControlExp::If { cond, then, els } => {
                self.push(&format!("if {} ", self.atom(*cond)));
                self.body(then);
                self.push(" else ");
                self.body(els);
            }
            ControlExp::Switch { scrutinee, cases, default } => {
                self.push(&format!("switch {}", self.atom(*scrutinee)));
                for (number, body) in cases {
                    self.push(&format!(" case {number} "));
                    self.body(body);
                }
                self.push(" else ");
                self.body(default);
            }
            ControlExp::Loop { params, form, body } => {
                let params: Vec<String> =
                    params.iter().map(|(p, x)| format!("{} = {}", self.param(p), self.atom(*x))).collect();
                self.push(&format!("loop ({}) ", params.join(", ")));
                self.loop_form(form);
                self.body(body);
            }
            ControlExp::Call { fun, args } => {
                self.push(&format!("call {} {}", self.funs.get(fun.0), self.atoms(args)));
            }
            ControlExp::Const(id) => self.push(&format!("const {}", self.constant(*id))),
            ControlExp::Check(check) => self.push(&format!("check {}", self.check(check))),
        }
    }

    fn array_exp(&mut self, exp: &ArrayExp) {
        match exp {
            ArrayExp::ArrayLit(rows) => self.push(&format!("array {}", self.atoms(rows))),
            ArrayExp::Range { prim, count, start, step } => {
                self.scalar("range", *prim, &[*count, *start, *step])
            }
            ArrayExp::Replicate { count, value } => {
                self.push(&format!("replicate {} {}", self.atom(*count), self.atom(*value)));
            }
            ArrayExp::Index { array, slice } => {
                self.push(&format!("index {} {}", self.var(*array), self.slice(slice)));
            }
            ArrayExp::Update { array, slice, value } => {
                let slice = self.slice(slice);
                self.push(&format!("update {} {slice} {}", self.var(*array), self.atom(*value)));
            }
            ArrayExp::Concat { size, arrays } => {
                self.push(&format!("concat {} {}", self.atom(*size), self.var_list(arrays)));
            }
            ArrayExp::Reshape { array, old, new } => {
                self.push(&format!("reshape {} {old} {}", self.var(*array), self.atoms(new)));
            }
            ArrayExp::Rearrange { array, perm } => {
                let perm: Vec<String> = perm.iter().map(|i| i.to_string()).collect();
                self.push(&format!("rearrange {} ({})", self.var(*array), perm.join(", ")));
            }
            ArrayExp::Copy(array) => self.push(&format!("copy {}", self.var(*array))),
            ArrayExp::Coerce { array, dims } => {
                self.push(format!("coerce {} {}", self.var(*array), self.dims(dims)).trim_end());
            }
            ArrayExp::FlatIndex { array, offset, dims } => {
                let dims = self.strided(dims);
                self.push(&format!("flat_index {} {} {dims}", self.var(*array), self.atom(*offset)));
            }
            ArrayExp::FlatUpdate { array, offset, strides, value } => {
                let (array, offset) = (self.var(*array), self.atom(*offset));
                let (strides, value) = (self.atoms(strides), self.var(*value));
                self.push(&format!("flat_update {array} {offset} {strides} {value}"));
            }
            ArrayExp::Ends(lengths) => self.push(&format!("ends {}", self.var(*lengths))),
            ArrayExp::Lengths(array) => self.push(&format!("lengths {}", self.var(*array))),
            ArrayExp::JoinRows(array) => self.push(&format!("join_rows {}", self.var(*array))),
            ArrayExp::Segment { lengths, array } => {
                self.push(&format!("segment {} {}", self.var(*lengths), self.var(*array)));
            }
            ArrayExp::AccWrite { acc, index, values } => {
                let values = self.atoms(values);
                self.push(&format!("acc_write {} {} {values}", self.var(*acc), self.atom(*index)));
            }
        }
    }

    fn cell_exp(&mut self, exp: &CellExp) {
        match exp {
            CellExp::Region => self.push("region"),
            CellExp::Alloc { region, data, constr, fields } => {
                let region = region.map_or("_".to_string(), |region| self.var(region));
                let fields = self.atoms(fields);
                self.push(&format!("alloc {region} {} {fields}", self.constr(Some(*data), *constr)));
            }
            CellExp::Null(data) => self.push(&format!("null {}", self.datas.get(data.0))),
            CellExp::Tag { cell } => self.push(&format!("tag {}", self.atom(*cell))),
            CellExp::Load { cell, constr } => {
                let constr = self.constr(self.data_of(*cell), *constr);
                self.push(&format!("load {constr} {}", self.atom(*cell)));
            }
        }
    }

    fn loop_form<O: Operators>(&mut self, form: &LoopForm<O>) {
        match form {
            LoopForm::For(var, bound) => {
                self.push(&format!("for {} < {} ", self.binder(*var), self.atom(*bound)));
            }
            LoopForm::While(cond) => {
                self.push("while ");
                self.body(cond);
                self.push(" do ");
            }
        }
    }

    fn scalar(&mut self, name: &str, prim: Prim, operands: &[Atom]) {
        self.push(&format!("{name}.{} {}", prim.name(), self.operands(operands)));
    }

    pub(crate) fn over(&mut self, name: &str, width: Atom, arrays: &[Var]) {
        self.push(&format!("{name} {} {}", self.atom(width), self.var_list(arrays)));
    }

    pub(crate) fn reduction<O: Operators>(&mut self, op: &Reduction<O>) {
        if op.commutative {
            self.push(" commutative");
        }
        self.push(&format!(" neutral {} ", self.atoms(&op.neutral)));
        self.lambda(&op.lambda);
    }

    pub(crate) fn lambda<O: Operators>(&mut self, lambda: &Lambda<O>) {
        let params: Vec<String> = lambda.params.iter().map(|v| self.binder(*v)).collect();
        self.push(&format!("\\({}) ", params.join(", ")));
        self.body(&lambda.body);
    }

    fn check(&self, check: &Check) -> String {
        match check {
            Check::Index { index, length } => format!("index {}", self.operands(&[*index, *length])),
            Check::Slice { start, count, stride, length } => {
                format!("slice {}", self.operands(&[*start, *count, *stride, *length]))
            }
            Check::Size { expected, found } => format!("size {}", self.operands(&[*expected, *found])),
            Check::Shape { array, dims } => {
                format!("shape {} {}", self.var(*array), self.dims(dims)).trim_end().to_string()
            }
            Check::NonNegative(x) => format!("nonnegative {}", self.atom(*x)),
            Check::NonZero(prim, x) => format!("nonzero.{} {}", prim.name(), self.atom(*x)),
            Check::Exponent(prim, x) => format!("exponent.{} {}", prim.name(), self.atom(*x)),
            Check::Range { prim, start, second, end, ok } => {
                format!("range.{} {}", prim.name(), self.operands(&[*start, *second, *end, *ok]))
            }
            Check::Segments { lengths, total } => {
                format!("segments {} {}", self.var(*lengths), self.atom(*total))
            }
            Check::Flat { offset, dims, length } => {
                format!("flat {} {} {}", self.atom(*offset), self.strided(dims), self.atom(*length))
            }
            Check::Assert { cond, text } => format!("assert {} {}", self.atom(*cond), quoted(text)),
            Check::Fail { text } => format!("fail {}", quoted(text)),
        }
    }

    // # Small parts

    fn operands(&self, atoms: &[Atom]) -> String {
        let atoms: Vec<String> = atoms.iter().map(|x| self.atom(*x)).collect();
        atoms.join(" ")
    }

    pub(crate) fn atoms(&self, atoms: &[Atom]) -> String {
        let atoms: Vec<String> = atoms.iter().map(|x| self.atom(*x)).collect();
        format!("({})", atoms.join(", "))
    }

    pub(crate) fn var_list(&self, vars: &[Var]) -> String {
        let vars: Vec<String> = vars.iter().map(|x| self.var(*x)).collect();
        format!("({})", vars.join(", "))
    }

    fn strided(&self, dims: &[(Atom, Atom)]) -> String {
        let dims: Vec<String> =
            dims.iter().map(|(n, s)| format!("{}:{}", self.atom(*n), self.atom(*s))).collect();
        format!("({})", dims.join(", "))
    }

    pub(crate) fn slice(&self, slice: &[DimIndex]) -> String {
        let dim = |dim: &DimIndex| match dim {
            DimIndex::Fix(index) => self.atom(*index),
            DimIndex::Slice { start, count, stride } => {
                format!("{}:{}:{}", self.atom(*start), self.atom(*count), self.atom(*stride))
            }
        };
        let dims: Vec<String> = slice.iter().map(dim).collect();
        format!("[{}]", dims.join(", "))
    }

    fn data_of(&self, cell: Atom) -> Option<DataId> {
        let info = self.table?.vars.get(cell.var()?.0 as usize)?;
        match info.ty {
            Type::Value(Elem::Ref(data, _), _) => Some(data),
            Type::Value(Elem::Prim(_), _) | Type::Acc(_) | Type::Seg { .. } | Type::Region | Type::Cert => {
                None
            }
        }
    }

    fn constr(&self, data: Option<DataId>, constr: usize) -> String {
        let Some(data) = data else {
            return format!("_.%{constr}");
        };
        let constr = match self.constrs.get(data.0 as usize) {
            Some(names) => names.get(constr as u32),
            None => format!("%{constr}"),
        };
        format!("{}.{constr}", self.datas.get(data.0))
    }
}
