//! What stands at top level.

use super::Parser;
use crate::failure::CheckKind;
use crate::imp::{
    Const, DataId, Entry, EntryDim, EntryElem, EntryType, Fun, FunId, IfaceId, Kernel, Prog, Site, SiteKind,
    VarInfo,
};
use crate::nest::{EntryParam, Prog as Types};
use crate::skeleton::parse::parse_tokens;
use crate::text::Parse;
use crate::text::lexer::{Placed, Token};

impl Parser {
    pub(super) fn prog(&mut self) -> Parse<Prog> {
        let mut prog = Prog::default();
        loop {
            let attrs = self.attrs()?;
            let item = self.peek_word().unwrap_or_default().to_string();
            match item.as_str() {
                "entry" => prog.entries.push(self.entry(attrs)?),
                _ if !attrs.is_empty() => return self.expected("an entry point after attributes"),
                "types" => self.types(&mut prog)?,
                "sites" => self.sites(&mut prog.sites)?,
                "const" => {
                    self.bump();
                    prog.consts.push(Const { fun: FunId(self.id(|ids| &ids.funs, "a function")?) });
                }
                "fun" | "recursive" => prog.funs.push(self.fun()?),
                "kernel" => prog.kernels.push(self.kernel()?),
                "group" => prog.group_kernels.push(self.group_kernel()?),
                _ if *self.peek() == Token::End => return Ok(prog),
                _ => {
                    return self
                        .expected("`types`, `sites`, `const`, `entry`, `fun`, `kernel` or `group kernel`");
                }
            }
        }
    }

    /// `types { .. }`: data and types of nest.
    fn types(&mut self, prog: &mut Prog) -> Parse<()> {
        self.bump();
        let at = self.at;
        self.expect('{')?;
        let mut tokens = Vec::new();
        let mut open = 1;
        loop {
            let Placed { token, line, column } = &self.tokens[self.at];
            match token {
                Token::Punct('{') => open += 1,
                Token::Punct('}') => open -= 1,
                Token::End => return self.expected("`}`"),
                Token::Name { .. } | Token::Number(_) | Token::Place(_) | Token::Punct(_) | Token::Arrow => {}
            }
            let end = open == 0;
            let token = if end { Token::End } else { token.clone() };
            tokens.push(Placed { token, line: *line, column: *column });
            self.at += 1;
            if end {
                break;
            }
        }
        let (types, ids): (Types, _) = parse_tokens(tokens)?;
        if !types.funs.is_empty() || !types.consts.is_empty() || !types.entries.is_empty() {
            return Err(self.error_at(at, "Here stand nothing but data and types."));
        }
        if !prog.datas.is_empty() || !prog.ifaces.is_empty() {
            return Err(self.error_at(at, "A program has one list of types."));
        }
        prog.datas = types.datas;
        prog.ifaces = types.ifaces;
        self.lang.ids.types = ids;
        Ok(())
    }

    /// `sites { #0 check index @0:1-2 .. }`
    fn sites(&mut self, sites: &mut Vec<Site>) -> Parse<()> {
        self.bump();
        self.expect('{')?;
        while !self.eat('}') {
            let at = self.at;
            if self.site()?.0 as usize != sites.len() {
                return Err(self.error_at(at, format!("This is site #{}.", sites.len())));
            }
            let what = if self.eat_word("check") {
                SiteKind::Check(self.check_kind()?)
            } else if self.eat_word("call") {
                SiteKind::Call(self.quoted()?)
            } else if self.eat_word("operator") {
                SiteKind::Operator(self.quoted()?)
            } else {
                return self.expected("`check`, `call` or `operator`");
            };
            sites.push(Site { what, span: self.place() });
        }
        Ok(())
    }

    /// `index`, `exponent.i32`, `assert "text"`
    fn check_kind(&mut self) -> Parse<CheckKind> {
        let at = self.at;
        let (name, _) = self.name()?;
        let prim = if self.is('.') { Some(self.dot_prim()?) } else { None };
        let text = match self.peek() {
            Token::Name { quoted: true, .. } => Some(self.quoted()?),
            Token::Name { .. }
            | Token::Number(_)
            | Token::Place(_)
            | Token::Punct(_)
            | Token::Arrow
            | Token::End => None,
        };
        CheckKind::from_parts(&name, prim, text)
            .ok_or_else(|| self.error_at(at, format!("There is no check like this that is called `{name}`.")))
    }

    // # Entry points

    /// `entry name = fun (x: *type) -> *type args (..) rets (..) doc "text"`
    fn entry(&mut self, attrs: Vec<String>) -> Parse<Entry> {
        self.bump();
        let (name, _) = self.name()?;
        self.expect('=')?;
        let fun = FunId(self.id(|ids| &ids.funs, "a function")?);
        let params = self.list(|parser| {
            let (name, _) = parser.name()?;
            parser.expect(':')?;
            let unique = parser.eat('*');
            Ok(EntryParam { name, ty: parser.iface_id()?, unique })
        })?;
        self.arrow()?;
        let result_unique = self.eat('*');
        let result = self.iface_id()?;
        self.expect_word("args")?;
        let args = self.list(Parser::entry_type)?;
        self.expect_word("rets")?;
        let rets = self.list(Parser::entry_type)?;
        let doc = if self.eat_word("doc") { self.quoted()? } else { String::new() };
        Ok(Entry { name, fun, args, rets, params, result, result_unique, doc, attrs })
    }

    fn iface_id(&mut self) -> Parse<IfaceId> {
        Ok(IfaceId(self.id(|ids| &ids.types.ifaces, "a type")?))
    }

    /// `region`, `[3][arg 0]f32`, `[?]&list in arg 0`
    fn entry_type(&mut self) -> Parse<EntryType> {
        if self.eat_word("region") {
            return Ok(EntryType::Region);
        }
        let mut dims = Vec::new();
        while self.eat('[') {
            dims.push(if self.eat('?') {
                EntryDim::Irregular
            } else if self.eat_word("arg") {
                EntryDim::Arg(self.integer("the number of an argument")?)
            } else if self.eat_word("result") {
                EntryDim::Result(self.integer("the number of a result")?)
            } else {
                EntryDim::Const(self.integer("a size")?)
            });
            self.expect(']')?;
        }
        if !self.eat('&') {
            return Ok(EntryType::Value(EntryElem::Prim(self.prim()?), dims));
        }
        let data = DataId(self.id(|ids| &ids.types.datas, "a data")?);
        self.expect_word("in")?;
        self.expect_word("arg")?;
        let region = self.integer("the number of an argument")?;
        Ok(EntryType::Value(EntryElem::Ref(data, region), dims))
    }

    // # Code

    fn fun(&mut self) -> Parse<Fun> {
        let recursive = self.eat_word("recursive");
        self.expect_word("fun")?;
        let (name, _) = self.name()?;
        let params = self.list(Parser::binder)?;
        let arrays = self.arrays()?;
        self.arrow()?;
        let mut ret = Vec::new();
        while !self.is('{') {
            ret.push(self.ty()?);
            if !self.eat(',') {
                break;
            }
        }
        self.expect('{')?;
        let mut body = Vec::new();
        while !self.eat_word("return") {
            body.push(self.stmt()?);
        }
        let results = self.until('}', Parser::exp)?;
        let span = self.place();
        Ok(Fun { name, params, arrays, vars: self.vars()?, body, results, ret, recursive, span })
    }

    fn kernel(&mut self) -> Parse<Kernel> {
        self.bump();
        let (name, _) = self.name()?;
        self.expect('(')?;
        let chunk = self.binder()?;
        self.expect(',')?;
        let from = self.binder()?;
        self.dots()?;
        let to = self.binder()?;
        self.expect(')')?;
        let params = self.list(Parser::binder)?;
        let body = self.block()?;
        let span = self.place();
        Ok(Kernel { name, chunk, from, to, params, vars: self.vars()?, body, span })
    }

    fn arrow(&mut self) -> Parse<()> {
        if *self.peek() != Token::Arrow {
            return self.expected("`->`");
        }
        self.bump();
        Ok(())
    }

    /// The table of the function that ends here.
    pub(super) fn vars(&mut self) -> Parse<Vec<VarInfo>> {
        let scope = std::mem::take(&mut self.lang.scope);
        let vars = scope.finish().map_err(|(name, at)| {
            self.error_at(at, format!("`{name}` is assigned with its type nowhere in this function."))
        })?;
        Ok(vars.into_iter().map(|(name, ty)| VarInfo { name, ty }).collect())
    }
}
