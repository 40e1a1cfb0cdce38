// Asks an API by its own address, with the client that is named, and prints the answer.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"

	"github.com/openai/openai-go/v3"
)

func main() {
	ask := map[string]func() (string, error){"net/http": askWeather, "openai-go": askModel}[os.Args[1]]
	answer, err := ask()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer)
}

func askWeather() (string, error) {
	response, err := http.Get("https://api.weather.test/forecast?city=Berlin")
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return string(body), err
}

func askModel() (string, error) {
	client := openai.NewClient()
	completion, err := client.Chat.Completions.New(context.Background(), openai.ChatCompletionNewParams{
		Model:    openai.ChatModelGPT4oMini,
		Messages: []openai.ChatCompletionMessageParamUnion{openai.UserMessage("How is the weather in Berlin?")},
	})
	if err != nil {
		return "", err
	}
	return completion.Choices[0].Message.Content, nil
}
