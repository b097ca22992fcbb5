def s = "tab \q end"
