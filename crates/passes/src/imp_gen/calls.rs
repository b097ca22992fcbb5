//! Functions: what they take, what they yield, and calls.

use super::repr::{Array, Part, Repr, prim_of};
use super::state::{Gen, Where, part_elems};
use norn_ir::imp::{ConstId as ImpConstId, Exp, FunId as ImpFunId, SiteKind, Stmt, Type, Var as ImpVar};
use norn_ir::nest::grids::{IN_PARTS, IN_PARTS_NAME};
use norn_ir::nest::{self, Atom, ConstId, FunId, Var};

impl Gen<'_> {
    /// Parameters of the function's code for this variable, which has its value in them, borrowed.
    pub fn bind_param(&mut self, var: Var, params: &mut Vec<ImpVar>) {
        let (ty, name) = (self.ty(var), self.name(var));
        match ty {
            nest::Type::Value(elem, dims) if dims.is_empty() => {
                let param = self.code.new_var(name, Type::Scalar(prim_of(*elem)));
                params.push(param);
                self.bind(var, Repr::Scalar(param.into()));
            }
            nest::Type::Value(_, dims) => {
                let vars = self.part_vars(ty, name);
                params.extend(vars.iter().flat_map(|(ptr, block)| [*ptr, *block]));
                let sizes = self.sizes(dims);
                let array = self.array_of_parts(ty, &sizes, borrowed_parts(&vars));
                self.bind(var, Repr::Array(array));
            }
            nest::Type::Region => {
                let param = self.code.new_var(name, Type::Region);
                params.push(param);
                self.bind(var, Repr::Region(param.into()));
            }
            nest::Type::Acc(_) => {
                self.unsupported("an accumulator as a parameter of a recursive function", var);
            }
            nest::Type::Seg { .. } | nest::Type::Cert => {
                self.env.insert(var, Repr::Cert);
            }
        }
    }

    fn part_vars(&mut self, ty: &nest::Type, name: &str) -> Vec<(ImpVar, ImpVar)> {
        part_elems(ty)
            .into_iter()
            .map(|elem| (self.code.new_var(name, self.pointer(elem)), self.code.new_var(name, Type::Block)))
            .collect()
    }

    /// The results of the open body as a function yields them, handed to the caller.
    pub fn results(&mut self, atoms: &[Atom]) -> Vec<Exp> {
        let mut results = Vec::new();
        for atom in atoms {
            match self.keep(*atom) {
                Repr::Scalar(exp) | Repr::Region(exp) => results.push(exp),
                Repr::Array(array) => {
                    results.extend(array.parts().flat_map(|part| [part.ptr.clone(), part.block.clone()]));
                }
                Repr::Acc(_) | Repr::Cert => {}
            }
        }
        results
    }

    pub fn call(&mut self, vars: &[Var], fun: FunId, args: &[Atom]) {
        if self.at == Where::Host && Where::of(&self.prog.funs[fun.0 as usize]) == Where::Cpu {
            return self.call_cpu(vars, fun, args);
        }
        let mut values = Vec::new();
        for arg in args {
            match self.value(*arg) {
                Repr::Scalar(exp) | Repr::Region(exp) => values.push(exp),
                Repr::Array(array) => {
                    let array = self.for_a_call(array);
                    values.extend(array.parts().flat_map(|part| [part.ptr.clone(), part.block.clone()]));
                }
                Repr::Acc(_) | Repr::Cert => {}
            }
        }
        let callee = &self.prog.funs[fun.0 as usize];
        // What fails in a part is reported as if there were none.
        let is_copy = callee.attrs.iter().any(|attr| attr == IN_PARTS);
        let original = callee.name.strip_suffix(IN_PARTS_NAME).filter(|_| is_copy);
        let name = original.unwrap_or(&callee.name).to_string();
        let site = self.out.sites.add(SiteKind::Call(name), self.span);
        let (results, bound) = self.new_results(vars);
        self.code.push(Stmt::Call { fun: ImpFunId(fun.0), args: values, results, site });
        self.bind_results(vars, bound, true);
    }

    /// The body of the function that shows words: its parameters are how many, and the words.
    pub fn show(&mut self) {
        let [count, words] = &self.fun.params[..] else { return };
        if let (Repr::Scalar(count), Repr::Array(words)) =
            (self.value(count.var.into()), self.value(words.var.into()))
            && let Some(part) = words.parts().next()
        {
            self.code.push(Stmt::Show { words: part.ptr.clone(), count });
        }
    }

    /// The array as it crosses the border of a function.
    pub fn for_a_call(&mut self, array: Array) -> Array {
        let fits = array.is_row_major() && array.parts().all(Part::can_be_kept);
        if fits { array } else { self.copy_array("argument", &array, "call") }
    }

    pub fn constant(&mut self, vars: &[Var], id: ConstId) {
        let name = self.prog.funs[self.prog.consts[id.0 as usize].fun.0 as usize].name.clone();
        let site = self.out.sites.add(SiteKind::Call(name), self.span);
        if self.at == Where::Host {
            return self.constant_of_cpu(vars, id, site);
        }
        let (results, bound) = self.new_results(vars);
        self.code.push(Stmt::Const { id: ImpConstId(id.0), results, site });
        self.bind_results(vars, bound, false);
    }

    /// Variables for the results of a call, all of them and by what they belong to.
    pub fn new_results(&mut self, vars: &[Var]) -> (Vec<ImpVar>, Vec<Vec<(ImpVar, ImpVar)>>) {
        let mut results = Vec::new();
        let mut bound = Vec::new();
        for var in vars {
            let (ty, name) = (self.ty(*var), self.name(*var));
            match ty {
                nest::Type::Value(elem, dims) if dims.is_empty() => {
                    let result = self.code.new_var(name, Type::Scalar(prim_of(*elem)));
                    results.push(result);
                    bound.push(vec![(result, result)]);
                }
                nest::Type::Value(..) => {
                    let parts = self.part_vars(ty, name);
                    results.extend(parts.iter().flat_map(|(ptr, block)| [*ptr, *block]));
                    bound.push(parts);
                }
                nest::Type::Region => {
                    let result = self.code.new_var(name, Type::Region);
                    results.push(result);
                    bound.push(vec![(result, result)]);
                }
                nest::Type::Acc(_) | nest::Type::Seg { .. } | nest::Type::Cert => bound.push(Vec::new()),
            }
        }
        (results, bound)
    }

    pub fn bind_results(&mut self, vars: &[Var], bound: Vec<Vec<(ImpVar, ImpVar)>>, owned: bool) {
        for (var, parts) in vars.iter().zip(bound) {
            let ty = self.ty(*var);
            let repr = match ty {
                nest::Type::Value(_, dims) if dims.is_empty() => Repr::Scalar(parts[0].0.into()),
                nest::Type::Value(_, dims) => {
                    let sizes = self.sizes(dims);
                    let array = self.array_of_parts(ty, &sizes, borrowed_parts(&parts));
                    Repr::Array(if owned { self.own_array(array) } else { array })
                }
                nest::Type::Region => Repr::Region(parts[0].0.into()),
                nest::Type::Acc(_) | nest::Type::Seg { .. } | nest::Type::Cert => Repr::Cert,
            };
            self.bind(*var, repr);
        }
    }
}

fn borrowed_parts(vars: &[(ImpVar, ImpVar)]) -> Vec<Part> {
    vars.iter().map(|(ptr, block)| Part::borrowed((*ptr).into(), (*block).into())).collect()
}
