def forever x = forever
