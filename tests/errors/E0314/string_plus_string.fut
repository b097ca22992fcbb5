def greet (name: []u8) = "hello " + name
