type rec t = {next: t}
