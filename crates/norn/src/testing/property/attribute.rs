//! The attribute of a property: `prop(gen(make), shrink(reduce), size(20))`.

/// What the attribute says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Attribute {
    pub generator: Option<String>,
    pub shrinker: Option<String>,
    pub size: Option<i64>,
}

/// The attribute among those of an entry point, which are texts without `#[` and `]`. The error is a
/// sentence.
pub fn find_attribute(attrs: &[String]) -> Result<Option<Attribute>, String> {
    let mut found = attrs.iter().filter_map(|attr| arguments_of("prop", attr));
    let Some(arguments) = found.next() else { return Ok(None) };
    if found.next().is_some() {
        return Err("The entry point has the attribute `#[prop]` more than once.".into());
    }
    let mut attribute = Attribute::default();
    for argument in split(arguments) {
        let argument = argument.trim();
        if let Some(name) = arguments_of("gen", argument).filter(|name| !name.is_empty()) {
            attribute.generator = Some(name.into());
        } else if let Some(name) = arguments_of("shrink", argument).filter(|name| !name.is_empty()) {
            attribute.shrinker = Some(name.into());
        } else if let Some(size) = arguments_of("size", argument).and_then(parse_size) {
            attribute.size = Some(size);
        } else if !argument.is_empty() {
            return Err(format!(
                "The attribute `#[prop]` takes `gen(f)`, `shrink(f)` and `size(n)`, but not `{argument}`."
            ));
        }
    }
    Ok(Some(attribute))
}

/// What stands between the parentheses of `name(..)`; nothing if there are none.
fn arguments_of<'a>(name: &str, text: &'a str) -> Option<&'a str> {
    let rest = text.trim().strip_prefix(name)?.trim_start();
    if rest.is_empty() {
        return Some("");
    }
    rest.strip_prefix('(')?.strip_suffix(')').map(str::trim)
}

/// An integer, with the suffix that it may have.
fn parse_size(text: &str) -> Option<i64> {
    let digits = text.strip_suffix("i64").unwrap_or(text);
    digits.replace('_', "").parse().ok()
}

/// The parts between commas that are not inside parentheses.
fn split(text: &str) -> Vec<&str> {
    let mut depth = 0usize;
    text.split(|c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(attrs: &[&str]) -> Result<Option<Attribute>, String> {
        find_attribute(&attrs.iter().map(|attr| attr.to_string()).collect::<Vec<_>>())
    }

    #[test]
    fn arguments_are_optional() {
        assert_eq!(find(&["inline"]), Ok(None));
        assert_eq!(find(&["inline", "prop"]), Ok(Some(Attribute::default())));
        assert_eq!(find(&["prop()"]), Ok(Some(Attribute::default())));
        let all = Attribute { generator: Some("f".into()), shrinker: Some("g".into()), size: Some(20) };
        assert_eq!(find(&["prop(gen(f), shrink( g ),size(20i64))"]), Ok(Some(all)));
        assert_eq!(find(&["property"]), Ok(None));
    }

    #[test]
    fn misspelt_arguments_are_not_passed_over() {
        for attr in ["prop(genn(f))", "prop(size(x))", "prop(gen)", "prop(gen(), size(1))"] {
            assert!(find(&[attr]).is_err(), "{attr}");
        }
        assert!(find(&["prop", "prop(size(1))"]).is_err());
    }
}
