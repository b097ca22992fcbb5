(definition) @function.around
(comment) @comment.inside
(doc_comment) @comment.inside
