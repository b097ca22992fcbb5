//! Colours and fonts of a chart. Whether it is seen in light or dark surroundings is known to the reader's program only.

use std::fmt::Write;

pub const TEXT: f64 = 12.0;
pub const TITLE: f64 = 15.0;

/// The colours of series in light and in dark surroundings: apart in hue and in lightness, so that most colour-blind readers
/// can tell neighbours from each other, too.
const COLOURS: [(&str, &str); 8] = [
    ("#1f6fb5", "#6cb2f0"),
    ("#d9730d", "#f5a65b"),
    ("#2a8f4f", "#67cf8c"),
    ("#b03a86", "#e68ac5"),
    ("#6a55c0", "#aa9af0"),
    ("#8a6a10", "#d6b657"),
    ("#12889a", "#5bcbdc"),
    ("#c23b35", "#f28780"),
];

/// The class of the series with this number.
pub fn series_class(number: usize) -> String {
    format!("s{}", number % COLOURS.len())
}

/// The style sheet for a chart with so many series.
pub fn style(series: usize) -> String {
    let used = &COLOURS[..series.min(COLOURS.len())];
    let mut css = String::from("<style>\n");
    css += "text{font:12px system-ui,sans-serif;fill:#333}.title{font-size:15px;font-weight:600}\n";
    // Labels stand out from what is behind them.
    css += ".label{font-size:11px;paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}\n";
    css += ".back{fill:#fff}.grid{stroke:#e4e4e4;fill:none}.axis{stroke:#888;fill:none}\n";
    css += ".reference{stroke:#777;stroke-width:1.3;stroke-dasharray:6 4;fill:none}\n";
    css += ".line{stroke:currentColor;stroke-width:2;fill:none;stroke-linejoin:round}\n";
    css += ".fill{fill:currentColor}\n";
    for (i, (light, _)) in used.iter().enumerate() {
        // Writing to a text does not fail.
        let _ = write!(css, ".s{i}{{color:{light}}}");
    }
    css += "\n@media(prefers-color-scheme:dark){text{fill:#ddd}.back{fill:#16181d}.label{stroke:#16181d}.grid{stroke:#30343c}.reference{stroke:#999}";
    for (i, (_, dark)) in used.iter().enumerate() {
        let _ = write!(css, ".s{i}{{color:{dark}}}");
    }
    css + "}\n</style>"
}
