//! Pages as files: where they are written, what is left of those before, and how the command ends.

use crate::run::Workplace;

const GOOD: &str = "-- # Good\n--\n-- It adds. And more.\n\nentry add (x: i32) (y: i32) = x + y\n\n-- > add 1 2\n\n-- > :img [[1, 2], [3, 4]]\n";
const BAD: &str = "-- > nothing 1\n";
const PLOT: &str = "-- > :gnuplot {a = ([1, 2], [1, 4])};\n-- plot a\n";

#[test]
fn a_page_is_beside_its_program() {
    let place = Workplace::new();
    place.write("good.fut", GOOD);
    place.write("good-img/old.png", "");
    let run = place.norn(["literate", "--backend", "interp", "good.fut"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert!(place.read("good.md").contains("\n```\n> add 1 2\n```\n\n```\n3\n```\n"));
    assert!(place.path("good-img/img-1.png").exists());
    assert!(!place.path("good-img/old.png").exists());
}

#[test]
fn many_pages_have_an_index() {
    let place = Workplace::new();
    place.write("all/good.fut", GOOD);
    place.write("all/deep/plain.fut", "def x : i32 = 1\n");
    let run = place.norn(["literate", "--backend", "interp", "--html", "-o", "pages", "all"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let index = place.read("pages/index.html");
    assert!(index.contains("<li><a href=\"good.html\">Good</a><span>It adds.</span></li>"), "{index}");
    assert!(index.contains("<h2>deep</h2>"), "{index}");
    assert!(place.read("pages/deep/plain.html").contains("<a href=\"../index.html\">"));
    assert!(place.read("pages/good.html").contains("src=\"data:image/png;base64,"));
}

#[test]
fn an_error_is_shown_with_its_place() {
    let place = Workplace::new();
    place.write("bad.fut", BAD);
    let run = place.norn(["literate", "--backend", "interp", "--stop-on-error", "bad.fut"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("bad.fut:1:6"), "{}", run.stderr);
    assert!(!place.path("bad.md").exists());
    place.write("deep/ambiguous.fut", "def x = 1\n");
    let run = place.norn(["literate", "--backend", "interp", "deep/ambiguous.fut"]);
    assert!(run.stderr.contains("--> deep/ambiguous.fut:1:5"), "{}", run.stderr);
    let run = place.norn(["literate", "--backend", "interp", "-o", "x/page.md", "bad.fut"]);
    assert_eq!(run.code, Some(1));
    assert!(place.read("x/page.md").contains("There is no entry point or variable `nothing`."));
    assert_eq!(place.norn(["literate", "nowhere.fut"]).code, Some(3));
}

#[test]
fn a_tool_that_is_missing_is_named() {
    let place = Workplace::new();
    place.write("plot.fut", PLOT);
    let run = place.norn_without_tools(["literate", "--backend", "interp", "plot.fut"]);
    assert_eq!(run.code, Some(1));
    let page = place.read("plot.md");
    assert!(page.contains("The plot cannot be drawn: gnuplot is not installed."), "{page}");
}

#[test]
fn charts_are_drawn() {
    let place = Workplace::new();
    place.write("chart.json", "{\"series\": [{\"y\": [1, 2, 4]}]}");
    place.write("odd.json", "{\"serie\": []}");
    assert_eq!(place.norn(["plot", "chart.json", "-o", "chart.svg"]).code, Some(0));
    assert_eq!(place.norn(["plot", "chart.json"]).stdout, place.read("chart.svg"));
    let run = place.norn(["plot", "odd.json"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("`odd.json`: The chart has a member `serie`"), "{}", run.stderr);
    assert_eq!(place.norn(["plot", "nowhere.json"]).code, Some(3));
}
