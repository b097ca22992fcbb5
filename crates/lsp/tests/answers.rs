//! What the server answers, one question after the other.

use crate::editor::{Editor, edited, uri};
use serde_json::{Value, json};

const PATH: &str = "/work/a.fut";

fn everything() -> Value {
    json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9, "character": 0 } })
}

fn hover(text: &str) -> String {
    let answer = Editor::new(&[]).ask_at("hover", PATH, text, json!({}));
    answer["contents"]["value"].as_str().unwrap_or_default().to_string()
}

#[test]
fn hover_shows_types_with_sizes() {
    assert!(hover("def f [n] (xs: [n]i32) = let y§s = map (+ 1) xs in ys").contains("ys : [n]i32"));
    let filtered = hover("def f [n] (xs: [n]i32) = let ys = filter (> 1) xs in y§s");
    assert!(filtered.contains("ys : [") && filtered.contains("]i32"), "{filtered}");
    assert!(hover("def f [n] (xs: [n]i32) = §xs").contains("xs : [n]i32"));
}

#[test]
fn hover_shows_documentation_and_what_polymorphic_names_are_here() {
    let of_map = hover("def f [n] (xs: [n]i32) = m§ap (+ 1) xs");
    assert!(of_map.contains("-- here: "), "{of_map}");
    assert!(of_map.lines().count() > 4, "the documentation of the prelude: {of_map}");
    let own = hover("-- | Doubles.\ndef twice (x: i32) = x * 2\ndef f = tw§ice 3");
    assert!(own.contains("twice : i32 -> i32") && own.contains("Doubles."), "{own}");
}

#[test]
fn hover_works_in_definitions_with_errors() {
    let text = hover("def f (xs: []i32) = let ys = m§ap (+ 1) xs in ys + nothing");
    assert!(text.contains("map : "), "{text}");
    let text = hover("def f (p: {a: i32, b: bool}) = let q§ = p in q + 1");
    assert!(text.contains("q : {a: i32, b: bool}"), "{text}");
}

#[test]
fn hover_shows_types_and_modules_as_declared() {
    assert!(
        hover("type point = {x: f32, y: f32}\ndef f (p: poi§nt) = p.x")
            .contains("type point = {x: f32, y: f32}")
    );
    assert!(hover("-- | Numbers.\nmodule m = { def a = 1i32 }\ndef b = §m.a").contains("Numbers."));
}

fn definition(files: &[(&str, &str)], text: &str) -> Value {
    Editor::new(files).ask_at("definition", PATH, text, json!({}))
}

fn at(answer: &Value) -> (u64, u64) {
    let start = &answer["range"]["start"];
    (start["line"].as_u64().unwrap(), start["character"].as_u64().unwrap())
}

#[test]
fn definitions_are_found() {
    assert_eq!(at(&definition(&[], "def f (x: i32) =\n  let y = x\n  in §y")), (1, 6));
    assert_eq!(at(&definition(&[], "def g = 1i32\ndef f = §g")), (0, 4));
    assert_eq!(at(&definition(&[], "type t = i32\ndef f (x: §t) = x")), (0, 5));
    let prelude = definition(&[], "def f (xs: []i32) = §filter (> 1) xs");
    assert_eq!(prelude["uri"], "file:///shown/prelude/soacs.fut", "{prelude}");
}

#[test]
fn definitions_in_sealed_modules_are_the_implementations() {
    let text =
        "module type mt = { val f: i32 -> i32 }\nmodule m: mt = { def f (x: i32) = x }\ndef a = m.§f 1";
    assert_eq!(at(&definition(&[], text)), (1, 21));
    let declared = Editor::new(&[]).ask_at("declaration", PATH, text, json!({}));
    assert_eq!(at(&declared), (0, 23));
}

#[test]
fn definitions_in_other_files_are_found() {
    let files = [("/work/lib/b.fut", "def helper (x: i32) = x")];
    let answer = definition(&files, "import \"lib/b\"\ndef f = §helper 1");
    assert_eq!(answer["uri"], uri("/work/lib/b.fut"));
    assert_eq!(at(&answer), (0, 4));
    let file = definition(&files, "import \"li§b/b\"\ndef f = helper 1");
    assert_eq!(file["uri"], uri("/work/lib/b.fut"));
}

#[test]
fn references_go_over_all_files() {
    let files = [("/work/b.fut", "import \"a\"\ndef g = shared + shared"), ("/work/c.fut", "def shared = 1")];
    let mut editor = Editor::new(&files);
    let more = json!({ "context": { "includeDeclaration": true } });
    let answer = editor.ask_at("references", PATH, "def sha§red = 1i32\ndef f = shared", more);
    assert_eq!(answer.as_array().unwrap().len(), 4, "{answer}");
}

/// The text after renaming what is at `§`, or why not.
fn rename(text: &str, new: &str) -> Result<String, String> {
    let mut editor = Editor::new(&[]);
    let position = editor.open_at(PATH, text);
    let answer = editor.try_ask("rename", PATH, json!({ "position": position, "newName": new }))?;
    Ok(edited(&text.replacen('§', "", 1), &answer["changes"][uri(PATH)]))
}

#[test]
fn renaming_changes_all_uses() {
    let renamed = rename("def f (x: i32) = let y§ = x in y + y", "z").unwrap();
    assert_eq!(renamed, "def f (x: i32) = let z = x in z + z");
    let operator = rename("def (+++) (a: i32) (b: i32) = a\ndef f = 1 §+++ 2", "***").unwrap();
    assert_eq!(operator, "def (***) (a: i32) (b: i32) = a\ndef f = 1 *** 2");
    let module_type = "module type mt = { val f: i32 }\nmodule m: mt = { def f = 1i32 }\ndef a = m.§f";
    assert_eq!(
        rename(module_type, "g").unwrap(),
        "module type mt = { val g: i32 }\nmodule m: mt = { def g = 1i32 }\ndef a = m.g"
    );
}

#[test]
fn renaming_keeps_the_names_of_fields() {
    assert_eq!(rename("def f (x: i32) = {§x, y = x}", "z").unwrap(), "def f (z: i32) = {x = z, y = z}");
    assert_eq!(rename("def f {x: i32} = §x", "z").unwrap(), "def f {x = z: i32} = z");
    assert_eq!(
        rename("def f (p: {a: i32}) = let {a} = p in §a", "b").unwrap(),
        "def f (p: {a: i32}) = let {a = b} = p in b"
    );
}

#[test]
fn renaming_takes_names_along_that_are_bound_by_their_use() {
    let update = "def f (a: *[]i32) = let a[0] = 1 in let §a[1] = 2 in a";
    assert_eq!(rename(update, "b").unwrap(), "def f (b: *[]i32) = let b[0] = 1 in let b[1] = 2 in b");
    let implicit = "def f (x: i32) = loop x for i < 3 do §x + i";
    assert_eq!(rename(implicit, "y").unwrap(), "def f (y: i32) = loop y for i < 3 do y + i");
}

#[test]
fn renaming_goes_through_parametric_modules() {
    let text = "module type mt = { type t val f: t }
module functor (m: mt) = { def g = m.f }
module a = { type t = i32 def §f: t = 1 }
module b = functor a
def x = b.g + (a.f: a.t)";
    let value = rename(text, "h").unwrap();
    let expected =
        text.replace("val f", "val h").replace("m.f", "m.h").replace("§f", "h").replace("a.f", "a.h");
    assert_eq!(value, expected);
    let kind = rename(&text.replace('§', "").replace("a.t)", "a.§t)"), "u").unwrap();
    let plain = text.replace('§', "");
    let expected = plain.replace("type t", "type u").replace(": t", ": u").replace("a.t", "a.u");
    assert_eq!(kind, expected);
    // Whoever renames a member of the new module renames it where it is written.
    let member = rename(&plain.replace("b.g", "b.§g"), "k").unwrap();
    assert_eq!(member, plain.replace("def g", "def k").replace("b.g", "b.k"));
}

#[test]
fn renaming_that_would_change_the_meaning_is_refused() {
    let hides = rename("def f (x: i32) = let §y = 1 in x + y", "x").unwrap_err();
    assert!(hides.contains("means something else"), "{hides}");
    let hidden = rename("def §g = 1i32\ndef f (h: i32) = h + g", "h").unwrap_err();
    assert!(hidden.contains("means something else"), "{hidden}");
    assert!(rename("def f (x: i32) = §x", "let").is_err());
    assert!(rename("def f (x: i32) = §x", "1").is_err());
    assert!(rename("def f (xs: []i32) = §map (+ 1) xs", "m").unwrap_err().contains("prelude"));
}

#[test]
fn renaming_goes_to_other_files() {
    let files = [("/work/b.fut", "import \"a\"\ndef g = shared")];
    let mut editor = Editor::new(&files);
    let position = editor.open_at(PATH, "def §shared = 1i32");
    let answer = editor.ask("rename", PATH, json!({ "position": position, "newName": "common" }));
    let other = edited(files[0].1, &answer["changes"][uri("/work/b.fut")]);
    assert_eq!(other, "import \"a\"\ndef g = common");
    // The same, asked where it is used.
    let mut editor = Editor::new(&[("/work/a.fut", "def shared = 1i32")]);
    let position = editor.open_at("/work/b.fut", "import \"a\"\ndef g = sha§red");
    let answer = editor.ask("rename", "/work/b.fut", json!({ "position": position, "newName": "common" }));
    assert_eq!(edited("def shared = 1i32", &answer["changes"][uri("/work/a.fut")]), "def common = 1i32");
}

fn completions(text: &str) -> Vec<String> {
    let answer = Editor::new(&[]).ask_at("completion", PATH, text, json!({}));
    let items = answer["items"].as_array().cloned().unwrap_or_default();
    items.iter().map(|i| i["label"].as_str().unwrap().to_string()).collect()
}

#[test]
fn names_in_scope_are_completed() {
    let names = completions("def helper = 1i32\ndef f (hello: i32) = let heap = 2 in he§");
    for name in ["hello", "heap", "helper"] {
        assert!(names.contains(&name.to_string()), "{name} in {names:?}");
    }
    let names = completions("def f (hello: i32) = §\ndef later = 1");
    assert!(names.contains(&"hello".into()) && names.contains(&"map".into()), "{names:?}");
    assert!(!names.contains(&"later".into()) && !names.contains(&"norn".into()), "{names:?}");
    assert_eq!(completions("-- he§"), Vec::<String>::new());
}

#[test]
fn members_of_modules_are_completed() {
    let members = completions("def f (x: f32) = f32.§");
    assert!(members.contains(&"sqrt".into()) && !members.contains(&"map".into()), "{members:?}");
    assert_eq!(completions("def f (x: f32) = f32.sq§ x"), ["sqrt"]);
    assert_eq!(completions("module m = { module n = { def a = 1i32 } }\ndef f = m.n.§"), ["a"]);
}

#[test]
fn fields_are_completed() {
    let mut fields = completions("def f (p: {left: i32, right: bool}) = p.§");
    fields.sort();
    assert_eq!(fields, ["left", "right"]);
    let nested = "def f (p: {left: {up: i32}}) =\n  let x = p.left.§\n  in x";
    assert_eq!(completions(nested), ["up"]);
    assert_eq!(completions("def f (ps: [3]{left: i32}) = ps[0].§"), ["left"]);
    assert_eq!(completions("def f (p: {left: i32, low: bool}) = p.lo§"), ["low"]);
}

#[test]
fn constructors_are_completed() {
    assert_eq!(completions("type t = #red i32 | #green\ndef f : t = #§"), ["green", "red"]);
    assert_eq!(completions("type t = #red | #green\ndef f (x: t) : i32 = match x case #gr§"), ["green"]);
}

#[test]
fn signatures_show_the_argument_that_is_written() {
    let answer = Editor::new(&[]).ask_at(
        "signatureHelp",
        PATH,
        "def f (x: i32) (y: bool) = x\ndef g = f 1 §",
        json!({}),
    );
    assert_eq!(answer["signatures"][0]["label"], "f : (x: i32) -> (y: bool) -> i32");
    assert_eq!(answer["activeParameter"], 1);
    let second = answer["signatures"][0]["parameters"][1]["label"].clone();
    assert_eq!(second, json!([16, 25]));
}

#[test]
fn diagnostics_come_with_notes_and_help() {
    let mut editor = Editor::new(&[]);
    editor.open(PATH, "def f (x: i32) = y\ndef unused (a: i32) = 1i32");
    let all = editor.diagnostics();
    let list = &all[&uri(PATH)];
    assert_eq!(list.len(), 2, "{list:?}");
    assert_eq!(list[0]["code"], "E0201");
    assert_eq!(list[1]["tags"], json!([1]));
    editor.write(PATH, "def f (x: i32) = x");
    assert_eq!(editor.diagnostics()[&uri(PATH)], Vec::<Value>::new());
    assert!(editor.diagnostics().is_empty());
}

#[test]
fn diagnostics_of_imports_are_those_of_their_files() {
    let mut editor = Editor::new(&[("/work/b.fut", "def g = nothing")]);
    editor.open(PATH, "import \"b\"\ndef f = 1i32");
    let all = editor.diagnostics();
    assert!(all[&uri(PATH)].is_empty() && all[&uri("/work/b.fut")].len() == 1, "{all:?}");
    // What is written into the editor counts, and those who import it are checked again.
    editor.open("/work/b.fut", "def g = 2i32");
    let all = editor.diagnostics();
    assert!(all[&uri("/work/b.fut")].is_empty(), "{all:?}");
    editor.write("/work/b.fut", "def h = 2i32");
    editor.write(PATH, "import \"b\"\ndef f = h");
    assert!(editor.diagnostics().values().all(Vec::is_empty));
    editor.write("/work/b.fut", "def i = 2i32");
    assert_eq!(editor.diagnostics()[&uri(PATH)].len(), 1);
}

#[test]
fn a_circle_of_imports_is_shown_in_each_of_its_files() {
    let mut editor = Editor::new(&[("/work/b.fut", "import \"a\"")]);
    editor.open("/work/a.fut", "import \"b\"\ndef f = 1i32");
    for _ in 0..2 {
        let all = editor.diagnostics();
        assert!(all.values().all(|list| list.len() == 1 && list[0]["code"] == "E0208"), "{all:?}");
        editor.open("/work/b.fut", "import \"a\"");
    }
    assert!(editor.diagnostics().is_empty());
}

/// The text after the first correction that is offered, and what it is called.
fn corrected(text: &str) -> (String, String) {
    let mut editor = Editor::new(&[]);
    editor.open(PATH, text);
    let context = json!({ "range": everything(), "context": { "diagnostics": [] } });
    let action = editor.ask("codeAction", PATH, context)[0].clone();
    (edited(text, &action["edit"]["changes"][uri(PATH)]), action["title"].as_str().unwrap().to_string())
}

#[test]
fn help_becomes_an_action() {
    let (text, title) = corrected("def colour = 1i32\ndef f = color");
    assert_eq!(
        (text.as_str(), title.as_str()),
        ("def colour = 1i32\ndef f = colour", "did you mean `colour`?")
    );
    let (text, title) = corrected("def f (x: i32) (y: i32) = x");
    assert_eq!(
        (text.as_str(), title.as_str()),
        ("def f (x: i32) (_y: i32) = x", "write `_y` if this is meant")
    );
    assert_eq!(corrected("type f = i32 -> i32").0, "type^ f = i32 -> i32");
    assert_eq!(corrected("def f {_x: i32} = 1i32").0, "def f {x = _: i32} = 1i32");
    assert_eq!(corrected("def f = 1i32\n-- | Nothing.").0, "def f = 1i32\n-- Nothing.");
    let swapped = corrected("def f (xs: []i32) = map xs (+ 1)").0;
    assert_eq!(swapped, "def f (xs: []i32) = map (+ 1) xs");
    let compared = corrected("def f (x: i32) = if x then 1i32 else 2").0;
    assert_eq!(compared, "def f (x: i32) = if x != 0 then 1i32 else 2");
    assert_eq!(corrected("def f (x: i32) = x === 1").0, "def f (x: i32) = x == 1");
    assert_eq!(corrected("def f (x: i32) = float x").0, "def f (x: i32) = f64.i32 x");
    assert_eq!(corrected("def f (a: i32) (b: i32) = mod a b").0, "def f (a: i32) (b: i32) = (a % b)");
}

#[test]
fn formatting_is_that_of_the_command() {
    let text = "def f(x:i32)=x+1\n\ndef g = 1i32\n";
    let mut editor = Editor::new(&[]);
    editor.open(PATH, text);
    let options = json!({ "options": { "tabSize": 2, "insertSpaces": true } });
    let edits = editor.ask("formatting", PATH, options.clone());
    assert_eq!(edits.as_array().unwrap().len(), 1);
    assert_eq!(edits[0]["range"]["end"]["line"], 1);
    assert_eq!(edited(text, &edits), "def f (x: i32) = x + 1\n\ndef g = 1i32\n");
    editor.write(PATH, "def f(");
    assert!(editor.try_ask("formatting", PATH, options).is_err());
}

#[test]
fn sizes_that_were_inferred_are_shown() {
    let mut editor = Editor::new(&[]);
    editor.open(PATH, "def f [n] (xs: [n]i32) =\n  let ys = map (+ 1) xs\n  let k = 1i32\n  in map (+ k) ys");
    let answer = editor.ask("inlayHint", PATH, json!({ "range": everything() }));
    let labels: Vec<&str> = answer.as_array().unwrap().iter().map(|h| h["label"].as_str().unwrap()).collect();
    assert_eq!(labels, [": [n]i32", ": [n]i32"], "{answer}");
}

#[test]
fn words_are_distinguished() {
    let mut editor = Editor::new(&[]);
    editor.open(PATH, "-- a\ndef f (x: i32) = f32.i32 x");
    let data = editor.ask("semanticTokens/full", PATH, json!({}))["data"].clone();
    let numbers: Vec<u64> = data.as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    let kinds: Vec<u64> = numbers.chunks(5).map(|t| t[3]).collect();
    // comment, def, f, x, i32, =, f32, i32, x
    assert_eq!(kinds, [1, 0, 6, 5, 7, 4, 8, 6, 5]);
}

#[test]
fn the_outline_has_modules_with_their_members() {
    let mut editor = Editor::new(&[]);
    editor.open(PATH, "def f (x: i32) = x\nmodule m = { type t = i32 def a : t = 1 }");
    let answer = editor.ask("documentSymbol", PATH, json!({}));
    assert_eq!(answer[0]["name"], "f");
    assert_eq!(answer[0]["detail"], "i32 -> i32");
    assert_eq!(answer[1]["children"].as_array().unwrap().len(), 2);
}

#[test]
fn columns_count_what_the_editor_counts() {
    // Without an agreement, columns are units of UTF-16.
    let mut server = norn_lsp::Server::new(Box::new(crate::editor::Stored::default()));
    server.initialize(&json!({ "capabilities": {} }));
    let text = "def f = let s = \"äö😀\" in nothing";
    let document = json!({ "uri": uri(PATH), "languageId": "norn", "version": 1, "text": text });
    server.notification("textDocument/didOpen", json!({ "textDocument": document }));
    let messages = serde_json::to_value(server.diagnose().unwrap()).unwrap();
    assert_eq!(messages[0]["diagnostics"][0]["range"]["start"]["character"], 26, "{messages}");
}

#[test]
fn constructors_of_what_is_matched_come_alone() {
    let text = "type t = #red | #green\ntype u = #blue\ndef f (x: t) (y: u) : i32 = match x case #§";
    assert_eq!(completions(text), ["green", "red"]);
    assert_eq!(completions(&text.replace("#§", "#r§")), ["red"]);
    assert_eq!(completions(&text.replace("#§", "#§ -> 1")), ["green", "red"]);
}

#[test]
fn paths_of_imports_are_completed() {
    let files = [("/work/lib/b.fut", ""), ("/work/c.fut", ""), ("/other/d.fut", "")];
    let mut editor = Editor::new(&files);
    let labels = |answer: Value| -> Vec<String> {
        answer.as_array().unwrap().iter().map(|i| i["label"].as_str().unwrap().to_string()).collect()
    };
    assert_eq!(labels(editor.ask_at("completion", PATH, "import \"§\"", json!({}))), ["c", "lib/b"]);
    assert_eq!(labels(editor.ask_at("completion", PATH, "module m = import \"lib/§", json!({}))), ["b"]);
}

#[test]
fn declarations_of_all_programs_are_found() {
    let mut editor = Editor::new(&[("/work/b.fut", "module inner = { def wanted_too = 1i32 }")]);
    editor.open(PATH, "def wanted = 1i32\ndef other = 2i32");
    let answer = editor.server.request("workspace/symbol", json!({ "query": "WANT" })).unwrap();
    let names: Vec<&str> = answer.as_array().unwrap().iter().map(|s| s["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["wanted", "wanted_too"]);
}

#[test]
fn declarations_and_comments_are_folded() {
    let mut editor = Editor::new(&[]);
    editor.open(PATH, "-- a\n-- b\n\n-- c\ndef f =\n  1i32\n\ndef g = 2i32");
    let answer = editor.ask("foldingRange", PATH, json!({}));
    let lines: Vec<(u64, u64)> = answer
        .as_array()
        .unwrap()
        .iter()
        .map(|r| (r["startLine"].as_u64().unwrap(), r["endLine"].as_u64().unwrap()))
        .collect();
    assert_eq!(lines, [(4, 5), (0, 1)]);
}

#[test]
fn files_are_called_as_the_editor_calls_them() {
    let mut editor = Editor::new(&[]);
    let other = "file:///work/%61 b%281%29.fut";
    let document = json!({ "uri": other, "languageId": "norn", "version": 1, "text": "def f = g" });
    editor.server.notification("textDocument/didOpen", json!({ "textDocument": document }));
    assert!(editor.diagnostics().contains_key(other));
    editor.open(PATH, "import \"a b(1)\"\ndef g = 1i32");
    let at = json!({ "line": 0, "character": 10 });
    assert_eq!(editor.ask("definition", PATH, json!({ "position": at }))["uri"], other);
}
