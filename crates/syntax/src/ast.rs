//! The surface tree: a program as it was written, every name still a text.
//!
//! Comments and blank lines are not in the tree but beside it (`Comments`), keyed by place, so that
//! the formatter can put them back and no other stage has to see them. Parentheses are kept for
//! the same reason. Every expression, pattern, type expression and module expression has a
//! `NodeId` of its own, unique within one compilation: later stages hang what they find out in
//! tables beside the tree. A part that could not be parsed is an `Error` node; what stands around
//! it is still checked, and nothing is reported about the node itself a second time.

pub use norn_base::Prim;
use norn_base::{Span, Symbol};
use std::rc::Rc;

/// Identifies a node of a surface tree; unique over all files of one compilation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// Hands out node identities.
#[derive(Clone, Default, Debug)]
pub struct NodeIds(u32);

impl NodeIds {
    pub fn fresh(&mut self) -> NodeId {
        self.0 += 1;
        NodeId(self.0 - 1)
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0 as usize
    }

    pub fn is_empty(&self) -> bool {
        self.0 == 0
    }
}

/// A name (or an operator, or a tuple field such as `0`) at a place.
#[derive(Clone, Copy, Debug)]
pub struct Ident {
    pub name: Symbol,
    pub span: Span,
}

/// `a.b.c`: `quals` are `a`, `b`. Whether the dots go into modules or into records is not known
/// before names are resolved; the parser puts every dotted chain of names that starts an atom
/// here.
#[derive(Clone, Debug)]
pub struct QualName {
    pub quals: Vec<Ident>,
    pub name: Ident,
}

impl QualName {
    pub fn span(&self) -> Span {
        self.quals.first().map_or(self.name.span, |q| q.span.to(self.name.span))
    }
}

/// A file.
#[derive(Debug)]
pub struct Prog {
    /// The documentation comment at the head of the file, if it is not that of a declaration.
    pub doc: Option<Doc>,
    pub decs: Vec<Dec>,
}

/// A documentation comment: its lines without the comment marks.
#[derive(Clone, Debug)]
pub struct Doc {
    pub text: String,
    pub span: Span,
}

#[derive(Debug)]
pub struct Dec {
    pub kind: DecKind,
    pub doc: Option<Doc>,
    /// `#[...]` before the declaration, outermost first.
    pub attrs: Vec<Attr>,
    /// From the keyword (after documentation and attributes) to the end.
    pub span: Span,
}

#[derive(Debug)]
pub enum DecKind {
    /// One definition, or a group `def f .. with def g ..` whose members may call one another. Those who
    /// look at it when the rest of the tree is gone share it.
    Vals(Rc<[ValBind]>),
    /// One type, or a group `type rec a = .. with type b = ..`.
    Types(Vec<TypeBind>),
    /// Likewise.
    Mod(Rc<ModBind>),
    ModType(ModTypeBind),
    Open(ModExp),
    Import(StrLit),
    Local(Box<Dec>),
    Error,
}

/// A string literal used as a path.
#[derive(Clone, Debug)]
pub struct StrLit {
    pub text: String,
    pub span: Span,
    pub id: NodeId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValKeyword {
    Def,
    /// The older spelling of `def`.
    Let,
    Entry,
}

#[derive(Debug)]
pub struct ValBind {
    pub keyword: ValKeyword,
    pub name: Ident,
    /// Written as `def a + b = ..`, with exactly two parameters.
    pub infix: bool,
    pub tparams: Vec<TypeParam>,
    pub params: Vec<Pat>,
    pub ret: Option<TypeExp>,
    pub body: Exp,
    pub id: NodeId,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub enum Liftedness {
    /// `type t`, `'t`: may be an array element.
    Unlifted,
    /// `type~ t`, `'~t`: may hide sizes.
    SizeLifted,
    /// `type^ t`, `'^t`: may also be a function.
    Lifted,
}

#[derive(Clone, Debug)]
pub struct TypeParam {
    pub kind: TypeParamKind,
    pub name: Ident,
    pub span: Span,
    pub id: NodeId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TypeParamKind {
    /// `[n]`
    Size,
    /// `'t`, `'~t`, `'^t`
    Type(Liftedness),
}

#[derive(Debug)]
pub struct TypeBind {
    pub lifted: Liftedness,
    /// `type rec`: a nominal type that may mention itself and the others of its group.
    pub recursive: bool,
    pub name: Ident,
    pub params: Vec<TypeParam>,
    pub body: TypeExp,
    pub id: NodeId,
    pub span: Span,
}

#[derive(Debug)]
pub struct ModBind {
    pub name: Ident,
    pub params: Vec<ModParam>,
    pub sig: Option<ModTypeExp>,
    pub body: ModExp,
    pub id: NodeId,
    pub span: Span,
}

#[derive(Debug)]
pub struct ModParam {
    pub name: Ident,
    pub sig: ModTypeExp,
    pub id: NodeId,
    pub span: Span,
}

#[derive(Debug)]
pub struct ModTypeBind {
    pub name: Ident,
    pub body: ModTypeExp,
    pub id: NodeId,
    pub span: Span,
}

#[derive(Debug)]
pub struct ModExp {
    pub kind: ModExpKind,
    pub id: NodeId,
    pub span: Span,
}

#[derive(Debug)]
pub enum ModExpKind {
    Var(QualName),
    Parens(Box<ModExp>),
    Import(StrLit),
    Decs(Vec<Dec>),
    Apply(Box<ModExp>, Box<ModExp>),
    Ascript(Box<ModExp>, ModTypeExp),
    /// `\(p: mt): mt2 -> me`; several parameters nest.
    Lambda(Box<ModParam>, Option<Box<ModTypeExp>>, Box<ModExp>),
    Error,
}

#[derive(Debug)]
pub struct ModTypeExp {
    pub kind: ModTypeExpKind,
    pub id: NodeId,
    pub span: Span,
}

#[derive(Debug)]
pub enum ModTypeExpKind {
    Var(QualName),
    Parens(Box<ModTypeExp>),
    Specs(Vec<Spec>),
    /// `mt with t 'a = type`
    With(Box<ModTypeExp>, Box<TypeRefinement>),
    /// `(name: mt) -> mt`, or `mt -> mt`
    Arrow(Option<Ident>, Box<ModTypeExp>, Box<ModTypeExp>),
    Error,
}

#[derive(Debug)]
pub struct TypeRefinement {
    pub name: QualName,
    pub params: Vec<TypeParam>,
    pub body: TypeExp,
    pub span: Span,
}

#[derive(Debug)]
pub struct Spec {
    pub kind: SpecKind,
    pub doc: Option<Doc>,
    pub attrs: Vec<Attr>,
    pub span: Span,
    pub id: NodeId,
}

#[derive(Debug)]
pub enum SpecKind {
    /// `val name params: type`. `parens`: an operator written `(+)`.
    Val {
        name: Ident,
        parens: bool,
        tparams: Vec<TypeParam>,
        ty: TypeExp,
    },
    /// `type name params`
    AbstractType {
        lifted: Liftedness,
        name: Ident,
        params: Vec<TypeParam>,
    },
    /// `type name params = type`
    TypeAbbr(TypeBind),
    Mod {
        name: Ident,
        sig: ModTypeExp,
    },
    Include(ModTypeExp),
    Error,
}

#[derive(Debug)]
pub struct TypeExp {
    pub kind: TypeExpKind,
    pub id: NodeId,
    pub span: Span,
}

#[derive(Debug)]
pub enum TypeExpKind {
    Var(QualName),
    Parens(Box<TypeExp>),
    Tuple(Vec<TypeExp>),
    Record(Vec<(Ident, TypeExp)>),
    /// Constructors with their payloads.
    Sum(Vec<(Ident, Vec<TypeExp>)>),
    Array(SizeExp, Box<TypeExp>),
    /// `*t`
    Unique(Box<TypeExp>),
    /// `t arg`; several arguments nest to the left.
    Apply(Box<TypeExp>, TypeArg),
    /// `(name: t) -> t`, or `t -> t`
    Arrow(Option<Ident>, Box<TypeExp>, Box<TypeExp>),
    /// `?[n][m].t`
    Exists(Vec<SizeBinder>, Box<TypeExp>),
    Error,
}

impl TypeExp {
    /// A type name (or whatever stands in its place) and the arguments it is applied to.
    pub fn root_and_args(&self) -> (&TypeExp, Vec<&TypeArg>) {
        let mut args = Vec::new();
        let mut root = self;
        loop {
            match &root.kind {
                TypeExpKind::Apply(f, arg) => {
                    args.push(arg);
                    root = f;
                }
                TypeExpKind::Parens(inner) if matches!(inner.kind, TypeExpKind::Var(_)) => root = inner,
                _ => break,
            }
        }
        args.reverse();
        (root, args)
    }
}

#[derive(Debug)]
pub enum TypeArg {
    Size(SizeExp),
    Type(Box<TypeExp>),
}

#[derive(Debug)]
pub struct SizeExp {
    pub kind: SizeExpKind,
    /// With the brackets.
    pub span: Span,
    pub id: NodeId,
}

#[derive(Debug)]
pub enum SizeExpKind {
    /// `[e]`
    Exp(Box<Exp>),
    /// `[]`
    Anonymous,
    /// `[?]`
    Irregular,
}

/// `[n]` where a size is bound.
#[derive(Clone, Debug)]
pub struct SizeBinder {
    pub name: Ident,
    pub span: Span,
    pub id: NodeId,
}

#[derive(Debug)]
pub struct Pat {
    pub kind: PatKind,
    pub id: NodeId,
    pub span: Span,
}

#[derive(Debug)]
pub enum PatKind {
    /// A name, or an operator in parentheses.
    Name(Ident),
    Wildcard,
    Parens(Box<Pat>),
    Tuple(Vec<Pat>),
    Record(Vec<FieldPat>),
    Lit(PatLit),
    Constr(Ident, Vec<Pat>),
    Ascript(Box<Pat>, Box<TypeExp>),
    Attr(Attr, Box<Pat>),
    Error,
}

#[derive(Debug)]
pub struct FieldPat {
    pub name: Ident,
    /// Without one the field is bound to a variable of its name. `{x: t}` is an `Ascript` of the
    /// name and has `punned` set.
    pub pat: Option<Pat>,
    pub punned: bool,
    /// For the variable that a punned field binds.
    pub id: NodeId,
}

#[derive(Debug)]
pub struct PatLit {
    pub negated: bool,
    pub lit: Lit,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Lit {
    /// `None`: more digits than 128 bits hold. `suffix` may be a float type (`1f32`).
    Int {
        value: Option<u128>,
        suffix: Option<Prim>,
    },
    /// `value` is read as an f64; `suffix` is a float type.
    Float {
        value: f64,
        suffix: Option<Prim>,
    },
    Bool(bool),
    Char(char),
    /// The UTF-8 bytes, escapes resolved.
    Str(Vec<u8>),
}

#[derive(Debug)]
pub struct Exp {
    pub kind: ExpKind,
    pub id: NodeId,
    pub span: Span,
}

/// An infix operator, or a name in backticks.
#[derive(Clone, Debug)]
pub struct Op {
    pub name: QualName,
    pub backtick: bool,
    pub id: NodeId,
    pub span: Span,
}

#[derive(Debug)]
pub enum ExpKind {
    Lit(Lit),
    /// A variable; or modules and a variable; or a variable and record fields: `a.b.c`.
    Var(QualName),
    Hole,
    Parens(Box<Exp>),
    /// `m.(e)`
    LocalOpen(QualName, Box<Exp>),
    Tuple(Vec<Exp>),
    Record(Vec<Field>),
    Array(Vec<Exp>),
    /// `e.f` where `e` is not a dotted chain of names.
    Project(Box<Exp>, Ident),
    Index(Box<Exp>, Vec<DimIndex>),
    /// `f x y z`: at least one argument.
    Apply(Box<Exp>, Vec<Exp>),
    /// `#c x y`
    Constr(Ident, Vec<Exp>),
    Negate(Box<Exp>),
    Not(Box<Exp>),
    BinOp(Box<Exp>, Op, Box<Exp>),
    /// `(+)`
    OpSection(Op),
    /// `(x +)`
    LeftSection(Box<Exp>, Op),
    /// `(+ x)`
    RightSection(Op, Box<Exp>),
    /// `(.a.b)`, `(.[i])`
    ProjSection(Vec<Step>),
    /// `e : t`
    Ascript(Box<Exp>, Box<TypeExp>),
    /// `e :> t`
    Coerce(Box<Exp>, Box<TypeExp>),
    Range {
        start: Box<Exp>,
        /// The second element.
        second: Option<Box<Exp>>,
        kind: RangeKind,
        end: Box<Exp>,
    },
    If(Box<Exp>, Box<Exp>, Box<Exp>),
    /// `let [n] pat = e in body`
    LetPat {
        sizes: Vec<SizeBinder>,
        pat: Box<Pat>,
        bound: Box<Exp>,
        body: Box<Exp>,
    },
    /// `let f 'a x y : t = e in body`
    LetFun(Box<LetFun>),
    /// `let a.f[i] = e in body`. The `Exp` node's own id stands for the rebound name.
    LetWith {
        name: Ident,
        /// For the use of the old value.
        source: NodeId,
        steps: Vec<Step>,
        value: Box<Exp>,
        body: Box<Exp>,
    },
    Lambda {
        params: Vec<Pat>,
        ret: Option<Box<TypeExp>>,
        body: Box<Exp>,
    },
    Loop(Box<Loop>),
    Match(Box<Exp>, Vec<Case>),
    Assert(Box<Exp>, Box<Exp>),
    /// `e with a[i].b = v`
    Update(Box<Exp>, Vec<Step>, Box<Exp>),
    Attr(Attr, Box<Exp>),
    Error,
}

#[derive(Debug)]
pub struct Field {
    pub name: Ident,
    /// Without one: the variable of that name.
    pub value: Option<Exp>,
    /// For the use of the variable.
    pub id: NodeId,
}

#[derive(Debug)]
pub struct LetFun {
    pub name: Ident,
    /// Identifies the function.
    pub id: NodeId,
    pub tparams: Vec<TypeParam>,
    pub params: Vec<Pat>,
    pub ret: Option<TypeExp>,
    pub def: Exp,
    pub body: Exp,
}

#[derive(Debug)]
pub struct Loop {
    pub pat: Pat,
    /// Without one: the variables of the pattern.
    pub init: Option<Exp>,
    pub form: LoopForm,
    pub body: Exp,
}

#[derive(Debug)]
pub enum LoopForm {
    /// `for i < e`
    For(Ident, NodeId, Exp),
    /// `for p in e`
    ForIn(Pat, Exp),
    While(Exp),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RangeKind {
    /// `...`
    To,
    /// `..<`
    UpTo,
    /// `..>`
    DownTo,
}

#[derive(Debug)]
pub struct Case {
    pub pat: Pat,
    pub body: Exp,
    pub span: Span,
}

// Most are single: a box would cost more than the room it saves.
#[allow(clippy::large_enum_variant)]
#[derive(Debug)]
pub enum DimIndex {
    Fix(Exp),
    /// `i:j:s`. `colons`: how many were written, 1 or 2.
    Slice {
        start: Option<Exp>,
        end: Option<Exp>,
        stride: Option<Exp>,
        colons: u8,
        span: Span,
    },
}

/// One step of a path into a value.
#[derive(Debug)]
pub enum Step {
    Field(Ident),
    Index(Vec<DimIndex>, Span),
}

#[derive(Clone, Debug)]
pub struct Attr {
    pub kind: AttrKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum AttrKind {
    Name(Symbol),
    Int(u128),
    Call(Symbol, Vec<Attr>),
}
