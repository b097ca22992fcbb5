//! Calls of all functions of a C library with pointers that are null, as a part of a C program that runs before its `main`.
//!
//! Each call has to be refused, whether there is a context or not, and a context has to have a message then. The functions are those that the header declares, so a new one is called,
//! too.

/// The text of the part, for the library with this header.
pub fn calls_with_null(program: &str, header: &str) -> String {
    let calls: String = header.lines().filter_map(function).map(|function| function.calls()).collect();
    assert!(calls.lines().count() > 20, "{header}");
    format!(
        r#"#include <assert.h>
#include <stdlib.h>
#include "{program}.h"

static struct futhark_context *ctx;

static void message(void) {{
  char *error = futhark_context_get_error(ctx);
  assert(error);
  free(error);
}}

__attribute__((constructor)) static void calls_with_null(void) {{
  struct futhark_context_config *cfg = futhark_context_config_new();
  ctx = futhark_context_new(cfg);
{calls}  futhark_context_free(ctx);
  futhark_context_config_free(cfg);
}}
"#
    )
}

struct Function<'a> {
    result: &'a str,
    name: &'a str,
    params: Vec<&'a str>,
}

/// What a line of a header declares.
fn function(line: &str) -> Option<Function<'_>> {
    let (head, params) = line.strip_suffix(");")?.split_once('(')?;
    let (result, name) = head.split_at(head.find("futhark_")?);
    // A structure may be the result.
    let at = name.rfind([' ', '*']).map_or(0, |at| at + 1);
    let result = if at > 0 { "*" } else { result.trim() };
    Some(Function { result, name: &name[at..], params: params.split(", ").collect() })
}

impl Function<'_> {
    fn calls(&self) -> String {
        let of_context = self.name.starts_with("futhark_context_");
        match self.params[0] {
            // The configuration itself has all that it needs.
            "struct futhark_context *ctx" if of_context => self.call("0"),
            "struct futhark_context *ctx" if self.is_free() => self.call("0") + &self.call("ctx"),
            "struct futhark_context *ctx" => self.call("0") + &self.call("ctx") + "  message();\n",
            "struct futhark_context_config *cfg" if !self.name.contains("_get_") => self.call("0"),
            _ => String::new(),
        }
    }

    /// Nothing that is null has to be freed.
    fn is_free(&self) -> bool {
        self.name.starts_with("futhark_free_")
    }

    fn call(&self, first: &str) -> String {
        // Arrays are not empty, and their memory is nowhere.
        let null = |param: &&str| param.contains('*') || param.ends_with(" data");
        let rest = self.params[1..].iter().map(|param| if null(param) { ", 0" } else { ", 1" });
        let call = format!("{}({first}{})", self.name, rest.collect::<String>());
        match self.result {
            "void" => format!("  {call};\n"),
            "int" if !self.is_free() => format!("  assert({call});\n"),
            _ => format!("  assert(!{call});\n"),
        }
    }
}
