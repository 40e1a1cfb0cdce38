module support

go 1.24

// The one that eino asks for does not compile with current versions of Go.
require github.com/bytedance/sonic v1.15.5
