//! Charts from JSON. What is read is described in docs/src/plot.md.

use crate::{Axis, Chart, Mark, Point, Reference, ReferenceLine, Scale, Series};
use serde_json::{Map, Value};

/// The chart that a JSON text describes. The error is a sentence that names the place.
pub fn parse_chart(text: &str) -> Result<Chart, String> {
    let value: Value = serde_json::from_str(text).map_err(|e| format!("The chart is no JSON: {e}."))?;
    let mut object = Object::new("the chart", &value)?;
    let mut chart = Chart::new(Vec::new());
    chart.title = object.text("title")?;
    chart.width = object.pixels("width", Chart::WIDTH)?;
    chart.height = object.pixels("height", Chart::HEIGHT)?;
    chart.x = object.take("x").map(|(at, value)| axis(&at, value)).transpose()?.unwrap_or_default();
    chart.y = object.take("y").map(|(at, value)| axis(&at, value)).transpose()?.unwrap_or_default();
    if let Scale::Categories(_) = chart.y.scale {
        return Err("Only the axis `x` can have `categories`.".into());
    }
    for (at, value) in object.list("series")? {
        chart.series.push(series(&at, value, &chart.x.scale)?);
    }
    for (at, value) in object.list("references")? {
        chart.references.push(reference(&at, value)?);
    }
    object.finish()?;
    Ok(chart)
}

fn axis(at: &str, value: &Value) -> Result<Axis, String> {
    let mut object = Object::new(at, value)?;
    let scale = object.text("scale")?;
    let categories = object.list("categories")?;
    let names: Option<Vec<String>> =
        categories.iter().map(|(_, name)| name.as_str().map(String::from)).collect();
    let names = names.ok_or_else(|| format!("`{at}.categories` must be a list of texts."))?;
    let scale = match (scale.as_str(), names.is_empty()) {
        ("" | "linear", true) => Scale::Linear,
        ("log", true) => Scale::Log,
        ("", false) => Scale::Categories(names),
        (_, false) => return Err(format!("`{at}` has `categories`, and so no `scale`.")),
        (_, true) => return Err(format!("`{at}.scale` must be \"linear\" or \"log\".")),
    };
    let axis =
        Axis { title: object.text("title")?, scale, low: object.number("min")?, high: object.number("max")? };
    if let (Some(low), Some(high)) = (axis.low, axis.high)
        && low >= high
    {
        return Err(format!("`{at}.min` must be less than `{at}.max`."));
    }
    if axis.scale == Scale::Log && [axis.low, axis.high].into_iter().flatten().any(|bound| bound <= 0.0) {
        return Err(format!("`{at}` is logarithmic, and so its bounds are positive."));
    }
    object.finish()?;
    Ok(axis)
}

fn series(at: &str, value: &Value, x_scale: &Scale) -> Result<Series, String> {
    let mut object = Object::new(at, value)?;
    let is_named = matches!(x_scale, Scale::Categories(_));
    let mark = match object.text("mark")?.as_str() {
        "" if is_named => Mark::Bars,
        "" | "line" => Mark::Line,
        "points" => Mark::Points,
        "both" => Mark::Both,
        "bars" if is_named => Mark::Bars,
        "bars" => return Err(format!("`{at}` has bars, which need `x.categories`.")),
        _ => return Err(format!("`{at}.mark` must be \"line\", \"points\", \"both\" or \"bars\".")),
    };
    let ys = object.numbers("y")?;
    let xs = match object.numbers("x")? {
        // Names are at equal distances, and so are numbers without places.
        xs if xs.is_empty() => (0..ys.len()).map(|i| i as f64).collect(),
        xs => xs,
    };
    if xs.len() != ys.len() {
        return Err(format!("`{at}.x` has {} numbers, and `{at}.y` has {}.", xs.len(), ys.len()));
    }
    let mut labels = Vec::new();
    for (at, label) in object.list("labels")? {
        labels.push(label.as_str().ok_or_else(|| format!("`{at}` must be a text."))?.to_string());
    }
    labels.resize(xs.len(), String::new());
    let name = object.text("name")?;
    object.finish()?;
    let points = xs.into_iter().zip(ys).zip(labels).map(|((x, y), label)| Point { x, y, label }).collect();
    Ok(Series { name, mark, points })
}

fn reference(at: &str, value: &Value) -> Result<Reference, String> {
    let mut object = Object::new(at, value)?;
    let line = match (object.number("x")?, object.number("y")?, object.number("slope")?) {
        (Some(x), None, None) => ReferenceLine::At(x),
        (None, Some(y), None) => ReferenceLine::Level(y),
        (None, None, Some(slope)) => ReferenceLine::Slope(slope),
        _ => return Err(format!("`{at}` must have one of `x`, `y` and `slope`.")),
    };
    let reference = Reference {
        label: object.text("label")?,
        line,
        from: object.number("from")?,
        to: object.number("to")?,
    };
    object.finish()?;
    Ok(reference)
}

/// An object whose members are taken out one by one; none may be left.
struct Object<'a> {
    at: &'a str,
    members: Map<String, Value>,
    taken: Vec<&'static str>,
    whole: &'a Map<String, Value>,
}

impl<'a> Object<'a> {
    fn new(at: &'a str, value: &'a Value) -> Result<Object<'a>, String> {
        let whole = value.as_object().ok_or_else(|| format!("{} must be an object.", quoted(at)))?;
        Ok(Object { at, members: whole.clone(), taken: Vec::new(), whole })
    }

    /// The member with this name, and its place.
    fn take(&mut self, name: &'static str) -> Option<(String, &'a Value)> {
        self.taken.push(name);
        self.members.remove(name)?;
        let place = if self.at.contains(' ') { name.into() } else { format!("{}.{name}", self.at) };
        self.whole.get(name).map(|value| (place, value))
    }

    fn text(&mut self, name: &'static str) -> Result<String, String> {
        match self.take(name) {
            None => Ok(String::new()),
            Some((at, value)) => {
                value.as_str().map(String::from).ok_or_else(|| format!("`{at}` must be a text."))
            }
        }
    }

    fn number(&mut self, name: &'static str) -> Result<Option<f64>, String> {
        let Some((at, value)) = self.take(name) else { return Ok(None) };
        value.as_f64().map(Some).ok_or_else(|| format!("`{at}` must be a number."))
    }

    fn pixels(&mut self, name: &'static str, usual: u32) -> Result<u32, String> {
        let Some((at, value)) = self.take(name) else { return Ok(usual) };
        let pixels = value.as_u64().and_then(|pixels| u32::try_from(pixels).ok());
        pixels
            .filter(|pixels| (100..=10_000).contains(pixels))
            .ok_or_else(|| format!("`{at}` must be a number of pixels from 100 to 10000."))
    }

    /// The members of a list; none if there is no list.
    fn list(&mut self, name: &'static str) -> Result<Vec<(String, &'a Value)>, String> {
        let Some((at, value)) = self.take(name) else { return Ok(Vec::new()) };
        let list = value.as_array().ok_or_else(|| format!("`{at}` must be a list."))?;
        Ok(list.iter().enumerate().map(|(i, value)| (format!("{at}[{i}]"), value)).collect())
    }

    /// A list of numbers; `null` stands for one that is missing.
    fn numbers(&mut self, name: &'static str) -> Result<Vec<f64>, String> {
        let number = |(at, value): (String, &Value)| match value {
            Value::Null => Ok(f64::NAN),
            _ => value.as_f64().ok_or_else(|| format!("`{at}` must be a number or null.")),
        };
        self.list(name)?.into_iter().map(number).collect()
    }

    fn finish(self) -> Result<(), String> {
        match self.members.keys().next() {
            None => Ok(()),
            Some(unknown) => Err(format!(
                "{} has a member `{unknown}` that means nothing; its members are {}.",
                quoted(self.at),
                self.taken.join(", ")
            )),
        }
    }
}

/// A place in the text; the chart itself has no name there.
fn quoted(at: &str) -> String {
    if at.contains(' ') { "The chart".into() } else { format!("`{at}`") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn fails(text: &str, message: &str) {
        assert_eq!(parse_chart(text), Err(message.to_string()));
    }

    #[test]
    fn errors_have_their_place() {
        fails("[]", "The chart must be an object.");
        fails(
            r#"{"colour": 1}"#,
            "The chart has a member `colour` that means nothing; its members are title, width, height, x, y, \
             series, references.",
        );
        fails(r#"{"x": {"scale": "square"}}"#, "`x.scale` must be \"linear\" or \"log\".");
        fails(r#"{"y": {"scale": "log", "min": 0}}"#, "`y` is logarithmic, and so its bounds are positive.");
        fails(r#"{"series": [{"y": [1, "2"]}]}"#, "`series[0].y[1]` must be a number or null.");
        fails(
            r#"{"series": [{"y": [1], "x": [1, 2]}]}"#,
            "`series[0].x` has 2 numbers, and `series[0].y` has 1.",
        );
        fails(
            r#"{"series": [{"y": [1], "mark": "bars"}]}"#,
            "`series[0]` has bars, which need `x.categories`.",
        );
        fails(
            r#"{"references": [{"label": "a"}]}"#,
            "`references[0]` must have one of `x`, `y` and `slope`.",
        );
        fails(r#"{"width": 5}"#, "`width` must be a number of pixels from 100 to 10000.");
    }
}
