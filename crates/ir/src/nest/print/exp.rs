//! Expressions.

use super::Printer;
use crate::nest::{
    Atom, Body, Check, DataId, DimIndex, Elem, Exp, Lambda, LoopForm, Prim, Reduction, StreamForm, Type, Var,
};
use crate::text::names::quoted;

impl Printer<'_> {
    pub fn exp(&mut self, exp: &Exp) {
        match exp {
            Exp::Atom(x) => self.push(&self.atom(*x)),
            Exp::Un(op, prim, x) => self.scalar(op.name(), *prim, &[*x]),
            Exp::Bin(op, prim, x, y) => self.scalar(op.name(), *prim, &[*x, *y]),
            Exp::Tri(op, prim, x, y, z) => self.scalar(op.name(), *prim, &[*x, *y, *z]),
            Exp::Convert { from, to, value } => {
                self.push(&format!("convert.{}.{} {}", from.name(), to.name(), self.atom(*value)));
            }
            Exp::If { cond, then, els } => {
                self.push(&format!("if {} ", self.atom(*cond)));
                self.body(then);
                self.push(" else ");
                self.body(els);
            }
            Exp::Switch { scrutinee, cases, default } => {
                self.push(&format!("switch {}", self.atom(*scrutinee)));
                for (number, body) in cases {
                    self.push(&format!(" case {number} "));
                    self.body(body);
                }
                self.push(" else ");
                self.body(default);
            }
            Exp::Loop { params, form, body } => {
                let params: Vec<String> =
                    params.iter().map(|(p, x)| format!("{} = {}", self.param(p), self.atom(*x))).collect();
                self.push(&format!("loop ({}) ", params.join(", ")));
                self.loop_form(form);
                self.body(body);
            }
            Exp::Call { fun, args } => {
                self.push(&format!("call {} {}", self.funs.get(fun.0), self.atoms(args)));
            }
            Exp::Const(id) => self.push(&format!("const {}", self.constant(*id))),
            Exp::Check(check) => self.push(&format!("check {}", self.check(check))),
            Exp::ArrayLit(rows) => self.push(&format!("array {}", self.atoms(rows))),
            Exp::Range { prim, count, start, step } => self.scalar("range", *prim, &[*count, *start, *step]),
            Exp::Replicate { count, value } => {
                self.push(&format!("replicate {} {}", self.atom(*count), self.atom(*value)));
            }
            Exp::Index { array, slice } => {
                self.push(&format!("index {} {}", self.var(*array), self.slice(slice)));
            }
            Exp::Update { array, slice, value } => {
                let slice = self.slice(slice);
                self.push(&format!("update {} {slice} {}", self.var(*array), self.atom(*value)));
            }
            Exp::Concat { size, arrays } => {
                self.push(&format!("concat {} {}", self.atom(*size), self.var_list(arrays)));
            }
            Exp::Reshape { array, old, new } => {
                self.push(&format!("reshape {} {old} {}", self.var(*array), self.atoms(new)));
            }
            Exp::Rearrange { array, perm } => {
                let perm: Vec<String> = perm.iter().map(|i| i.to_string()).collect();
                self.push(&format!("rearrange {} ({})", self.var(*array), perm.join(", ")));
            }
            Exp::Copy(array) => self.push(&format!("copy {}", self.var(*array))),
            Exp::Coerce { array, dims } => {
                self.push(format!("coerce {} {}", self.var(*array), self.dims(dims)).trim_end());
            }
            Exp::FlatIndex { array, offset, dims } => {
                let dims = self.strided(dims);
                self.push(&format!("flat_index {} {} {dims}", self.var(*array), self.atom(*offset)));
            }
            Exp::FlatUpdate { array, offset, strides, value } => {
                let (array, offset) = (self.var(*array), self.atom(*offset));
                let (strides, value) = (self.atoms(strides), self.var(*value));
                self.push(&format!("flat_update {array} {offset} {strides} {value}"));
            }
            Exp::Lengths(array) => self.push(&format!("lengths {}", self.var(*array))),
            Exp::JoinRows(array) => self.push(&format!("join_rows {}", self.var(*array))),
            Exp::Segment { lengths, array } => {
                self.push(&format!("segment {} {}", self.var(*lengths), self.var(*array)));
            }
            Exp::Map { width, inputs, lambda } => self.operator("map", *width, inputs, lambda),
            Exp::Filter { width, inputs, lambda } => self.operator("filter", *width, inputs, lambda),
            Exp::Partition { width, inputs, lambda } => self.operator("partition", *width, inputs, lambda),
            Exp::Sort { width, keys, wanted } => {
                let (width, keys) = (self.atom(*width), self.var(*keys));
                self.push(&format!("sort {width} {keys} {}", wanted.name()));
            }
            Exp::Reduce { width, inputs, op } => {
                self.over("reduce", *width, inputs);
                self.reduction(op);
            }
            Exp::Scan { width, inputs, op } => {
                self.over("scan", *width, inputs);
                self.reduction(op);
            }
            Exp::Fused { width, inputs, lambda, scans, reductions } => {
                self.operator("fused", *width, inputs, lambda);
                for op in scans {
                    self.push(" scan");
                    self.reduction(op);
                }
                for op in reductions {
                    self.push(" reduce");
                    self.reduction(op);
                }
            }
            Exp::Scatter { width, dests, inputs, lambda } => {
                self.over("scatter", *width, dests);
                self.push(&format!(" from {} ", self.var_list(inputs)));
                self.lambda(lambda);
            }
            Exp::Hist { width, dests, inputs, lambda, op } => {
                self.over("hist", *width, dests);
                self.push(&format!(" from {} ", self.var_list(inputs)));
                self.lambda(lambda);
                self.push(" reduce");
                self.reduction(op);
            }
            Exp::Stream { width, inputs, form, lambda } => {
                self.over("stream", *width, inputs);
                self.stream_form(form);
                self.push(" ");
                self.lambda(lambda);
            }
            Exp::AccStream { width, dests, inputs, op, lambda } => {
                self.over("acc_stream", *width, dests);
                self.push(&format!(" from {}", self.var_list(inputs)));
                if let Some(op) = op {
                    self.reduction(op);
                }
                self.push(" do ");
                self.lambda(lambda);
            }
            Exp::AccWrite { acc, index, values } => {
                let values = self.atoms(values);
                self.push(&format!("acc_write {} {} {values}", self.var(*acc), self.atom(*index)));
            }
            Exp::Region => self.push("region"),
            Exp::Alloc { region, data, constr, fields } => {
                let region = region.map_or("_".to_string(), |region| self.var(region));
                let fields = self.atoms(fields);
                self.push(&format!("alloc {region} {} {fields}", self.constr(Some(*data), *constr)));
            }
            Exp::Null(data) => self.push(&format!("null {}", self.datas.get(data.0))),
            Exp::Tag { cell } => self.push(&format!("tag {}", self.atom(*cell))),
            Exp::Load { cell, constr } => {
                let constr = self.constr(self.data_of(*cell), *constr);
                self.push(&format!("load {constr} {}", self.atom(*cell)));
            }
            Exp::Workers => self.push("workers"),
        }
    }

    fn loop_form(&mut self, form: &LoopForm) {
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

    fn stream_form(&mut self, form: &StreamForm) {
        let any = |any_order: &bool| if *any_order { " any_order" } else { "" };
        match form {
            StreamForm::Map { any_order } => self.push(&format!(" map{}", any(any_order))),
            StreamForm::Reduce { any_order, op } => {
                self.push(&format!(" reduce{} ", any(any_order)));
                self.lambda(op);
                self.push(" do");
            }
            StreamForm::Seq { init } => self.push(&format!(" seq {}", self.atoms(init))),
        }
    }

    fn scalar(&mut self, name: &str, prim: Prim, operands: &[Atom]) {
        self.push(&format!("{name}.{} {}", prim.name(), self.operands(operands)));
    }

    fn over(&mut self, name: &str, width: Atom, arrays: &[Var]) {
        self.push(&format!("{name} {} {}", self.atom(width), self.var_list(arrays)));
    }

    fn operator(&mut self, name: &str, width: Atom, inputs: &[Var], lambda: &Lambda) {
        self.over(name, width, inputs);
        self.push(" ");
        self.lambda(lambda);
    }

    fn reduction(&mut self, op: &Reduction) {
        if op.commutative {
            self.push(" commutative");
        }
        self.push(&format!(" neutral {} ", self.atoms(&op.neutral)));
        self.lambda(&op.lambda);
    }

    fn lambda(&mut self, lambda: &Lambda) {
        let params: Vec<String> = lambda.params.iter().map(|v| self.binder(*v)).collect();
        self.push(&format!("\\({}) ", params.join(", ")));
        let body: &Body = &lambda.body;
        self.body(body);
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

    fn atoms(&self, atoms: &[Atom]) -> String {
        let atoms: Vec<String> = atoms.iter().map(|x| self.atom(*x)).collect();
        format!("({})", atoms.join(", "))
    }

    fn var_list(&self, vars: &[Var]) -> String {
        let vars: Vec<String> = vars.iter().map(|x| self.var(*x)).collect();
        format!("({})", vars.join(", "))
    }

    fn strided(&self, dims: &[(Atom, Atom)]) -> String {
        let dims: Vec<String> =
            dims.iter().map(|(n, s)| format!("{}:{}", self.atom(*n), self.atom(*s))).collect();
        format!("({})", dims.join(", "))
    }

    fn slice(&self, slice: &[DimIndex]) -> String {
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
            Type::Value(Elem::Prim(_), _) | Type::Acc(_) | Type::Region | Type::Cert => None,
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
