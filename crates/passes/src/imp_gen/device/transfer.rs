//! Calls of functions that run on the processor: arrays go there before, and results come back.

use crate::imp_gen::repr::{Array, Part, Repr, prim_of};
use crate::imp_gen::state::{Gen, part_elems};
use norn_ir::imp::{
    ConstId as ImpConstId, DeviceStmt, Elem, Exp, FunId as ImpFunId, Prim, SiteId, SiteKind, Stmt, Type,
    Var as ImpVar,
};
use norn_ir::nest::{self, Atom, ConstId, FunId, Var};

const I64: Elem = Elem::Prim(Prim::I64);

impl Gen<'_> {
    pub fn call_cpu(&mut self, vars: &[Var], fun: FunId, args: &[Atom]) {
        let callee = &self.prog.funs[fun.0 as usize];
        let site = self.out.sites.add(SiteKind::Call(callee.name.clone()), self.span);
        let mut values = Vec::new();
        let mut blocks = Vec::new();
        for arg in args {
            match self.value(*arg) {
                Repr::Scalar(exp) => values.push(exp),
                Repr::Region(exp) => {
                    self.fetch_region(&exp);
                    values.push(exp);
                }
                Repr::Array(array) => {
                    for (ptr, block) in self.download(array, site) {
                        values.extend([ptr, block.into()]);
                        blocks.push(block);
                    }
                }
                Repr::Acc(_) | Repr::Cert => {}
            }
        }
        let (results, bound) = self.results_of_cpu(vars);
        self.code.push(Stmt::Call { fun: ImpFunId(fun.0), args: values, results, site });
        blocks.into_iter().for_each(|block| self.code.release(block));
        self.upload_results(vars, bound, site, true);
    }

    pub fn constant_of_cpu(&mut self, vars: &[Var], id: ConstId, site: SiteId) {
        let (results, bound) = self.results_of_cpu(vars);
        self.code.push(Stmt::Const { id: ImpConstId(id.0), results, site });
        self.upload_results(vars, bound, site, false);
    }

    /// Variables for results in the host's memory, all of them and by what they belong to.
    fn results_of_cpu(&mut self, vars: &[Var]) -> (Vec<ImpVar>, Vec<Vec<(ImpVar, ImpVar)>>) {
        let (mut results, mut bound) = (Vec::new(), Vec::new());
        for var in vars {
            let (ty, name) = (self.ty(*var), self.name(*var));
            let single = match ty {
                nest::Type::Value(elem, dims) if dims.is_empty() => Type::Scalar(prim_of(*elem)),
                nest::Type::Region => Type::Region,
                nest::Type::Value(..) => {
                    let mut parts = Vec::new();
                    for elem in part_elems(ty) {
                        let ptr = self.code.new_var(name, Type::Ptr(elem));
                        parts.push((ptr, self.code.new_var(name, Type::Block)));
                    }
                    results.extend(parts.iter().flat_map(|(ptr, block)| [*ptr, *block]));
                    bound.push(parts);
                    continue;
                }
                nest::Type::Acc(_) | nest::Type::Seg { .. } | nest::Type::Cert => {
                    bound.push(Vec::new());
                    continue;
                }
            };
            let result = self.code.new_var(name, single);
            results.push(result);
            bound.push(vec![(result, result)]);
        }
        (results, bound)
    }

    fn upload_results(&mut self, vars: &[Var], bound: Vec<Vec<(ImpVar, ImpVar)>>, site: SiteId, owned: bool) {
        for (var, parts) in vars.iter().zip(bound) {
            let ty = self.ty(*var);
            let repr = match ty {
                nest::Type::Value(_, dims) if dims.is_empty() => Repr::Scalar(parts[0].0.into()),
                nest::Type::Value(_, dims) => {
                    let sizes = self.sizes(dims);
                    let array = self.upload(ty, &sizes, &parts, site);
                    if owned {
                        parts.iter().for_each(|(_, block)| self.code.release(*block));
                    }
                    Repr::Array(array)
                }
                nest::Type::Region => Repr::Region(parts[0].0.into()),
                nest::Type::Acc(_) | nest::Type::Seg { .. } | nest::Type::Cert => Repr::Cert,
            };
            self.bind(*var, repr);
        }
    }

    /// The parts of an array in the host's memory: pointers, and blocks that are to be released.
    fn download(&mut self, array: Array, site: SiteId) -> Vec<(Exp, ImpVar)> {
        let array = if array.is_row_major() { array } else { self.copy_array("argument", &array, "call") };
        let mut parts = Vec::new();
        let lead: Vec<Exp> = array.lead.iter().map(|lead| lead.size.clone()).collect();
        // Which elements of the next part belong to the array.
        let (mut first, mut count) = (Exp::i64(0), self.code.atom("count", Exp::product(lead)));
        for (at, part) in array.offsets.iter().enumerate() {
            let entries = self.code.atom("entries", count.clone().add(1));
            let (ptr, block) = self.download_part(part, I64, first.clone(), entries, site);
            let from = self.code.bind("from", Exp::load(I64, ptr.clone(), first.clone()));
            let to = self.code.bind("to", Exp::load(I64, ptr.clone(), first.add(count)));
            let unit = self.unit(&array.tail, at);
            first = self.code.atom("first", Exp::Var(from).mul(unit.clone()));
            count = self.code.atom("count", Exp::Var(to).sub(from).mul(unit));
            parts.push((ptr, block));
        }
        let elem = Elem::Prim(array.prim);
        parts.push(self.download_part(&array.data, elem, first, count, site));
        parts
    }

    /// Of each row behind the so-many-th `?`, how many rows of the next, or elements, it has.
    pub fn unit(&mut self, tail: &[Option<Exp>], at: usize) -> Exp {
        let mut seen = 0;
        let mut unit = Exp::i64(1);
        for size in tail {
            match size {
                None => seen += 1,
                Some(size) if seen == at + 1 => unit = unit.mul(size.clone()),
                Some(_) => {}
            }
        }
        self.code.atom("unit", unit)
    }

    /// Elements `first` and following; the pointer is to where element 0 would be.
    fn download_part(
        &mut self,
        part: &Part,
        elem: Elem,
        first: Exp,
        count: Exp,
        site: SiteId,
    ) -> (Exp, ImpVar) {
        let block = self.code.alloc("moved", elem, count.clone(), site);
        let to = Exp::data(elem, block);
        let from = Exp::offset(elem, part.ptr.clone(), first.clone());
        self.code.push(Stmt::Device(DeviceStmt::Download { elem, to: to.clone(), from, count }));
        let ptr = self.code.bind("moved", Exp::offset(elem, to, Exp::i64(0).sub(first)));
        (ptr.into(), block)
    }

    /// An array in the host's memory, row-major, on the device.
    fn upload(
        &mut self,
        ty: &nest::Type,
        sizes: &[Option<Exp>],
        parts: &[(ImpVar, ImpVar)],
        site: SiteId,
    ) -> Array {
        let irregular = sizes.iter().position(Option::is_none).unwrap_or(sizes.len());
        let (lead, tail) = sizes.split_at(irregular);
        let (mut first, mut count) =
            (Exp::i64(0), self.code.atom("count", Exp::product(lead.iter().flatten().cloned())));
        let mut moved = Vec::with_capacity(parts.len());
        for (at, ((ptr, _), elem)) in parts.iter().zip(part_elems(ty)).enumerate() {
            let is_offsets = at + 1 < parts.len();
            let entries = if is_offsets { count.clone().add(1) } else { count.clone() };
            let entries = self.code.atom("entries", entries);
            moved.push(self.upload_part((*ptr).into(), elem, first.clone(), entries, site));
            if is_offsets {
                let from = self.code.bind("from", Exp::load(I64, *ptr, first.clone()));
                let to = self.code.bind("to", Exp::load(I64, *ptr, first.add(count)));
                let unit = self.unit(tail, at);
                first = self.code.atom("first", Exp::Var(from).mul(unit.clone()));
                count = self.code.atom("count", Exp::Var(to).sub(from).mul(unit));
            }
        }
        self.array_of_parts(ty, sizes, moved)
    }

    fn upload_part(&mut self, ptr: Exp, elem: Elem, first: Exp, count: Exp, site: SiteId) -> Part {
        let prim = match elem {
            Elem::Prim(prim) => prim,
            Elem::Any | Elem::Block | Elem::Region => panic!("imp_gen: a part of no values"),
        };
        let mut part = self.new_part("moved", prim, std::slice::from_ref(&count), site);
        let from = Exp::offset(elem, ptr, first.clone());
        self.code.push(Stmt::Device(DeviceStmt::Upload { elem, to: part.ptr.clone(), from, count }));
        let ptr = self.code.bind("moved", Exp::offset(elem, part.ptr.clone(), Exp::i64(0).sub(first)));
        part.ptr = ptr.into();
        part
    }
}
