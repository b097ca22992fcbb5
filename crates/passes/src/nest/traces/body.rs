//! The statements of a function, with its traces as data.
//!
//! A body is rewritten in one of two modes. Outside of operators (`Mode::Shows`) what is found is shown at once, by a call of `show`. Inside of them
//! (`Mode::Logs`) there are no effects: each statement that traces yields the words of its log as further results, and the body joins them in the order of
//! its statements. A statement that traces nothing stays as it is.
//!
//! Most statements only pass the mode on. Three decide something. A map is where the modes meet: its lambda logs, and the rows of logs are joined behind
//! it. A loop inside of an operator appends to an array that is doubled when it is full, since joining in each iteration would be quadratic
//! (`logging_loop`). A `while` whose condition traces gets the condition into its body (`condition_in_body`), as a condition yields nothing but whether
//! it holds. The operators that are left are in `operators`.

use super::words::{Words, words_type};
use super::{Mode, Version, Versions};
use norn_base::Span;
use norn_ir::nest::{
    ArrayExp, Atom, BinOp, Body, ControlExp, Dim, DimIndex, Exp, Fun, FunId, Lambda, LoopForm, Operator,
    Param, Prim, Ret, ScalarExp, Stm, Type, Var, VarInfo,
};

/// A function that is being rewritten.
pub struct Rewrite<'v, 't> {
    versions: &'v mut Versions<'t>,
    fun: Fun,
    /// The place of traces that are in the library.
    place: Option<Span>,
    /// What new statements come from.
    span: Span,
    certs: Vec<Var>,
}

/// A body in the making.
pub struct Out {
    mode: Mode,
    pub stms: Vec<Stm>,
    /// What it logs.
    log: Vec<Words>,
}

impl<'v, 't> Rewrite<'v, 't> {
    pub fn new(fun: &Fun, place: Option<Span>, versions: &'v mut Versions<'t>) -> Rewrite<'v, 't> {
        Rewrite { versions, fun: fun.clone(), place, span: fun.span, certs: Vec::new() }
    }

    /// The function, with traces that are shown at once.
    pub fn shows(mut self) -> Fun {
        let body = std::mem::take(&mut self.fun.body);
        self.fun.body = self.shown(body);
        self.fun
    }

    /// The function, with its log as last result.
    pub fn logs(mut self) -> Fun {
        let body = std::mem::take(&mut self.fun.body);
        self.fun.body = self.with_log(body);
        let count = self.fun.ret.len();
        self.fun.ret.push(Ret::plain(Type::i64()));
        self.fun.ret.push(Ret::plain(Type::array(Prim::I64, vec![Dim::Result(count)])));
        self.fun
    }

    pub fn traces(&self, lambda: &Lambda) -> bool {
        self.versions.tracing.body(&lambda.body)
    }

    // # New variables and statements

    pub fn ty(&self, var: Var) -> &Type {
        &self.fun.vars[var.0 as usize].ty
    }

    pub fn vars(&self) -> &[VarInfo] {
        &self.fun.vars
    }

    pub fn new_var(&mut self, name: &str, ty: Type) -> Var {
        self.fun.vars.push(VarInfo::new(name, ty));
        Var(self.fun.vars.len() as u32 - 1)
    }

    pub fn stm(&self, vars: Vec<Var>, exp: Exp) -> Stm {
        Stm { certs: self.certs.clone(), ..Stm::new(vars, exp, self.span) }
    }

    pub fn push(&mut self, stms: &mut Vec<Stm>, vars: Vec<Var>, exp: Exp) {
        stms.push(self.stm(vars, exp));
    }

    pub fn emit(&mut self, stms: &mut Vec<Stm>, name: &str, ty: Type, exp: Exp) -> Var {
        let var = self.new_var(name, ty);
        self.push(stms, vec![var], exp);
        var
    }

    pub fn bin(&mut self, stms: &mut Vec<Stm>, op: BinOp, x: Atom, y: Atom) -> Atom {
        self.emit(stms, "n", Type::i64(), Exp::Scalar(ScalarExp::Bin(op, Prim::I64, x, y))).into()
    }

    // # Bodies

    /// A body outside of operators.
    fn shown(&mut self, body: Body) -> Body {
        self.body(body, Mode::Shows).0
    }

    /// A body inside of an operator, and its log.
    fn logged(&mut self, body: Body) -> (Body, Words) {
        let (mut body, log) = self.body(body, Mode::Logs);
        let log = self.join(&mut body.stms, &log);
        (body, log)
    }

    /// The body, with the length of its log and the log as last results.
    fn with_log(&mut self, body: Body) -> Body {
        let (mut body, log) = self.logged(body);
        body.result.extend([log.count, log.array.into()]);
        body
    }

    fn body(&mut self, body: Body, mode: Mode) -> (Body, Vec<Words>) {
        let (span, certs) = (self.span, self.certs.clone());
        let mut out = Out { mode, stms: Vec::with_capacity(body.stms.len()), log: Vec::new() };
        body.stms.into_iter().for_each(|stm| self.statement(stm, &mut out));
        (self.span, self.certs) = (span, certs);
        (Body { stms: out.stms, result: body.result }, out.log)
    }

    pub fn statement(&mut self, stm: Stm, out: &mut Out) {
        if !self.versions.tracing.exp(&stm.exp) {
            out.stms.push(stm);
            return;
        }
        (self.span, self.certs) = (stm.span, stm.certs.clone());
        let Stm { mut vars, certs, grid, exp, attrs, span } = stm;
        let exp = match (exp, out.mode) {
            (Exp::Control(ControlExp::Call { fun, args }), _)
                if self.versions.tracing.observed[fun.0 as usize].is_some() =>
            {
                return self.observe(fun, &args, out);
            }
            (Exp::Control(ControlExp::Call { fun, args }), mode) => {
                Exp::Control(ControlExp::Call { fun: self.version(fun, mode, span), args })
            }
            (Exp::Control(ControlExp::If { cond, then, els }), Mode::Shows) => {
                Exp::Control(ControlExp::If { cond, then: self.shown(then), els: self.shown(els) })
            }
            (Exp::Control(ControlExp::If { cond, then, els }), Mode::Logs) => {
                Exp::Control(ControlExp::If { cond, then: self.with_log(then), els: self.with_log(els) })
            }
            (Exp::Control(ControlExp::Switch { scrutinee, cases, default }), mode) => {
                let mut branch = |body| match mode {
                    Mode::Shows => self.shown(body),
                    Mode::Logs => self.with_log(body),
                };
                let cases = cases.into_iter().map(|(number, body)| (number, branch(body))).collect();
                Exp::Control(ControlExp::Switch { scrutinee, cases, default: branch(default) })
            }
            (Exp::Control(ControlExp::Loop { params, form, body }), Mode::Shows) => {
                let form = match form {
                    LoopForm::For(..) => form,
                    LoopForm::While(cond) => LoopForm::While(self.shown(cond)),
                };
                Exp::Control(ControlExp::Loop { params, form, body: self.shown(body) })
            }
            (Exp::Control(ControlExp::Loop { params, form: LoopForm::While(cond), body }), Mode::Logs)
                if self.versions.tracing.body(&cond) =>
            {
                let (more, exp) = self.condition_in_body(params, cond, body);
                vars.push(more);
                return self.statement(Stm { vars, certs, grid, exp, attrs, span }, out);
            }
            (exp @ Exp::Control(ControlExp::Loop { .. }), Mode::Logs) => {
                return self.logging_loop(Stm { vars, certs, grid, exp, attrs, span }, out);
            }
            (Exp::Op(Operator::Map { width, inputs, lambda }), _) => {
                let (mut body, log) = self.logged(lambda.body);
                body.result.push(log.array.into());
                let lambda = Lambda { params: lambda.params, body };
                let ty = Type::array(Prim::I64, vec![Dim::Size(width), Dim::Irregular]);
                let logs = self.new_var("logs", ty);
                vars.push(logs);
                out.stms.push(Stm {
                    vars,
                    certs,
                    grid,
                    exp: Exp::Op(Operator::Map { width, inputs, lambda }),
                    attrs,
                    span,
                });
                let log = self.new_words();
                self.push(&mut out.stms, words_vars(log), Exp::Array(ArrayExp::JoinRows(logs)));
                return self.found(log, out);
            }
            (exp, _) => return self.other_operator(Stm { vars, certs, grid, exp, attrs, span }, out),
        };
        // What is left yields its log itself, if it is inside of an operator.
        let log = (out.mode == Mode::Logs).then(|| self.new_words());
        vars.extend(log.into_iter().flat_map(words_vars));
        out.stms.push(Stm { vars, certs, grid, exp, attrs, span });
        log.into_iter().for_each(|log| self.found(log, out));
    }

    /// Variables for words that a statement yields.
    fn new_words(&mut self) -> Words {
        let count = self.new_var("k", Type::i64());
        Words { count: count.into(), array: self.new_var("log", words_type(count.into())) }
    }

    /// Something is to be shown: at once, or as a part of the log.
    fn found(&mut self, words: Words, out: &mut Out) {
        match out.mode {
            Mode::Logs => out.log.push(words),
            Mode::Shows => {
                let args = vec![words.count, words.array.into()];
                let exp = Exp::Control(ControlExp::Call { fun: self.versions.show, args });
                self.push(&mut out.stms, Vec::new(), exp);
            }
        }
    }

    fn observe(&mut self, fun: FunId, args: &[Atom], out: &mut Out) {
        let at = fun.0 as usize;
        let Some(observed) = &self.versions.tracing.observed[at] else { return };
        let in_library = self.versions.tracing.library.contains(&self.span.file);
        let place = self.place.filter(|_| in_library).unwrap_or(self.span);
        let site = self.versions.site(observed, place);
        let columns = &args[args.len() - self.versions.columns[at]..];
        let words = self.words(&mut out.stms, site, columns);
        self.found(words, out);
    }

    fn version(&mut self, fun: FunId, mode: Mode, span: Span) -> FunId {
        let fun = fun.0 as usize;
        let in_library = self.versions.tracing.library.contains(&span.file);
        let place = if in_library { self.place } else { Some(span) };
        let place = place.filter(|_| self.versions.tracing.placed[fun]);
        self.versions.version(Version { fun, mode, place })
    }

    // # Loops inside of operators

    /// A loop that appends to its log. The log is the beginning of an array that is at least doubled where it is too short, so that it costs as
    /// much as it is long.
    fn logging_loop(&mut self, stm: Stm, out: &mut Out) {
        let Stm {
            mut vars,
            certs,
            grid,
            exp: Exp::Control(ControlExp::Loop { mut params, form, body }),
            attrs,
            span,
        } = stm
        else {
            panic!("traces: a loop was expected")
        };
        let none = self.join(&mut out.stms, &[]);
        let blank =
            self.emit(&mut out.stms, "none", words_type(none.count), Exp::Array(ArrayExp::Copy(none.array)));
        let (used, room) = (self.new_var("used", Type::i64()), self.new_var("room", Type::i64()));
        let log = self.new_var("log", words_type(room.into()));
        params.push((Param::plain(used), Atom::i64(0)));
        params.push((Param::plain(room), Atom::i64(0)));
        params.push((Param::unique(log), blank.into()));
        let (mut body, words) = self.logged(body);
        let next = self.appended(&mut body.stms, [used, room, log], words);
        body.result.extend(next);
        let used = self.new_var("used", Type::i64());
        let room = self.new_var("room", Type::i64());
        let log = self.new_var("log", words_type(room.into()));
        vars.extend([used, room, log]);
        out.stms.push(Stm {
            vars,
            certs,
            grid,
            exp: Exp::Control(ControlExp::Loop { params, form, body }),
            attrs,
            span,
        });
        let slice = vec![DimIndex::whole(used)];
        let array = self.emit(
            &mut out.stms,
            "log",
            words_type(used.into()),
            Exp::Array(ArrayExp::Index { array: log, slice }),
        );
        self.found(Words { count: used.into(), array }, out);
    }

    /// How much of the log is used, how long it is, and the log, with these words behind what is used.
    fn appended(&mut self, stms: &mut Vec<Stm>, [used, room, log]: [Var; 3], words: Words) -> [Atom; 3] {
        let needed = self.bin(stms, BinOp::Add, used.into(), words.count);
        let is_full = Exp::Scalar(ScalarExp::Bin(BinOp::Lt, Prim::I64, room.into(), needed));
        let is_full = self.emit(stms, "is_full", Type::bool(), is_full);
        let mut then = Vec::new();
        let doubled = self.bin(&mut then, BinOp::Mul, room.into(), Atom::i64(2));
        let larger = self.bin(&mut then, BinOp::Max, doubled, needed);
        let count = self.bin(&mut then, BinOp::Sub, larger, room.into());
        let exp = Exp::Array(ArrayExp::Replicate { count, value: Atom::i64(0) });
        let blank = self.emit(&mut then, "blank", words_type(count), exp);
        let exp = Exp::Array(ArrayExp::Concat { arrays: vec![log, blank], size: larger });
        let grown = self.emit(&mut then, "grown", words_type(larger), exp);
        let then = Body { stms: then, result: vec![larger, grown.into()] };
        let els = Body { stms: Vec::new(), result: vec![room.into(), log.into()] };
        let room = self.new_var("room", Type::i64());
        let log = self.new_var("log", words_type(room.into()));
        self.push(stms, vec![room, log], Exp::Control(ControlExp::If { cond: is_full.into(), then, els }));
        let (start, count, stride) = (used.into(), words.count, Atom::i64(1));
        let slice = vec![DimIndex::Slice { start, count, stride }];
        let exp = Exp::Array(ArrayExp::Update { array: log, slice, value: words.array.into() });
        [needed, room.into(), self.emit(stms, "log", words_type(room.into()), exp).into()]
    }

    /// The same loop with its condition at the begin of its body, and whether it holds as one more parameter. Beside it comes the variable
    /// for what that parameter is in the end.
    fn condition_in_body(&mut self, mut params: Vec<(Param, Atom)>, cond: Body, body: Body) -> (Var, Exp) {
        let Body { mut stms, result: holds } = cond;
        // What the parameters are next: as they are, if the condition does not hold.
        let mut next: Vec<Var> = Vec::with_capacity(params.len());
        let mut renamed = crate::nest::subst::Subst::default();
        for (param, _) in &params {
            let mut ty = self.ty(param.var).clone();
            renamed.ty(&mut ty);
            let var = self.new_var("next", ty);
            renamed.set(param.var, var);
            next.push(var);
        }
        let unchanged = params.iter().map(|(param, _)| param.var.into()).collect();
        let els = Body { stms: Vec::new(), result: unchanged };
        self.push(&mut stms, next.clone(), Exp::Control(ControlExp::If { cond: holds[0], then: body, els }));
        let more = self.new_var("more", Type::bool());
        params.push((Param::plain(more), Atom::bool(true)));
        let result = next.into_iter().map(Atom::from).chain(holds).collect();
        let form = LoopForm::While(Body { stms: Vec::new(), result: vec![more.into()] });
        let exp = Exp::Control(ControlExp::Loop { params, form, body: Body { stms, result } });
        (self.new_var("more", Type::bool()), exp)
    }
}

fn words_vars(words: Words) -> Vec<Var> {
    words.count.var().into_iter().chain([words.array]).collect()
}
