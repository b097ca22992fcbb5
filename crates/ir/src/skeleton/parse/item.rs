//! What stands at top level, and the bodies of functions.

use super::{FunScope, Parser};
use crate::skeleton::{
    Atom, Body, Const, Constr, Data, Fun, FunId, Grid, Operators, Param, Prog, Ret, Side, Stm, Type, Var,
    VarInfo,
};
use crate::text::Parse;
use crate::text::lexer::Token;

impl Parser {
    pub(super) fn prog<O: Operators>(&mut self) -> Parse<Prog<O>> {
        let mut prog = Prog::default();
        loop {
            let attrs = self.attrs()?;
            let mut attrs = attrs;
            while let Some(word) = self.peek_word().filter(|word| O::FUN_WORDS.contains(word)) {
                attrs.push(word.to_string());
                self.bump();
            }
            let item = self.peek_word().unwrap_or_default().to_string();
            match item.as_str() {
                "fun" => prog.funs.push(self.fun(attrs)?),
                "entry" => prog.entries.push(self.entry(attrs)?),
                _ if !attrs.is_empty() => {
                    return self.expected("a function or an entry point after attributes");
                }
                "data" => prog.datas.push(self.data()?),
                "type" => prog.ifaces.push(self.iface()?),
                "const" => {
                    self.bump();
                    prog.consts.push(Const { fun: FunId(self.id(|ids| &ids.funs, "a function")?) });
                }
                _ if *self.peek() == Token::End => return Ok(prog),
                _ => return self.expected("`data`, `type`, `const`, `entry` or `fun`"),
            }
        }
    }

    fn data(&mut self) -> Parse<Data> {
        self.expect_word("data")?;
        let (name, _) = self.name()?;
        let mut constrs = Vec::new();
        while self.eat('|') {
            let (name, _) = self.name()?;
            let columns = self.list(Parser::ty)?;
            constrs.push(Constr { name, columns });
        }
        Ok(Data { name, constrs })
    }

    fn fun<O: Operators>(&mut self, attrs: Vec<String>) -> Parse<Fun<O>> {
        self.expect_word("fun")?;
        self.lang.scope = FunScope::default();
        let (name, _) = self.name()?;
        let params = self.list(Parser::param)?;
        if *self.peek() != Token::Arrow {
            return self.expected("`->`");
        }
        self.bump();
        let mut ret = Vec::new();
        while !self.is('{') {
            let unique = self.eat('*');
            ret.push(Ret { ty: self.ty()?, unique });
            if !self.eat(',') {
                break;
            }
        }
        let body = self.body()?;
        let span = self.place();
        let scope = std::mem::take(&mut self.lang.scope);
        let vars = scope.finish().map_err(|(name, at)| {
            self.error_at(at, format!("`{name}` is bound nowhere in this function."))
        })?;
        let info = |(name, (ty, side, bound))| VarInfo { name, ty, side, bound };
        let vars = vars.into_iter().map(info).collect();
        Ok(Fun { name, params, ret, body, vars, attrs, span })
    }

    pub(crate) fn body<O: Operators>(&mut self) -> Parse<Body<O>> {
        self.nested(|parser| {
            parser.expect('{')?;
            let mut stms = Vec::new();
            while !parser.eat_word("in") {
                stms.push(parser.stm()?);
            }
            let result = parser.until('}', Parser::atom)?;
            Ok(Body { stms, result })
        })
    }

    fn stm<O: Operators>(&mut self) -> Parse<Stm<O>> {
        let attrs = self.attrs()?;
        if !self.eat_word("let") {
            return self.expected("`let` or `in`");
        }
        let vars: Vec<Var> = self.until('=', Parser::binder)?;
        let certs = if self.eat('<') { self.until('>', Parser::var)? } else { Vec::new() };
        let grid = self.grid()?;
        let exp = self.exp()?;
        let span = self.place();
        Ok(Stm { vars, certs, grid, exp, attrs, span })
    }

    /// `grid ATOM by VAR`
    fn grid(&mut self) -> Parse<Option<Grid>> {
        // Before `(` it is a kernel of flat, for an atom does not begin like this.
        if self.peek_word() != Some("grid") || *self.second() == Token::Punct('(') {
            return Ok(None);
        }
        self.bump();
        let work = self.atom()?;
        let balance = if self.eat_word("by") { Some(self.var()?) } else { None };
        Ok(Some(Grid { work, balance }))
    }

    // # Variables that are bound

    /// `x: TYPE`
    pub(crate) fn binder(&mut self) -> Parse<Var> {
        Ok(self.param()?.var)
    }

    /// `x: *TYPE`
    pub(super) fn param(&mut self) -> Parse<Param> {
        let at = self.at;
        let var = self.var()?;
        self.expect(':')?;
        let unique = self.eat('*');
        let declared = (self.ty()?, self.side()?, self.bound()?);
        if !self.lang.scope.bind(var.0, declared) {
            return Err(self.error_at(at, "This variable is bound elsewhere with another type."));
        }
        Ok(Param { var, unique })
    }

    /// `@device`, or nothing.
    fn side(&mut self) -> Parse<Option<Side>> {
        if !self.eat('@') {
            return Ok(None);
        }
        match Side::ALL.into_iter().find(|side| self.eat_word(side.name())) {
            Some(side) => Ok(Some(side)),
            None => self.expected("`host`, `device` or `both`"),
        }
    }

    /// `<= ATOM`, or nothing.
    fn bound(&mut self) -> Parse<Option<Atom>> {
        if !self.is('<') || *self.second() != Token::Punct('=') {
            return Ok(None);
        }
        self.bump();
        self.bump();
        self.atom().map(Some)
    }

    /// A variable that is an i64, as all indices are: its type is not written.
    pub(crate) fn index_binder(&mut self) -> Parse<Var> {
        let at = self.at;
        let var = self.var()?;
        if !self.lang.scope.bind(var.0, (Type::i64(), None, None)) {
            return Err(self.error_at(at, "This variable is bound elsewhere with another type."));
        }
        Ok(var)
    }

    /// `x: *TYPE = ATOM`
    pub(super) fn loop_param(&mut self) -> Parse<(Param, Atom)> {
        let param = self.param()?;
        self.expect('=')?;
        Ok((param, self.atom()?))
    }
}
