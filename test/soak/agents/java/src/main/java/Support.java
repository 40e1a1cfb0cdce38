// Agents as users of LangChain4j write them, with no address of Tapedeck: Support NAME PROMPT
import dev.langchain4j.agent.tool.Tool;
import dev.langchain4j.memory.chat.MessageWindowChatMemory;
import dev.langchain4j.model.anthropic.AnthropicChatModel;
import dev.langchain4j.model.chat.ChatModel;
import dev.langchain4j.model.googleai.GoogleAiGeminiChatModel;
import dev.langchain4j.model.openai.OpenAiChatModel;
import dev.langchain4j.service.AiServices;

public class Support {
    interface Service {
        String chat(String message);
    }

    static class Tools {
        @Tool("Look up an order")
        public String get_order(int order_id) {
            return "order " + order_id + ": shipped to Paris";
        }

        @Tool("Get the weather of a city")
        public String get_weather(String city) {
            return city + ": 21 degrees";
        }
    }

    static ChatModel model(String name) {
        return switch (name) {
            case "langchain4j_anthropic" -> AnthropicChatModel.builder()
                .apiKey(System.getenv("ANTHROPIC_API_KEY")).modelName("claude-sonnet-4-5").maxRetries(0).build();
            case "langchain4j_gemini" -> GoogleAiGeminiChatModel.builder()
                .apiKey(System.getenv("GEMINI_API_KEY")).modelName("gemini-2.5-flash").maxRetries(0).build();
            default -> OpenAiChatModel.builder()
                .apiKey(System.getenv("OPENAI_API_KEY")).modelName("gpt-4o").maxRetries(0).build();
        };
    }

    public static void main(String[] words) {
        Service service = AiServices.builder(Service.class).chatModel(model(words[0])).tools(new Tools())
            .chatMemory(MessageWindowChatMemory.withMaxMessages(20)).build();
        System.out.println(service.chat(words[1]));
    }
}
