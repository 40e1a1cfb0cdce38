// Agents as users of their frameworks write them, with no address of Tapedeck: support NAME PROMPT
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"sync"

	"github.com/anthropics/anthropic-sdk-go"
	einoopenai "github.com/cloudwego/eino-ext/components/model/openai"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/flow/agent/react"
	"github.com/cloudwego/eino/schema"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
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

// The Responses API as a stream, then a model that refuses twice, embeddings, and five questions at once.
func openaiGoMore(ctx context.Context) {
	client := openai.NewClient()
	stream := client.Responses.NewStreaming(ctx, responses.ResponseNewParams{
		Model: "gpt-4o", Input: responses.ResponseNewParamsInputUnion{OfString: openai.String(prompt)},
	})
	for stream.Next() {
		fmt.Print(stream.Current().Delta, "|")
	}
	must(stream.Err())
	embedded, err := client.Embeddings.New(ctx, openai.EmbeddingNewParams{
		Model: "text-embedding-3-small", Input: openai.EmbeddingNewParamsInputUnion{OfArrayOfStrings: []string{prompt, "b"}},
	})
	must(err)
	fmt.Println(len(embedded.Data), embedded.Data[0].Embedding)
	answers := make([]string, 5)
	var group sync.WaitGroup
	for index := range answers {
		group.Go(func() {
			completion, err := client.Chat.Completions.New(ctx, openai.ChatCompletionNewParams{
				Model: fmt.Sprintf("busy-%d", index), Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage(fmt.Sprint(prompt, index))},
			})
			must(err)
			answers[index] = completion.Choices[0].Message.Content
		})
	}
	group.Wait()
	fmt.Println(answers)
}

func anthropicGo(ctx context.Context) {
	client := anthropic.NewClient()
	asked := anthropic.MessageNewParams{
		Model: "claude-sonnet-4-5", MaxTokens: 500,
		Messages: []anthropic.MessageParam{anthropic.NewUserMessage(anthropic.NewTextBlock(prompt))},
		Tools: []anthropic.ToolUnionParam{
			anthropic.ToolUnionParamOfTool(anthropic.ToolInputSchemaParam{Properties: parameters("order_id", "integer")["properties"]}, "get_order"),
			anthropic.ToolUnionParamOfTool(anthropic.ToolInputSchemaParam{Properties: parameters("city", "string")["properties"]}, "get_weather"),
		},
	}
	for turn := 0; ; turn++ {
		message := anthropic.Message{}
		if turn == 1 {
			stream := client.Messages.NewStreaming(ctx, asked)
			for stream.Next() {
				must(message.Accumulate(stream.Current()))
			}
			must(stream.Err())
		} else {
			whole, err := client.Messages.New(ctx, asked)
			must(err)
			message = *whole
		}
		asked.Messages = append(asked.Messages, message.ToParam())
		results := []anthropic.ContentBlockParamUnion{}
		for _, block := range message.Content {
			if use, is := block.AsAny().(anthropic.ToolUseBlock); is {
				results = append(results, anthropic.NewToolResultBlock(use.ID, call(use.Name, string(use.Input)), false))
			}
		}
		if len(results) == 0 {
			fmt.Println(message.Content[0].Text)
			return
		}
		asked.Messages = append(asked.Messages, anthropic.NewUserMessage(results...))
	}
}

func genaiGo(ctx context.Context) {
	client, err := genai.NewClient(ctx, &genai.ClientConfig{Backend: genai.BackendGeminiAPI})
	must(err)
	declared := []*genai.FunctionDeclaration{
		{Name: "get_order", ParametersJsonSchema: parameters("order_id", "integer")},
		{Name: "get_weather", ParametersJsonSchema: parameters("city", "string")},
	}
	chat, err := client.Chats.Create(ctx, "gemini-2.5-flash", &genai.GenerateContentConfig{Tools: []*genai.Tool{{FunctionDeclarations: declared}}}, nil)
	must(err)
	said := []genai.Part{{Text: prompt}}
	for len(said) > 0 {
		next := []genai.Part{}
		for answer, err := range chat.SendMessageStream(ctx, said...) {
			must(err)
			for _, one := range answer.FunctionCalls() {
				arguments, _ := json.Marshal(one.Args)
				response := map[string]any{"output": call(one.Name, string(arguments))}
				next = append(next, genai.Part{FunctionResponse: &genai.FunctionResponse{ID: one.ID, Name: one.Name, Response: response}})
			}
			fmt.Print(answer.Text(), "|")
		}
		said = next
	}
	embedded, err := client.Models.EmbedContent(ctx, "gemini-embedding-001", genai.Text(prompt), nil)
	must(err)
	fmt.Println(embedded.Embeddings[0].Values)
}

type lookup struct{ name, result string }

func (t lookup) Name() string                                 { return t.name }
func (t lookup) Description() string                          { return t.name }
func (t lookup) Call(context.Context, string) (string, error) { return t.result, nil }

func langchaingo(ctx context.Context) {
	model, err := langchainopenai.New(langchainopenai.WithModel("gpt-4o"))
	must(err)
	all := []tools.Tool{lookup{"get_order", "order 17: shipped to Paris"}, lookup{"get_weather", "Paris: 21 degrees"}}
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
	order, err := utils.InferTool("get_order", "Look up an order", func(ctx context.Context, given *struct {
		OrderID int `json:"order_id"`
	}) (string, error) {
		return fmt.Sprintf("order %d: shipped to Paris", given.OrderID), nil
	})
	must(err)
	weather, err := utils.InferTool("get_weather", "Get the weather of a city", func(ctx context.Context, given *struct {
		City string `json:"city"`
	}) (string, error) {
		return given.City + ": 21 degrees", nil
	})
	must(err)
	agent, err := react.NewAgent(ctx, &react.AgentConfig{ToolCallingModel: model, ToolsConfig: compose.ToolsNodeConfig{Tools: []tool.BaseTool{order, weather}}})
	must(err)
	stream, err := agent.Stream(ctx, []*schema.Message{schema.SystemMessage("You are a support agent."), schema.UserMessage(prompt)})
	must(err)
	for {
		piece, err := stream.Recv()
		if err == io.EOF {
			return
		}
		must(err)
		fmt.Println(piece.Content)
	}
}

func main() {
	map[string]func(context.Context){
		"openai_go": openaiGo, "openai_go_more": openaiGoMore, "anthropic_go": anthropicGo, "genai_go": genaiGo,
		"langchaingo": langchaingo, "langchaingo_anthropic": langchaingoAnthropic,
		"sashabaranov_go": sashabaranovGo, "eino_go": einoGo,
	}[os.Args[1]](context.Background())
}
