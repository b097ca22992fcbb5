//! The surface tree as a compact s-expression, for tests.
//!
//! Every node but the plainest is a list that begins with what it is; names, literals and
//! operators stand for themselves.

use norn_syntax::ast::*;

pub fn prog(prog: &Prog) -> String {
    let mut parts: Vec<String> = prog.doc.iter().map(|d| format!("(file-doc {:?})", d.text)).collect();
    parts.extend(prog.decs.iter().map(dec));
    parts.join("\n")
}

fn list(head: &str, parts: impl IntoIterator<Item = String>) -> String {
    let mut text = format!("({head}");
    for part in parts.into_iter().filter(|p| !p.is_empty()) {
        text.push(' ');
        text.push_str(&part);
    }
    text + ")"
}

fn names<'a>(list: impl IntoIterator<Item = &'a Ident>) -> String {
    list.into_iter().map(|i| i.name.as_str()).collect::<Vec<_>>().join(".")
}

fn qual_name(name: &QualName) -> String {
    names(name.quals.iter().chain([&name.name]))
}

fn op(op: &Op) -> String {
    if op.backtick { format!("`{}`", qual_name(&op.name)) } else { qual_name(&op.name) }
}

pub fn dec(dec: &Dec) -> String {
    let inner = match &dec.kind {
        DecKind::Vals(members) => group("vals", members.iter().map(val_bind).collect()),
        DecKind::Types(members) => group("types", members.iter().map(type_bind).collect()),
        DecKind::Mod(m) => {
            let params = m.params.iter().map(mod_param);
            let sig = m.sig.iter().map(|s| format!(": {}", mod_type(s)));
            let head = [m.name.name.to_string()].into_iter();
            list("module", head.chain(params).chain(sig).chain([mod_exp(&m.body)]))
        }
        DecKind::ModType(m) => list("module-type", [m.name.name.to_string(), mod_type(&m.body)]),
        DecKind::Open(m) => list("open", [mod_exp(m)]),
        DecKind::Import(path) => list("import", [format!("{:?}", path.text)]),
        DecKind::Local(inner) => list("local", [self::dec(inner)]),
        DecKind::Error => "ERROR".into(),
    };
    marked(&dec.doc, &dec.attrs, inner)
}

fn marked(doc: &Option<Doc>, attrs: &[Attr], mut inner: String) -> String {
    for a in attrs.iter().rev() {
        inner = list(&format!("#[{}]", attr(a)), [inner]);
    }
    match doc {
        Some(doc) => format!("(doc {:?} {inner})", doc.text),
        None => inner,
    }
}

fn group(head: &str, mut members: Vec<String>) -> String {
    if members.len() == 1 { members.remove(0) } else { list(head, members) }
}

fn val_bind(b: &ValBind) -> String {
    let keyword = match b.keyword {
        ValKeyword::Def => "def",
        ValKeyword::Let => "let",
        ValKeyword::Entry => "entry",
    };
    let name = if b.infix { format!("infix {}", b.name.name) } else { b.name.name.to_string() };
    let ret = b.ret.iter().map(|t| format!(": {}", ty(t)));
    let params = b.tparams.iter().map(type_param).chain(b.params.iter().map(pat));
    list(keyword, [name].into_iter().chain(params).chain(ret).chain([exp(&b.body)]))
}

fn lifted(l: Liftedness) -> &'static str {
    match l {
        Liftedness::Unlifted => "",
        Liftedness::SizeLifted => "~",
        Liftedness::Lifted => "^",
    }
}

fn type_param(p: &TypeParam) -> String {
    match p.kind {
        TypeParamKind::Size => format!("[{}]", p.name.name),
        TypeParamKind::Type(l) => format!("'{}{}", lifted(l), p.name.name),
    }
}

fn type_bind(b: &TypeBind) -> String {
    let rec = if b.recursive { " rec" } else { "" };
    let head = format!("type{}{rec}", lifted(b.lifted));
    let name = [b.name.name.to_string()].into_iter();
    list(&head, name.chain(b.params.iter().map(type_param)).chain([ty(&b.body)]))
}

fn mod_param(p: &ModParam) -> String {
    format!("({}: {})", p.name.name, mod_type(&p.sig))
}

pub fn mod_exp(m: &ModExp) -> String {
    match &m.kind {
        ModExpKind::Var(name) => qual_name(name),
        ModExpKind::Parens(inner) => list("parens", [mod_exp(inner)]),
        ModExpKind::Import(path) => list("import", [format!("{:?}", path.text)]),
        ModExpKind::Decs(decs) => list("decs", decs.iter().map(dec)),
        ModExpKind::Apply(f, x) => list("apply", [mod_exp(f), mod_exp(x)]),
        ModExpKind::Ascript(m, sig) => list(":", [mod_exp(m), mod_type(sig)]),
        ModExpKind::Lambda(p, sig, body) => {
            let sig = sig.as_ref().map_or(String::new(), |s| format!(": {}", mod_type(s)));
            list("\\", [mod_param(p), sig, mod_exp(body)])
        }
        ModExpKind::Error => "ERROR".into(),
    }
}

pub fn mod_type(m: &ModTypeExp) -> String {
    match &m.kind {
        ModTypeExpKind::Var(name) => qual_name(name),
        ModTypeExpKind::Parens(inner) => list("parens", [mod_type(inner)]),
        ModTypeExpKind::Specs(specs) => list("specs", specs.iter().map(spec)),
        ModTypeExpKind::With(m, r) => {
            let params = r.params.iter().map(type_param);
            list("with", [mod_type(m), qual_name(&r.name)].into_iter().chain(params).chain([ty(&r.body)]))
        }
        ModTypeExpKind::Arrow(name, a, b) => {
            let param = name.map_or(mod_type(a), |n| format!("({}: {})", n.name, mod_type(a)));
            list("->", [param, mod_type(b)])
        }
        ModTypeExpKind::Error => "ERROR".into(),
    }
}

fn spec(s: &Spec) -> String {
    let inner = match &s.kind {
        SpecKind::Val { name, parens, tparams, ty: t } => {
            let name = if *parens { format!("({})", name.name) } else { name.name.to_string() };
            list("val", [name].into_iter().chain(tparams.iter().map(type_param)).chain([ty(t)]))
        }
        SpecKind::AbstractType { lifted: l, name, params } => {
            let name = [name.name.to_string()].into_iter();
            list(&format!("type{}", lifted(*l)), name.chain(params.iter().map(type_param)))
        }
        SpecKind::TypeAbbr(b) => type_bind(b),
        SpecKind::Mod { name, sig } => list("module", [name.name.to_string(), mod_type(sig)]),
        SpecKind::Include(m) => list("include", [mod_type(m)]),
        SpecKind::Error => "ERROR".into(),
    };
    marked(&s.doc, &s.attrs, inner)
}

fn attr(a: &Attr) -> String {
    match &a.kind {
        AttrKind::Name(name) => name.to_string(),
        AttrKind::Int(n) => n.to_string(),
        AttrKind::Call(name, args) => list(name.as_str(), args.iter().map(attr)),
    }
}

fn size(s: &SizeExp) -> String {
    match &s.kind {
        SizeExpKind::Exp(e) => format!("[{}]", exp(e)),
        SizeExpKind::Anonymous => "[]".into(),
        SizeExpKind::Irregular => "[?]".into(),
    }
}

fn binders(sizes: &[SizeBinder]) -> String {
    sizes.iter().map(|b| format!("[{}]", b.name.name)).collect()
}

pub fn ty(t: &TypeExp) -> String {
    match &t.kind {
        TypeExpKind::Var(name) => qual_name(name),
        TypeExpKind::Parens(inner) => list("parens", [ty(inner)]),
        TypeExpKind::Tuple(parts) => list("tuple", parts.iter().map(ty)),
        TypeExpKind::Record(fields) => {
            list("record", fields.iter().map(|(name, t)| format!("{}: {}", name.name, ty(t))))
        }
        TypeExpKind::Sum(clauses) => {
            let clause = |(name, payload): &(Ident, Vec<TypeExp>)| {
                list(&format!("#{}", name.name), payload.iter().map(ty))
            };
            list("sum", clauses.iter().map(clause))
        }
        TypeExpKind::Array(s, element) => list("array", [size(s), ty(element)]),
        TypeExpKind::Unique(inner) => list("*", [ty(inner)]),
        TypeExpKind::Apply(f, TypeArg::Size(s)) => list("apply", [ty(f), size(s)]),
        TypeExpKind::Apply(f, TypeArg::Type(t)) => list("apply", [ty(f), ty(t)]),
        TypeExpKind::Arrow(name, a, b) => {
            list("->", [name.map_or(ty(a), |n| format!("({}: {})", n.name, ty(a))), ty(b)])
        }
        TypeExpKind::Exists(sizes, body) => list("?", [binders(sizes), ty(body)]),
        TypeExpKind::Error => "ERROR".into(),
    }
}

pub fn pat(p: &Pat) -> String {
    match &p.kind {
        PatKind::Name(name) => name.name.to_string(),
        PatKind::Wildcard => "_".into(),
        PatKind::Parens(inner) => list("parens", [pat(inner)]),
        PatKind::Tuple(parts) => list("tuple", parts.iter().map(pat)),
        PatKind::Record(fields) => list("record", fields.iter().map(field_pat)),
        PatKind::Lit(l) => format!("{}{}", if l.negated { "-" } else { "" }, lit(&l.lit)),
        PatKind::Constr(name, payload) => list(&format!("#{}", name.name), payload.iter().map(pat)),
        PatKind::Ascript(p, t) => list(":", [pat(p), ty(t)]),
        PatKind::Attr(a, p) => list(&format!("#[{}]", attr(a)), [pat(p)]),
        PatKind::Error => "ERROR".into(),
    }
}

fn field_pat(f: &FieldPat) -> String {
    match &f.pat {
        None => f.name.name.to_string(),
        Some(p) if f.punned => pat(p),
        Some(p) => format!("{}={}", f.name.name, pat(p)),
    }
}

fn lit(l: &Lit) -> String {
    let suffix = |s: &Option<Prim>| s.map_or("", Prim::name);
    match l {
        Lit::Int { value, suffix: s } => {
            format!("{}{}", value.map_or("overflow".into(), |v| v.to_string()), suffix(s))
        }
        Lit::Float { value, suffix: s } => format!("{value:?}{}", suffix(s)),
        Lit::Bool(b) => b.to_string(),
        Lit::Char(c) => format!("{c:?}"),
        Lit::Str(bytes) => format!("{:?}", String::from_utf8_lossy(bytes)),
    }
}

fn dim(d: &DimIndex) -> String {
    match d {
        DimIndex::Fix(e) => exp(e),
        DimIndex::Slice { start, end, stride, colons, .. } => {
            let part = |e: &Option<Exp>| e.as_ref().map_or(String::new(), exp);
            let stride = if *colons == 2 { format!(":{}", part(stride)) } else { String::new() };
            format!("{}:{}{stride}", part(start), part(end))
        }
    }
}

fn dims(list: &[DimIndex]) -> String {
    format!("[{}]", list.iter().map(dim).collect::<Vec<_>>().join(", "))
}

fn steps(list: &[Step]) -> String {
    let step = |s: &Step| match s {
        Step::Field(name) => format!(".{}", name.name),
        Step::Index(indices, _) => dims(indices),
    };
    list.iter().map(step).collect()
}

pub fn exp(e: &Exp) -> String {
    match &e.kind {
        ExpKind::Lit(l) => lit(l),
        ExpKind::Var(name) => qual_name(name),
        ExpKind::Hole => "???".into(),
        ExpKind::Parens(inner) => list("parens", [exp(inner)]),
        ExpKind::LocalOpen(name, inner) => list("open", [qual_name(name), exp(inner)]),
        ExpKind::Tuple(parts) => list("tuple", parts.iter().map(exp)),
        ExpKind::Record(fields) => {
            let field = |f: &Field| match &f.value {
                Some(value) => format!("{}={}", f.name.name, exp(value)),
                None => f.name.name.to_string(),
            };
            list("record", fields.iter().map(field))
        }
        ExpKind::Array(parts) => list("array", parts.iter().map(exp)),
        ExpKind::Project(record, field) => list(&format!(".{}", field.name), [exp(record)]),
        ExpKind::Index(array, indices) => list("index", [exp(array), dims(indices)]),
        ExpKind::Apply(f, args) => list(&exp(f), args.iter().map(exp)),
        ExpKind::Constr(name, args) => list(&format!("#{}", name.name), args.iter().map(exp)),
        ExpKind::Negate(inner) => list("neg", [exp(inner)]),
        ExpKind::Not(inner) => list("not", [exp(inner)]),
        ExpKind::BinOp(a, o, b) => list(&op(o), [exp(a), exp(b)]),
        ExpKind::OpSection(o) => list("section", [op(o)]),
        ExpKind::LeftSection(a, o) => list("section", [exp(a), op(o)]),
        ExpKind::RightSection(o, b) => list("section", [op(o), exp(b)]),
        ExpKind::ProjSection(path) => list("section", [steps(path)]),
        ExpKind::Ascript(e, t) => list(":", [exp(e), ty(t)]),
        ExpKind::Coerce(e, t) => list(":>", [exp(e), ty(t)]),
        ExpKind::Range { start, second, kind, end } => {
            let dots = match kind {
                RangeKind::To => "...",
                RangeKind::UpTo => "..<",
                RangeKind::DownTo => "..>",
            };
            list(dots, [exp(start), second.as_ref().map_or(String::new(), |s| exp(s)), exp(end)])
        }
        ExpKind::If(a, b, c) => list("if", [exp(a), exp(b), exp(c)]),
        ExpKind::LetPat { sizes, pat: p, bound, body } => {
            list("let", [binders(sizes), pat(p), exp(bound), exp(body)])
        }
        ExpKind::LetFun(f) => {
            let params = f.tparams.iter().map(type_param).chain(f.params.iter().map(pat));
            let ret = f.ret.iter().map(|t| format!(": {}", ty(t)));
            let name = [f.name.name.to_string()].into_iter();
            list("let-fun", name.chain(params).chain(ret).chain([exp(&f.def), exp(&f.body)]))
        }
        ExpKind::LetWith { name, steps: path, value, body, .. } => {
            list("let-with", [format!("{}{}", name.name, steps(path)), exp(value), exp(body)])
        }
        ExpKind::Lambda { params, ret, body } => {
            let ret = ret.iter().map(|t| format!(": {}", ty(t)));
            list("\\", params.iter().map(pat).chain(ret).chain([exp(body)]))
        }
        ExpKind::Loop(l) => {
            let init = l.init.as_ref().map_or(String::new(), exp);
            let form = match &l.form {
                LoopForm::For(name, _, bound) => list("for", [name.name.to_string(), exp(bound)]),
                LoopForm::ForIn(p, array) => list("for-in", [pat(p), exp(array)]),
                LoopForm::While(condition) => list("while", [exp(condition)]),
            };
            list("loop", [pat(&l.pat), init, form, exp(&l.body)])
        }
        ExpKind::Match(matched, cases) => {
            let case = |c: &Case| list("case", [pat(&c.pat), exp(&c.body)]);
            list("match", [exp(matched)].into_iter().chain(cases.iter().map(case)))
        }
        ExpKind::Assert(condition, e) => list("assert", [exp(condition), exp(e)]),
        ExpKind::Update(e, path, value) => list("with", [exp(e), steps(path), exp(value)]),
        ExpKind::Attr(a, e) => list(&format!("#[{}]", attr(a)), [exp(e)]),
        ExpKind::Error => "ERROR".into(),
    }
}
