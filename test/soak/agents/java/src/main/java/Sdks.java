// The providers' own SDKs, as their users write them, with no address of Tapedeck: Sdks NAME PROMPT
import com.anthropic.client.okhttp.AnthropicOkHttpClient;
import com.anthropic.models.messages.MessageCreateParams;
import com.google.genai.Client;
import com.openai.client.okhttp.OpenAIOkHttpClient;
import com.openai.models.chat.completions.ChatCompletionCreateParams;
import com.openai.models.embeddings.EmbeddingCreateParams;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

public class Sdks {
    static ChatCompletionCreateParams question(String model, String prompt) {
        return ChatCompletionCreateParams.builder().model(model).addUserMessage(prompt).build();
    }

    /** A stream, embeddings, and models that are busy at first, asked at once. */
    static void openai(String prompt) {
        var client = OpenAIOkHttpClient.fromEnv();
        try (var stream = client.chat().completions().createStreaming(question("gpt-4o", prompt))) {
            stream.stream().forEach(chunk -> System.out.print(chunk.choices().get(0).delta().content().orElse("") + "|"));
        }
        var embedded = client.embeddings().create(EmbeddingCreateParams.builder().model("text-embedding-3-small").input(prompt).build());
        System.out.println(embedded.data().get(0).embedding());
        System.out.println(IntStream.range(0, 4).parallel()
            .mapToObj(index -> client.chat().completions().create(question("busy-" + index, prompt + index)))
            .map(answer -> answer.choices().get(0).message().content().orElse("")).collect(Collectors.joining(", ")));
    }

    static void anthropic(String prompt) {
        var client = AnthropicOkHttpClient.fromEnv();
        var asked = MessageCreateParams.builder().model("claude-sonnet-4-5").maxTokens(500).addUserMessage(prompt).build();
        System.out.println(client.messages().create(asked).content().get(0).asText().text());
        try (var stream = client.messages().createStreaming(asked)) {
            System.out.println(stream.stream().count());
        }
    }

    static void gemini(String prompt) {
        try (var client = new Client()) {
            System.out.println(client.models.generateContent("gemini-2.5-flash", prompt, null).text());
            for (var piece : client.models.generateContentStream("gemini-2.5-flash", prompt, null)) System.out.print(piece.text() + "|");
            System.out.println();
        }
    }

    public static void main(String[] words) {
        switch (words[0]) {
            case "anthropic_java" -> anthropic(words[1]);
            case "google_genai_java" -> gemini(words[1]);
            default -> openai(words[1]);
        }
        System.exit(0);
    }
}
