module agent

go 1.24

require github.com/openai/openai-go/v3 v3.96.0
