module support

go 1.24
