def limit = 100
