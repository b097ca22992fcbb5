//! The state of lowering, and its course: from the entry points to whatever they reach.

use crate::classes::{Classes, Place};
use crate::data::Datas;
use crate::index::{EnvId, Index};
use crate::instance::{Inst, InstKey};
use crate::limits::{Limits, TooLarge, Use};
use crate::mono::{Mono, Sizes, TypeArgs};
use crate::rep::{Rep, SumRep};
use crate::value::Value;
use norn_base::{Diagnostic, Diagnostics, Span, Symbol, codes};
use norn_check::typed::{Exp, Fun, Program};
use norn_check::types::{SizeTerm, Ty, TyId, VarId};
use norn_ir::nest::build::FunBuilder;
use norn_ir::nest::derivative::Derivatives;
use norn_ir::nest::normalise::normalise;
use norn_ir::nest::{self, Atom, DataId, FunId, Prog};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

pub struct Lower<'a> {
    pub program: &'a Program,
    pub index: Index<'a>,
    pub classes: Classes,
    pub datas: Datas,
    pub diagnostics: Diagnostics,
    /// The function that is being built.
    pub b: FunBuilder,
    pub funs: Vec<Option<nest::Fun>>,
    pub consts: Vec<nest::Const>,
    pub instances: FxHashMap<InstKey, usize>,
    pub insts: Vec<Inst>,
    /// Definitions whose instances are being lowered, innermost last.
    pub active: Vec<(VarId, InstKey)>,
    /// How the function that is being built came to be needed.
    pub uses: Vec<Use>,
    pub limits: Limits,
    /// Expressions and functions by their address.
    pub nodes: FxHashMap<usize, &'a Exp>,
    pub locals: FxHashMap<usize, &'a Fun>,
    pub mentioned: FxHashMap<usize, crate::scope::Captures>,
    /// How often the body of each lambda was put in place of a call.
    pub inlined: FxHashMap<usize, usize>,
    /// Checks are left out inside `#[unsafe]`.
    pub unchecked: usize,
    /// Results of calls, in the function that is being built, that may share memory with each other.
    pub shared: FxHashSet<nest::Var>,
    /// The application that is being lowered, for the classes of functions that meet in it.
    pub site: Place,
    /// The expression that is being lowered.
    pub at: Span,
    /// Types of entry points that have a name, by their texts.
    pub type_names: FxHashMap<String, String>,
    /// Functions that are to be derivatives, and have no body yet.
    pub derivatives: Derivatives,
    /// Functions that show values.
    pub observers: Vec<crate::observe::Observer>,
}

/// What names mean in the function that is being built.
#[derive(Clone)]
pub struct Scope {
    pub env: EnvId,
    /// Type parameters, with holes for sizes, and the atoms of these.
    pub tys: Rc<[(TyId, Mono)]>,
    pub holes: Vec<Atom>,
    pub args: Rc<TypeArgs>,
    pub vars: FxHashMap<VarId, Value>,
    /// Sizes that were passed by name, since no argument has them as a dimension.
    pub passed: FxHashSet<VarId>,
    /// Sizes that were computed. They stand for no more than their body, and what is inside of it.
    pub computed: FxHashMap<(Rc<SizeTerm>, EnvId), nest::Var>,
}

impl Scope {
    pub fn new(env: EnvId, tys: Rc<[(TyId, Mono)]>, holes: Vec<Atom>) -> Scope {
        let mut args = TypeArgs::default();
        args.types.extend(tys.iter().map(|(id, m)| (*id, m.fill_holes(&holes))));
        Scope {
            env,
            tys,
            holes,
            args: Rc::new(args),
            vars: FxHashMap::default(),
            passed: FxHashSet::default(),
            computed: FxHashMap::default(),
        }
    }

    /// The place of a node, for the classes of the functions that meet there.
    pub fn place<T>(&self, node: &T) -> Place {
        Place::Node(std::ptr::from_ref(node) as usize, self.env, self.tys.clone())
    }
}

/// A program in nest, and the derivatives that are to be written. What cannot be lowered yet is reported.
pub fn lower(program: &Program) -> Result<(Prog, Derivatives), Diagnostics> {
    let mut classes = Classes::default();
    let mut datas = Datas::default();
    // A function of a class may be asked for before the round has come to where it stands: what is known of the program stays known.
    let mut index = Index::new(program);
    let mut nodes = FxHashMap::default();
    let mut locals = FxHashMap::default();
    let mut mentioned = FxHashMap::default();
    let mut limits = Limits::new(program);
    loop {
        let mut l = Lower {
            program,
            index,
            classes,
            datas,
            diagnostics: Diagnostics::default(),
            b: FunBuilder::new(),
            funs: Vec::new(),
            consts: Vec::new(),
            instances: FxHashMap::default(),
            insts: Vec::new(),
            active: Vec::new(),
            uses: Vec::new(),
            limits,
            nodes,
            locals,
            mentioned,
            inlined: FxHashMap::default(),
            unchecked: 0,
            shared: FxHashSet::default(),
            site: Place::Payload(DataId(0)),
            at: Span { file: norn_base::FileId(0), lo: 0, hi: 0 },
            type_names: FxHashMap::default(),
            derivatives: Derivatives::default(),
            observers: Vec::new(),
        };
        let work = std::panic::AssertUnwindSafe(|| (l.entry_points(), l.define_datas()));
        let (mut prog, named) = match std::panic::catch_unwind(work) {
            Ok(done) => done,
            Err(thrown) => return Err(TooLarge::diagnostics(thrown)),
        };
        if l.diagnostics.has_errors() {
            l.diagnostics.sort();
            return Err(l.diagnostics);
        }
        l.next_round()?;
        let (mut again, found) = (l.classes, l.datas);
        datas = found;
        if !again.next_round(&mut |class| datas.new_class(class)) {
            prog.datas = named;
            prog.consts = l.consts;
            prog.funs = l.funs.into_iter().map(|f| f.expect("lower: a function without body")).collect();
            normalise(&mut prog);
            return Ok((prog, l.derivatives));
        }
        classes = again;
        (index, nodes, locals, mentioned, limits) = (l.index, l.nodes, l.locals, l.mentioned, l.limits);
    }
}

struct ScopeSizes<'s>(&'s mut Scope);

impl Sizes for ScopeSizes<'_> {
    fn size(&mut self, l: &mut Lower, s: &norn_check::types::Size, env: EnvId) -> crate::mono::MonoSize {
        l.size_in(self.0, s, env)
    }
}

impl<'a> Lower<'a> {
    pub fn unsupported(&mut self, span: Span, message: impl Into<String>) {
        let at = self.place_of_user(span);
        self.diagnostics.push(Diagnostic::error(codes::NOT_SUPPORTED, at, message));
    }

    /// A type in a scope, its sizes computed.
    pub fn mono_in(&mut self, s: &mut Scope, t: &Ty) -> Mono {
        let (env, args) = (s.env, s.args.clone());
        self.mono(t, env, &args, &mut ScopeSizes(s))
    }

    /// A type in a scope, with those sizes that have names.
    pub fn mono_of_names(&mut self, s: &mut Scope, t: &Ty) -> Mono {
        let (env, args) = (s.env, s.args.clone());
        self.mono(t, env, &args, &mut crate::mono::NothingComputed(&mut ScopeSizes(s)))
    }

    /// A type in a scope, without its sizes.
    pub fn mono_without_sizes(&mut self, s: &Scope, t: &Ty) -> Mono {
        let args = s.args.clone();
        self.mono(t, s.env, &args, &mut crate::mono::NoSizes)
    }

    /// How values of a type are represented where nothing is known about the functions in it.
    pub fn rep_of(&mut self, m: &Mono, place: &Place, part: &mut usize) -> Rep {
        use crate::mono::MonoSize;
        match m {
            Mono::Prim(p) => Rep::Prim(*p),
            Mono::Data(d) => Rep::Data(*d),
            Mono::Record(fields) => {
                Rep::Record(fields.iter().map(|(f, m)| (*f, self.rep_of(m, place, part))).collect())
            }
            Mono::Sum(cs) => {
                let payload = |(c, ms): &(Symbol, Vec<Mono>)| {
                    (*c, ms.iter().map(|m| self.rep_of(m, place, part)).collect())
                };
                Rep::Sum(Rc::new(SumRep::new(cs.iter().map(payload).collect())))
            }
            Mono::Array(s, elem) => {
                let irregular = match s {
                    MonoSize::Irregular => true,
                    MonoSize::Atom(_) | MonoSize::Hole(_) | MonoSize::Unknown => false,
                };
                Rep::Array(irregular, Rc::new(self.rep_of(elem, place, part).as_element()))
            }
            Mono::Acc(elem) => Rep::Acc(Rc::new(self.rep_of(elem, place, part))),
            Mono::Fun(..) => {
                *part += 1;
                Rep::Dyn(self.classes.at(place, *part - 1))
            }
        }
    }

    pub fn new_fun(&mut self) -> FunId {
        self.funs.push(None);
        FunId(self.funs.len() as u32 - 1)
    }

    pub fn name_of(&self, v: VarId) -> &'static str {
        self.program.names.var(v).name.as_str()
    }

    pub fn data_name(&self, d: DataId) -> String {
        self.datas.name(d)
    }
}
