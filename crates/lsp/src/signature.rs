//! The type of the function that is being called, and which argument is being written.

use crate::hover::documentation;
use crate::marked::marked;
use crate::server::{Answer, Server};
use gen_lsp_types as lsp;
use norn_check::Analysis;
use norn_check::places::Meant;
use norn_check::print::Shower;
use norn_check::types::{Ty, TyKind};
use norn_syntax::ast::{Exp, ExpKind};

pub fn help(server: &mut Server, params: lsp::SignatureHelpParams) -> Answer<Option<lsp::SignatureHelp>> {
    let Some(marked) = marked(server, &params.text_document_position_params) else { return Ok(None) };
    let analysis = &*marked.analysis;
    let mut call: Option<(&Exp, usize)> = None;
    if let Some(tree) = analysis.tree(analysis.file) {
        tree.each_binding(&mut |vb| {
            for e in vb.body.way_to(marked.at) {
                if let ExpKind::Apply(f, args) = &e.kind
                    && f.span.hi < marked.at.lo
                {
                    let argument = args.iter().position(|a| marked.at.lo <= a.span.hi);
                    call = Some((f, argument.unwrap_or(args.len())));
                }
            }
        });
    }
    Ok(call.and_then(|(f, argument)| signature(analysis, f, argument)))
}

fn signature(analysis: &Analysis, f: &Exp, argument: usize) -> Option<lsp::SignatureHelp> {
    let ExpKind::Var(name) = &f.bare().kind else { return None };
    let found = analysis.places().use_at(name.name.span)?;
    let Meant::Value(var) = found.meant else { return None };
    let t = analysis.places().type_of(found.of).or_else(|| analysis.plain_value_type(var))?;
    let (label, parameters) = words(analysis, name.name.name.as_str(), t);
    if parameters.is_empty() {
        return None;
    }
    let parameters = parameters.into_iter().map(|(from, to)| lsp::ParameterInformation {
        label: lsp::ParameterInformationLabel::Tuple((from, to)),
        documentation: None,
    });
    let markdown = |value| lsp::MarkupContent { kind: lsp::MarkupKind::Markdown, value };
    let information = lsp::SignatureInformation {
        label,
        documentation: documentation(analysis, found.of).map(|d| markdown(d).into()),
        parameters: Some(parameters.collect()),
        active_parameter: None,
    };
    Some(lsp::SignatureHelp {
        signatures: vec![information],
        active_signature: Some(0),
        active_parameter: Some(lsp::ActiveParameter::Int(argument as u32)),
    })
}

/// `map : (a -> b) -> [n]a -> [n]b`, and where each parameter is in it, in units of UTF-16 as the protocol has it.
fn words(analysis: &Analysis, name: &str, t: &Ty) -> (String, Vec<(u32, u32)>) {
    let mut shower = Shower::new(analysis.names());
    let mut label = format!("{name} : ");
    let mut parameters = Vec::new();
    let mut t = t.clone();
    let length = |text: &str| text.encode_utf16().count() as u32;
    while let TyKind::Arrow(arrow) = &*t.clone() {
        let from = length(&label);
        let shown = shower.operand_ty(&arrow.arg);
        match arrow.param {
            Some(param) => label.push_str(&format!("({}: {shown})", shower.var(param))),
            None => label.push_str(&shown),
        }
        parameters.push((from, length(&label)));
        label.push_str(" -> ");
        label.push_str(&shower.exts(&arrow.ret.exts));
        t = arrow.ret.ty.clone();
    }
    label.push_str(&shower.ty(&t));
    (label, parameters)
}
