//! Pages of documentation.

use crate::run::Workplace;
use std::collections::BTreeMap;

/// All pages of a folder by their names.
fn pages(place: &Workplace, folder: &str) -> BTreeMap<String, String> {
    let files = std::fs::read_dir(place.path(folder)).unwrap().map(|e| e.unwrap().path());
    let name = |p: &std::path::Path| p.file_name().unwrap().to_str().unwrap().to_string();
    files.map(|p| (name(&p), std::fs::read_to_string(p).unwrap())).collect()
}

/// Every link leads somewhere.
#[track_caller]
fn check_links(pages: &BTreeMap<String, String>) -> usize {
    let mut count = 0;
    for (name, text) in pages.iter().filter(|(name, _)| name.ends_with(".html")) {
        for link in text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
            if link.contains("://") {
                continue;
            }
            count += 1;
            let (file, place) = link.split_once('#').unwrap_or((link, ""));
            let file = if file.is_empty() { name } else { file };
            let target = pages.get(file).unwrap_or_else(|| panic!("{name}: {link}"));
            assert!(target.matches(&format!("id=\"{place}\"")).count() <= 1, "{name}: {link} is ambiguous");
            assert!(place.is_empty() || target.contains(&format!("id=\"{place}\"")), "{name}: {link}");
        }
    }
    count
}

#[test]
fn programs_have_pages_with_links() {
    let place = Workplace::new();
    place.write("src/shapes.fut", "-- | Shapes.\n\n-- | A point.\ntype point = {x: f64, y: f64}\n\n-- | How far a `point`@type is.\ndef distance (p: point) (q: point) =\n  f64.sqrt ((p.x - q.x) ** 2)\n\nlocal def secret = 1i32\n\ndef point (x: f64) : point = {x, y = 0}\n");
    place.write("src/use.fut", "import \"shapes\"\n\nmodule type m = {\n  -- | A value.\n  val a: point\n}\n\nmodule n: m = { def a: point = {x = 0, y = 1} }\n");
    let run = place.norn(["doc", "src", "-o", "pages"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let pages = pages(&place, "pages");
    check_links(&pages);
    let shapes = &pages["src.shapes.html"];
    assert!(shapes.contains("A point.") && shapes.contains("<p>Shapes.</p>"), "{shapes}");
    assert!(shapes.contains("(p: <a href=\"src.shapes.html#type.point\">point</a>)"), "{shapes}");
    assert!(shapes.contains("<span class=\"inferred\"> : f64</span>"), "{shapes}");
    assert!(shapes.contains("<a href=\"src.shapes.html#type.point\"><code>point</code></a>"), "{shapes}");
    assert!(!shapes.contains("secret"));
    let uses = &pages["src.use.html"];
    assert!(
        uses.contains("id=\"m.a\"") && uses.contains("module n: <a href=\"src.use.html#mtype.m\">m</a>"),
        "{uses}"
    );
    assert!(pages["names.js"].contains("[\"m.a\",\"value\",\"src/use\",\"src.use.html#m.a\",\"A value.\"]"));
}

#[test]
fn the_prelude_has_pages() {
    let place = Workplace::new();
    let run = place.norn(["doc"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let pages = pages(&place, "doc");
    assert!(check_links(&pages) > 500);
    assert!(pages["prelude.soacs.html"].contains("id=\"map\""));
    assert!(pages["names.js"].contains("\"reduce\""));
}

#[test]
fn programs_with_errors_are_reported() {
    let place = Workplace::new();
    place.write("a.fut", "def f = nothing\n");
    let run = place.norn(["doc", "a.fut", "--no-prelude"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("E0201"), "{}", run.stderr);
    assert_eq!(place.norn(["doc", "nowhere"]).code, Some(3));
}
