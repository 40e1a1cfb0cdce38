module tapedeck

go 1.21
