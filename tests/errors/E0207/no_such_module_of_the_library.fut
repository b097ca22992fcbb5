import "/norn/ftt"
