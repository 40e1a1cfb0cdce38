import type { LoaderScenario } from '../../../core/cases/loader/loaderScenario';
import { textToolCalls } from '../../../core/cases/loader/loaderScenario';
import { isRecord, type Json } from '../../../core/json/json';
import type { ChatRequest, ChatResponse } from '../../../core/model/message';
import { writeMofaMessage } from '../../../core/tapes/formats/mofa/write';
import { type ChatProvider, ProviderError } from '../../providers/chatProvider';

/** What happened in a run, in its order. */
export type LoaderEvent =
  | { readonly type: 'chunk' | 'assistant' | 'response'; readonly content: string }
  | { readonly type: 'tool_call' | 'tool_result' | 'refused'; readonly tool: string }
  | { readonly type: 'confirmation'; readonly tool: string; readonly confirmed: boolean }
  | { readonly type: 'question'; readonly question: string; readonly answer: string };

/** Loader's `ScriptedBackend`: two queues, nothing is matched, and every invocation is kept (FORMATS 3.5). */
export class LoaderBackend implements ChatProvider {
  readonly label = 'scripted backend';
  readonly invocations: Json[] = [];
  readonly #scenario: LoaderScenario;
  readonly #events: LoaderEvent[];
  #completions = 0;
  #streams = 0;

  constructor(scenario: LoaderScenario, events: LoaderEvent[]) {
    this.#scenario = scenario;
    this.#events = events;
  }

  async chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
    signal.throwIfAborted();
    const { config, nativeTools } = this.#scenario;
    this.invocations.push({
      mode: config.stream ? 'stream' : 'complete',
      messages: request.messages.map(writeMofaMessage),
      tools: nativeTools ? request.tools.map(({ name }) => name) : null,
      temperature: config.temperature,
      max_tokens: config.maxTokens,
    });
    const scripted = config.stream ? this.#stream() : this.#complete();
    const written = scripted.toolCalls.length > 0 ? scripted.toolCalls : textToolCalls(scripted.content ?? '');
    const response = { ...scripted, toolCalls: written };
    const content = response.content ?? '';
    if (written.length > 0 && content !== '') this.#events.push({ type: 'assistant', content });
    if (written.length === 0) this.#events.push({ type: 'response', content });
    return response;
  }

  #complete(): ChatResponse {
    const next = this.#scenario.completions[this.#completions];
    this.#completions += 1;
    return next ?? { content: 'Done.', toolCalls: [] };
  }

  #stream(): ChatResponse {
    const next = this.#scenario.streams[this.#streams];
    this.#streams += 1;
    if (next === undefined) {
      const message = 'No scripted stream left for this scenario';
      throw new ProviderError('replay', message, 'Add the stream that is missing to "streams".');
    }
    for (const { data } of next.chunks ?? []) this.#events.push({ type: 'chunk', content: chunkContent(data) });
    return next;
  }
}

function chunkContent(data: string): string {
  const chunk: unknown = JSON.parse(data);
  return isRecord(chunk) && typeof chunk.content === 'string' ? chunk.content : '';
}
