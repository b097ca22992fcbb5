open setts
