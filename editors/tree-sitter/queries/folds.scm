[(definition) (module_declaration) (module_type_declaration) (braces)] @fold
