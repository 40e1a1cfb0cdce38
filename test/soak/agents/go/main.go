// Agents as users of their frameworks write them, with no address of Tapedeck: support NAME PROMPT
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/anthropics/anthropic-sdk-go"
	einoopenai "github.com/cloudwego/eino-ext/components/model/openai"
	"github.com/cloudwego/eino/schema"
	"github.com/openai/openai-go/v3"
	sashabaranov "github.com/sashabaranov/go-openai"
	"github.com/tmc/langchaingo/agents"
	"github.com/tmc/langchaingo/chains"
	"github.com/tmc/langchaingo/llms"
	langchainanthropic "github.com/tmc/langchaingo/llms/anthropic"
	langchainopenai "github.com/tmc/langchaingo/llms/openai"
	"github.com/tmc/langchaingo/tools"
	"google.golang.org/genai"
)

var prompt = os.Args[2]

func call(name, arguments string) string {
	var given map[string]any
	must(json.Unmarshal([]byte(arguments), &given))
	if name == "get_order" {
		return fmt.Sprintf("order %v: shipped to Paris", given["order_id"])
	}
	return fmt.Sprintf("%v: 21 degrees", given["city"])
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func parameters(name, kind string) map[string]any {
	return map[string]any{"type": "object", "properties": map[string]any{name: map[string]any{"type": kind}}, "required": []string{name}}
}

func openaiGo(ctx context.Context) {
	client := openai.NewClient()
	asked := openai.ChatCompletionNewParams{
		Model:    "gpt-4o",
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(prompt)},
		Tools: []openai.ChatCompletionToolUnionParam{
			openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{Name: "get_order", Parameters: parameters("order_id", "integer")}),
			openai.ChatCompletionFunctionTool(openai.FunctionDefinitionParam{Name: "get_weather", Parameters: parameters("city", "string")}),
		},
	}
	for turn := 0; ; turn++ {
		var message openai.ChatCompletionMessage
		if turn == 1 {
			stream, whole := client.Chat.Completions.NewStreaming(ctx, asked), openai.ChatCompletionAccumulator{}
			for stream.Next() {
				whole.AddChunk(stream.Current())
			}
			must(stream.Err())
			message = whole.Choices[0].Message
		} else {
			completion, err := client.Chat.Completions.New(ctx, asked)
			must(err)
			message = completion.Choices[0].Message
		}
		asked.Messages = append(asked.Messages, message.ToParam())
		if len(message.ToolCalls) == 0 {
			fmt.Println(message.Content)
			return
		}
		for _, one := range message.ToolCalls {
			asked.Messages = append(asked.Messages, openai.ToolMessage(call(one.Function.Name, one.Function.Arguments), one.ID))
		}
	}
}

func anthropicGo(ctx context.Context) {
	client := anthropic.NewClient()
	asked := anthropic.MessageNewParams{
		Model: "claude-sonnet-4-5", MaxTokens: 500,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(prompt))},
	}
	message, err := client.Messages.New(ctx, asked)
	must(err)
	fmt.Println(message.Content[0].Text)
	stream, count := client.Messages.NewStreaming(ctx, asked), 0
	for stream.Next() {
		count++
	}
	must(stream.Err())
	fmt.Println(count)
}

func genaiGo(ctx context.Context) {
	client, err := genai.NewClient(ctx, &genai.ClientConfig{Backend: genai.BackendGeminiAPI})
	must(err)
	result, err := client.Models.GenerateContent(ctx, "gemini-2.5-flash", genai.Text(prompt), nil)
	must(err)
	fmt.Println(result.Text())
}

type tool struct{ name, result string }

func (t tool) Name() string                                 { return t.name }
func (t tool) Description() string                          { return t.name }
func (t tool) Call(context.Context, string) (string, error) { return t.result, nil }

func langchaingo(ctx context.Context) {
	model, err := langchainopenai.New(langchainopenai.WithModel("gpt-4o"))
	must(err)
	all := []tools.Tool{tool{"get_order", "order 17: shipped to Paris"}, tool{"get_weather", "Paris: 21 degrees"}}
	result, err := chains.Run(ctx, agents.NewExecutor(agents.NewOneShotAgent(model, all, agents.WithMaxIterations(5))), prompt)
	must(err)
	fmt.Println(result)
}

func langchaingoAnthropic(ctx context.Context) {
	model, err := langchainanthropic.New(langchainanthropic.WithModel("claude-sonnet-4-5"))
	must(err)
	result, err := llms.GenerateFromSinglePrompt(ctx, model, prompt)
	must(err)
	fmt.Println(result)
}

func sashabaranovGo(ctx context.Context) {
	config := sashabaranov.DefaultConfig(os.Getenv("OPENAI_API_KEY"))
	stream, err := sashabaranov.NewClientWithConfig(config).CreateChatCompletionStream(ctx, sashabaranov.ChatCompletionRequest{
		Model: "gpt-4o", Messages: []sashabaranov.ChatCompletionMessage{{Role: "user", Content: prompt}},
	})
	must(err)
	for {
		piece, err := stream.Recv()
		if err == io.EOF {
			return
		}
		must(err)
		fmt.Println(piece.Choices[0].Delta.Content)
	}
}

func einoGo(ctx context.Context) {
	model, err := einoopenai.NewChatModel(ctx, &einoopenai.ChatModelConfig{Model: "gpt-4o", APIKey: os.Getenv("OPENAI_API_KEY")})
	must(err)
	message, err := model.Generate(ctx, []*schema.Message{schema.SystemMessage("You are a support agent."), schema.UserMessage(prompt)})
	must(err)
	fmt.Println(message.Content)
}

func main() {
	map[string]func(context.Context){
		"openai_go": openaiGo, "anthropic_go": anthropicGo, "genai_go": genaiGo,
		"langchaingo": langchaingo, "langchaingo_anthropic": langchaingoAnthropic,
		"sashabaranov_go": sashabaranovGo, "eino_go": einoGo,
	}[os.Args[1]](context.Background())
}
