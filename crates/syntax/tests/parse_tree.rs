//! What the parser makes of every construct.

use crate::sexp;
use norn_base::FileId;
use norn_syntax::ast::NodeIds;
use norn_syntax::{parse, parse_exp};

fn exp(text: &str) -> String {
    let (exp, diagnostics) = parse_exp(FileId(0), text, &mut NodeIds::default());
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:#?}");
    sexp::exp(&exp)
}

fn prog(text: &str) -> String {
    let parsed = parse(FileId(0), text, &mut NodeIds::default());
    assert!(parsed.diagnostics.is_empty(), "{text}: {:#?}", parsed.diagnostics);
    sexp::prog(&parsed.prog)
}

fn ty(text: &str) -> String {
    let definition = prog(&format!("type t = {text}"));
    definition["(type t ".len()..definition.len() - 1].to_string()
}

fn pat(text: &str) -> String {
    let binding = exp(&format!("let {text} = 1 in 2"));
    binding["(let ".len()..binding.len() - " 1 2)".len()].to_string()
}

fn rejects(text: &str) {
    let (_, diagnostics) = parse_exp(FileId(0), text, &mut NodeIds::default());
    assert!(diagnostics.has_errors(), "accepted: {text}");
}

#[test]
fn literals() {
    assert_eq!(exp("[1, 0x1F, 2i8, 3f32, 1.5, 2e3f64, 0b11u8]"), "(array 1 31 2i8 3f32 1.5 2000.0f64 3u8)");
    assert_eq!(exp(r#"(true, 'a', '\n', "b\"c")"#), r#"(tuple true 'a' '\n' "b\"c")"#);
    assert_eq!(exp("f 0rXIV ???"), "(f 14 ???)");
    assert_eq!(exp(&"9".repeat(40)), "overflow");
}

#[test]
fn names_and_fields() {
    assert_eq!(exp("a.b.c"), "a.b.c");
    assert_eq!(exp("a.b.0.c"), "(.c (.0 a.b))");
    assert_eq!(exp("t.0.1"), "(.1 (.0 t))");
    assert_eq!(exp("(f x).y"), "(.y (parens (f x)))");
    assert_eq!(exp("m.n.(x + y)"), "(open m.n (+ x y))");
    rejects("(x).(y)");
    rejects("x.1i32");
}

#[test]
fn application() {
    assert_eq!(exp("f x (g y) [1] {a}"), "(f x (parens (g y)) (array 1) (record a))");
    assert_eq!(exp("map (+1) xs"), "(map (section + 1) xs)");
    assert_eq!(exp(r"f x \y z -> y z"), r"(f x (\ y z (y z)))");
    assert_eq!(exp("#some x y"), "(#some x y)");
    assert_eq!(exp("f #none x"), "(f (#none) x)");
    assert_eq!(exp("(#some) x"), "((parens (#some)) x)");
    rejects("f if a then b else c");
    rejects("f !x");
}

#[test]
fn a_bracket_indexes_only_without_a_space() {
    assert_eq!(exp("a[i]"), "(index a [i])");
    assert_eq!(exp("a [i]"), "(a (array i))");
    assert_eq!(exp("f a[i] [j]"), "(f (index a [i]) (array j))");
    assert_eq!(exp("a[i][j, k]"), "(index (index a [i]) [j, k])");
    assert_eq!(exp("(f x)[0]"), "(index (parens (f x)) [0])");
    assert_eq!(exp("a[]"), "(index a [])");
    rejects("a[i] [j]");
    rejects("if a then[1] else [2]");
}

#[test]
fn slices() {
    assert_eq!(exp("a[:]"), "(index a [:])");
    assert_eq!(exp("a[i:, :j, i:j]"), "(index a [i:, :j, i:j])");
    assert_eq!(exp("a[::-1, i::2, :j:3, i:j:k]"), "(index a [::(neg 1), i::2, :j:3, i:j:k])");
    rejects("a[i:j:]");
    rejects("a[::]");
}

#[test]
fn operators_bind_as_their_longest_known_prefix() {
    assert_eq!(exp("a + b * c ** d"), "(+ a (* b (** c d)))");
    assert_eq!(exp("a - b - c"), "(- (- a b) c)");
    assert_eq!(exp("a ** b ** c"), "(** (** a b) c)");
    assert_eq!(exp("f <| g <| x"), "(<| f (<| g x))");
    assert_eq!(exp("a <| b |> c"), "(|> (<| a b) c)");
    assert_eq!(exp("a || b && c == d & e << f"), "(|| a (&& b (== c (& d (<< e f)))))");
    assert_eq!(exp("a +^ b *^ c"), "(+^ a (*^ b c))");
    assert_eq!(exp("a <=> b |+| c"), "(<=> a (|+| b c))");
    assert_eq!(exp("a ++ b `f` c ++ d"), "(`f` (++ a b) (++ c d))");
    assert_eq!(exp("a `m.f` b `g` c"), "(`g` (`m.f` a b) c)");
    assert_eq!(exp("a m.+ b m.* c"), "(m.+ a (m.* b c))");
    assert_eq!(exp("a => b"), "(=> a b)");
    assert_eq!(exp("a // b %% c"), "(%% (// a b) c)");
    assert_eq!(exp("a >>> b"), "(>>> a b)");
}

#[test]
fn prefix_operators_bind_tighter_than_infix_ones() {
    assert_eq!(exp("-x ** 2"), "(** (neg x) 2)");
    assert_eq!(exp("- f x"), "(neg (f x))");
    assert_eq!(exp("f -x"), "(- f x)");
    assert_eq!(exp("!a && !b"), "(&& (not a) (not b))");
    assert_eq!(exp("- -x"), "(neg (neg x))");
    rejects("!!x");
    rejects("-!x");
}

#[test]
fn sections() {
    assert_eq!(exp("(+)"), "(section +)");
    assert_eq!(exp("(-)"), "(section -)");
    assert_eq!(exp("(-x)"), "(parens (neg x))");
    assert_eq!(exp("(x -)"), "(section x -)");
    assert_eq!(exp("(*x)"), "(section * x)");
    assert_eq!(exp("(`f` x)"), "(section `f` x)");
    assert_eq!(exp("(x `f`)"), "(section x `f`)");
    assert_eq!(exp("(m.+ x)"), "(section m.+ x)");
    assert_eq!(exp("(a * b +)"), "(section (* a b) +)");
    assert_eq!(exp("(.a.0[i, :])"), "(section .a.0[i, :])");
    assert_eq!(exp("(.[i].a)"), "(section [i].a)");
    rejects("(a + b *)");
    rejects("(+ x, y)");
    rejects("(+ x : t)");
    rejects("(x : t +)");
    rejects("(!)");
    rejects("(.a [i])");
}

#[test]
fn ranges() {
    assert_eq!(exp("1...n"), "(... 1 n)");
    assert_eq!(exp("0..<n + 1"), "(..< 0 (+ n 1))");
    assert_eq!(exp("n..n-1..>0"), "(..> n (- n 1) 0)");
    assert_eq!(exp("1..2...n"), "(... 1 2 n)");
    assert_eq!(exp("a with [0] = 1 ... 2"), "(... (with a [0] 1) 2)");
    rejects("1..2");
    rejects("1..2..3...4");
}

#[test]
fn types_of_expressions() {
    assert_eq!(exp("x + y : i32"), "(: (+ x y) i32)");
    assert_eq!(exp("x : t :> [n]u"), "(:> (: x t) (array [n] u))");
    assert_eq!(exp("if a then b else c : t"), "(if a b (: c t))");
    assert_eq!(exp("(if a then b else c : t + 1)"), "(parens (+ (if a b (: c t)) 1))");
    assert_eq!(exp(r"\x -> x : t"), r"(\ x (: x t))");
    assert_eq!(exp("match x case 1 -> 2 : t"), "(: (match x (case 1 2)) t)");
    assert_eq!(exp("let a = 1 in let b = 2 in b : t + a"), "(let a 1 (+ (let b 2 (: b t)) a))");
    assert_eq!(exp("let a = 1 let b = 2 in b : t + c"), "(+ (let a 1 (let b 2 (: b t))) c)");
}

#[test]
fn updates() {
    assert_eq!(exp("r with a.b = 1"), "(with r .a.b 1)");
    assert_eq!(exp("r with [i, j].b[k] = 1"), "(with r [i, j].b[k] 1)");
    assert_eq!(exp("r with a = 1 with b = 2"), "(with (with r .a 1) .b 2)");
    assert_eq!(exp("f r with a = x |> g"), "(with (f r) .a (|> x g))");
    rejects("r with .[i] = 1");
    rejects("r with = 1");
}

#[test]
fn bindings() {
    assert_eq!(exp("let x = 1 let y = 2 in x"), "(let x 1 (let y 2 x))");
    assert_eq!(exp("let (a, _) : t = e in a"), "(let (: (tuple a _) t) e a)");
    assert_eq!(exp("let [n] (xs: [n]t) = e in n"), "(let [n] (parens (: xs (array [n] t))) e n)");
    assert_eq!(exp("let [n][m] xs = e in n"), "(let [n][m] xs e n)");
    assert_eq!(exp("let f x y : t = x in f"), "(let-fun f x y : t x f)");
    assert_eq!(
        exp("let f [n] 't '~u '^v (x: [n]t) = x in f"),
        "(let-fun f [n] 't '~u '^v (parens (: x (array [n] t))) x f)"
    );
    assert_eq!(exp("let x[i] = 1 in x"), "(let-with x[i] 1 x)");
    assert_eq!(exp("let x.a[i].0 = 1 in x"), "(let-with x.a[i].0 1 x)");
    assert_eq!(exp("let (+) = f in 1 + 2"), "(let + f (+ 1 2))");
    rejects("let f [n] = 1 in f");
    rejects("let x = 1");
}

#[test]
fn control() {
    assert_eq!(exp("if a then b else if c then d else e"), "(if a b (if c d e))");
    assert_eq!(exp("1 + if a then b else c * 2"), "(+ 1 (if a b (* c 2)))");
    assert_eq!(exp("loop x = 0 for i < n do x + i"), "(loop x 0 (for i n) (+ x i))");
    assert_eq!(exp("loop (a, b) for (x, y) in xs do a"), "(loop (tuple a b) (for-in (tuple x y) xs) a)");
    assert_eq!(exp("loop x : t = 0 while x < 3 do f x"), "(loop (: x t) 0 (while (< x 3)) (f x))");
    assert_eq!(
        exp("match x case #a y -> match y case 1 -> 2 case _ -> 3"),
        "(match x (case (#a y) (match y (case 1 2) (case _ 3))))"
    );
    assert_eq!(exp("assert (a > b) c + d"), "(assert (parens (> a b)) (+ c d))");
    assert_eq!(exp("#[unroll(2, x)] f x + 1"), "(#[(unroll 2 x)] (+ (f x) 1))");
    assert_eq!(exp(r"\(x: t) _ : [n]u -> x"), r"(\ (parens (: x t)) _ : (array [n] u) x)");
}

#[test]
fn brackets_and_commas() {
    assert_eq!(exp("()"), "(tuple)");
    assert_eq!(exp("(a, b, c,)"), "(tuple a b c)");
    assert_eq!(exp("[a, b,,]"), "(array a b)");
    assert_eq!(exp("[]"), "(array)");
    assert_eq!(exp("{a, b = 1, 0 = 2,}"), "(record a b=1 0=2)");
    rejects("(a,)");
    rejects("[,a]");
    rejects("{0}");
}

#[test]
fn patterns() {
    assert_eq!(pat("(a, {b, c = _, d: t}, ())"), "(tuple a (record b c=_ (: d t)) (tuple))");
    assert_eq!(pat("#c 1 -2 'x' (#d y) #e"), "(#c 1 -2 'x' (parens (#d y)) (#e))");
    assert_eq!(pat("#c : t"), "(: (#c) t)");
    assert_eq!(pat("#[a] x"), "(#[a] x)");
    assert_eq!(pat("((-), (`f`), (-1))"), "(tuple - f (parens -1))");
    rejects("let #c x : t = 1 in 2");
    rejects(r"\-1 -> 2");
    rejects("match x case \"s\" -> 1");
}

#[test]
fn types() {
    assert_eq!(ty("a -> b -> c"), "(-> a (-> b c))");
    assert_eq!(ty("(x: a) -> *[x]b"), "(-> (x: a) (* (array [x] b)))");
    assert_eq!(ty("[n][]m.t"), "(array [n] (array [] m.t))");
    assert_eq!(ty("[n + 1](a, b)"), "(array [(+ n 1)] (tuple a b))");
    assert_eq!(ty("?[n][m].[n][m]t"), "(? [n][m] (array [n] (array [m] t)))");
    assert_eq!(ty("a -> ?[n].[n]b -> c"), "(-> a (? [n] (-> (array [n] b) c)))");
    assert_eq!(ty("t [n] u (v w)"), "(apply (apply (apply t [n]) u) (parens (apply v w)))");
    assert_eq!(ty("{a: t, 0: u,}"), "(record a: t 0: u)");
    assert_eq!(ty("#a | #b t [n]u | #c"), "(sum (#a) (#b t (array [n] u)) (#c))");
    assert_eq!(ty("[n]#a | #b"), "(array [n] (sum (#a) (#b)))");
    assert_eq!(ty("()"), "(tuple)");
}

#[test]
fn irregular_dimensions() {
    assert_eq!(ty("[n][?]f32"), "(array [n] (array [?] f32))");
    assert_eq!(ty("[n][?][3][?]f32"), "(array [n] (array [?] (array [3] (array [?] f32))))");
    assert_eq!(ty("[n](?[k].[k]f32)"), "(array [n] (parens (? [k] (array [k] f32))))");
    assert_eq!(ty("[???]f32"), "(array [???] f32)");
}

#[test]
fn definitions() {
    assert_eq!(
        prog("def f 'a [n] (x: [n]a) y : a = x"),
        "(def f 'a [n] (parens (: x (array [n] a))) y : a x)"
    );
    assert_eq!(prog("def f[n] (x: [n]i32) = n"), "(def f [n] (parens (: x (array [n] i32))) n)");
    assert_eq!(prog("entry main = 1 let old x = x"), "(entry main 1)\n(let old x x)");
    assert_eq!(prog("def (+) a b = a"), "(def + a b a)");
    assert_eq!(prog("def (x: t) |+| y : t = x"), "(def infix |+| (parens (: x t)) y : t x)");
    assert_eq!(prog("def a `f` b = a"), "(def infix f a b a)");
    assert_eq!(prog("def a - b = a"), "(def infix - a b a)");
    assert_eq!(prog("def a == b = c"), "(def infix == a b c)");
    assert_eq!(prog("def (+) + (*) = 1"), "(def infix + + * 1)");
    assert_eq!(prog("#[inline] #[a(1)] def f = 1"), "(#[inline] (#[(a 1)] (def f 1)))");
    assert_eq!(prog("local local import \"a/b\""), "(local (local (import \"a/b\")))");
}

#[test]
fn groups_of_definitions() {
    assert_eq!(
        prog("def even x = odd x with def odd x = even x with entry e = r with a = 1"),
        "(vals (def even x (odd x)) (def odd x (even x)) (entry e (with r .a 1)))"
    );
    assert_eq!(
        prog("def f = (1)\nwith def g = 2\ndef h = 3"),
        "(vals (def f (parens 1)) (def g 2))\n(def h 3)"
    );
}

#[test]
fn type_declarations() {
    assert_eq!(prog("type t 'a [n] = [n]a type~ u = [](i32) type^ v = i32 -> i32").lines().count(), 3);
    assert_eq!(prog("type rec = i32"), "(type rec i32)");
    assert_eq!(prog("type rec 'a = a"), "(type rec 'a a)");
    assert_eq!(
        prog(
            "type rec tree 'a = #leaf a | #node (trees a) with type~ trees 'a = #nil | #cons (tree a) (trees a)"
        ),
        "(types (type rec tree 'a (sum (#leaf a) (#node (parens (apply trees a))))) \
         (type~ rec trees 'a (sum (#nil) (#cons (parens (apply tree a)) (parens (apply trees a))))))"
    );
    assert_eq!(prog("type^ rec t = #a"), "(type^ rec t (sum (#a)))");
}

#[test]
fn modules() {
    assert_eq!(
        prog("module m (p: a) (q: {}) : s with t = u = f p { def x = 1 } (import \"i\")"),
        "(module m (p: a) (q: (specs)) : (with s t u) (apply (apply (apply f p) (decs (def x 1))) (parens (import \"i\"))))"
    );
    assert_eq!(prog("open m.n : s"), "(open (: m.n s))");
    assert_eq!(prog(r"module f = \(x: a) : (b) -> x : c"), r"(module f (: (\ (x: a) : (parens b) x) c))");
    assert_eq!(
        prog("module type s = (x: a) -> b -> c with t 'a = [1]a with u = v"),
        "(module-type s (-> (x: a) (-> b (with (with c t 'a (array [1] a)) u v))))"
    );
}

#[test]
fn specifications() {
    assert_eq!(
        prog(
            "module type s = { val x 'a [n]: a val + : t val (-) : t type t type~ u 'a = a module m: s include s }"
        ),
        "(module-type s (specs (val x 'a [n] a) (val + t) (val (-) t) (type t) (type~ u 'a a) (module m s) (include s)))"
    );
    assert_eq!(
        prog("module type s = { type rec t = #a t }"),
        "(module-type s (specs (type rec t (sum (#a t)))))"
    );
}

#[test]
fn documentation() {
    let text = "-- | The file.\n\n-- | One.\n-- Two.\ndef f = 1 -- no doc\n\n-- | Three\ndef g = 2\n";
    assert_eq!(
        prog(text),
        "(file-doc \"The file.\")\n(doc \"One.\\nTwo.\" (def f 1))\n(doc \"Three\" (def g 2))"
    );
    let both = "(file-doc \"Only one.\")\n(doc \"Only one.\" (def f 1))";
    assert_eq!(prog("-- | Only one.\ndef f = 1"), both);
    assert_eq!(prog("-- | Only one.\n\ndef f = 1"), "(file-doc \"Only one.\")\n(def f 1)");
    let text = "module type s = {\n  -- | a\n  #[x]\n  -- | b\n  val y: t\n}";
    assert_eq!(prog(text), "(module-type s (specs (doc \"a\" (#[x] (val y t)))))");
}

#[test]
fn comments_are_kept_beside_the_tree() {
    let text = "def f = 1 -- a\n  -- b\r\n-- | c\n--d\ndef g = 2";
    let parsed = parse(FileId(0), text, &mut NodeIds::default());
    let seen: Vec<_> =
        parsed.comments.list.iter().map(|c| (c.text.as_str(), c.own_line, c.doc, c.span.lo)).collect();
    assert_eq!(
        seen,
        [("-- a", false, false, 10), ("-- b", true, false, 17), ("-- | c\n--d", true, true, 23)]
    );
}

#[test]
fn spans_are_exact() {
    let text = "  f x (g y)  ";
    let (exp, _) = parse_exp(FileId(0), text, &mut NodeIds::default());
    assert_eq!((exp.span.lo, exp.span.hi), (2, 11));
    let text = "#[a] def f = 1 + 2 -- c\n\ntype t = [n]u";
    let parsed = parse(FileId(0), text, &mut NodeIds::default());
    let spans: Vec<_> =
        parsed.prog.decs.iter().map(|d| &text[d.span.lo as usize..d.span.hi as usize]).collect();
    assert_eq!(spans, ["def f = 1 + 2", "type t = [n]u"]);
}

#[test]
fn the_empty_file_and_a_byte_order_mark() {
    assert_eq!(prog(""), "");
    assert_eq!(prog("\u{feff}def f = 1\r\ndef g = 2\r\n"), "(def f 1)\n(def g 2)");
}
