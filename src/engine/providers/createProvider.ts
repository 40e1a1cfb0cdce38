import { compactJson } from '../../core/json/json';
import type { Case, ProviderSpec, ScriptStep } from '../../core/model/case';
import type { ChatRequest, ChatResponse, Message } from '../../core/model/message';
import type { Usage } from '../../core/model/usage';
import { counted } from '../../core/text/counts';
import { t } from '../../core/text/l10n';
import type { Words } from '../../core/text/notice';
import { ProviderError } from '../errors/runErrors';
import type { NetworkPolicy } from '../network/policy';
import type { Recorder } from '../recording/recorder';
import { ChatCompletionsProvider } from './chatCompletions';
import type { ChatProvider } from './chatProvider';
import { type AskEditor, EditorModelProvider } from './editorModel';
import { resolveEndpoint } from './endpoint';
import { practiceArguments } from './practiceArguments';

/** Plays the steps of a script, in order. After the last one it fails, where MoFA has a stock response. */
class ScriptedProvider implements ChatProvider {
  readonly label = 'script';
  readonly #steps: readonly ScriptStep[];
  #next = 0;
  #toolCalls = 0;

  constructor(steps: readonly ScriptStep[]) {
    this.#steps = steps;
  }

  async chat(_request: unknown, signal: AbortSignal): Promise<ChatResponse> {
    signal.throwIfAborted();
    const step = this.#steps[this.#next];
    if (step !== undefined) {
      this.#next += 1;
      return this.#play(step);
    }
    const count = this.#steps.length;
    throw new ProviderError(
      'replay',
      () => counted(count, 'script exhausted after {0} response', 'script exhausted after {0} responses'),
      () => t('Add the missing response to [[llm.steps]] or `responses`.'),
    );
  }

  #play(step: ScriptStep): ChatResponse {
    if (step.type === 'text') return { content: step.content, toolCalls: [] };
    this.#toolCalls += 1;
    const call = { id: `call_${this.#toolCalls}`, name: step.tool, arguments: step.arguments };
    return { content: step.content ?? null, toolCalls: [call] };
  }
}

interface LiveOptions {
  readonly network: NetworkPolicy;
  readonly recorder: Recorder;
  /** Chooses the phrasing of the practice provider, unless the case has a seed. */
  readonly seed: number;
  /** Called before the wait that precedes another attempt, with one line for the user. */
  onRetry?(notice: Words): void;
  /** Sends a request to a model of the editor, where the engine runs in one. */
  readonly askEditor?: AskEditor;
}

/** The provider that plays the case's `[llm] steps` or `responses`; a case without them has an empty script. */
export function createScripted(testCase: Case): ChatProvider {
  return new ScriptedProvider(testCase.llm.script ?? []);
}

/**
 * The provider for a model, or for the practice model. Rejects with a `ProviderError` when its settings are incomplete, and
 * with a `UserError` for a key that may not go to it.
 */
export async function createLive(
  spec: ProviderSpec,
  { network, recorder, seed, onRetry, askEditor }: LiveOptions,
): Promise<ChatProvider> {
  if (spec.kind === 'vscode_lm') return new EditorModelProvider(network, askEditor, spec.model);
  if (spec.kind === 'practice') return new PracticeProvider(spec.seed ?? seed);
  return new ChatCompletionsProvider(await resolveEndpoint(spec, network.keys), network, recorder, onRetry);
}

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
class PracticeProvider implements ChatProvider {
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
