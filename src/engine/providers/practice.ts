import { compactJson } from '../../core/json/json';
import type { ChatRequest, ChatResponse, Message } from '../../core/model/message';
import type { Usage } from '../../core/model/usage';
import type { ChatProvider } from './chatProvider';
import { practiceArguments } from './practiceArguments';

/** The phrasings of the practice model for the same facts; the seed chooses one. */
const PHRASINGS: readonly ((facts: string) => string)[] = [
  (facts) => `Here is what I found. ${facts}`,
  (facts) => `Certainly! ${facts} Let me know if you need anything else.`,
  (facts) => `I looked into it for you. ${facts}`,
  (facts) => `In short: ${facts}`,
  (facts) => `Good question. ${facts} I hope this helps.`,
];

/**
 * A model for practice: offline, without a key, and deterministic. It calls the first tool once, and then responds with
 * the tool's result. Another seed phrases it differently, so that a re-recording has something to review.
 */
export class PracticeProvider implements ChatProvider {
  readonly label = 'practice';
  readonly #phrase: (facts: string) => string;

  constructor(seed: number) {
    this.#phrase = PHRASINGS[seed % PHRASINGS.length] ?? ((facts) => facts);
  }

  async chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
    signal.throwIfAborted();
    const prompt = request.messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const results = request.messages.filter(({ role }) => role === 'tool');
    const [tool] = request.tools;
    if (tool !== undefined && results.length === 0) {
      const call = { id: 'call_1', name: tool.name, arguments: practiceArguments(tool.schema ?? {}, prompt) };
      return {
        content: null,
        toolCalls: [call],
        usage: usageOf(request, compactJson(call)),
        finishReason: 'tool_calls',
      };
    }
    const content = this.#phrase(results.length > 0 ? factsOf(request, results) : `You said “${prompt}”.`);
    return { content, toolCalls: [], usage: usageOf(request, content), finishReason: 'stop' };
  }
}

function factsOf({ messages }: ChatRequest, results: readonly Message[]): string {
  const calls = new Map(messages.flatMap(({ toolCalls }) => toolCalls.map(({ id, name }) => [id, name] as const)));
  return results
    .map(({ toolCallId, content }) => `${calls.get(toolCallId ?? '') ?? 'The tool'} says: ${sentence(content ?? '')}`)
    .join(' ');
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function usageOf({ messages, tools }: ChatRequest, responseText: string): Usage {
  const texts = messages.map(
    ({ content, toolCalls }) => (content ?? '') + toolCalls.map(({ arguments: args }) => compactJson(args)).join(''),
  );
  const offered = tools.map(({ name, description = '', schema }) => name + description + compactJson(schema ?? null));
  const promptTokens = [...texts, ...offered].reduce((sum, text) => sum + tokensIn(text), 0);
  const completionTokens = tokensIn(responseText);
  return { promptTokens, completionTokens, totalTokens: promptTokens + completionTokens };
}

/** By the usual rule of thumb: four characters a token. */
function tokensIn(text: string): number {
  return Math.ceil(text.length / 4);
}
