import type { ScriptStep } from '../model/case';
import type { ChatRequest, ToolCall } from '../model/message';
import type { Usage } from '../model/usage';
import type { DslDocument, DslLlm, DslProvider, TapeInteraction } from './dslDocument';

/** Why MoFA does not run a case, in its words. */
export class DslRefusal extends Error {
  constructor(
    message: string,
    readonly fix: string,
  ) {
    super(message);
    this.name = 'DslRefusal';
  }
}

/** The source of the responses of a case. */
export type DslSource =
  | { readonly kind: 'script'; readonly steps: readonly ScriptStep[] }
  | { readonly kind: 'tape'; readonly path: string }
  | { readonly kind: 'record'; readonly path: string; readonly provider: DslProvider };

/** The prompt of a case. Throws a `DslRefusal` if there is none. */
export function promptOf({ prompt, input }: DslDocument): string {
  const text = prompt ?? input;
  if (text !== null) return text;
  throw new DslRefusal('test case must define either `prompt` or `input`', 'Add prompt = "the prompt for the agent".');
}

/** The source of the responses: steps before a tape before responses. Throws a `DslRefusal` for sources that exclude each other. */
export function sourceOf({ llm }: DslDocument): DslSource {
  if (llm === null) return { kind: 'script', steps: [] };
  if (llm.provider !== null) return recordingOf(llm, llm.provider);
  if (llm.record_tape !== null)
    throw new DslRefusal('record_tape requires a provider-backed llm', 'Add [llm.provider] with kind and base_url.');
  if (llm.tape === null) return { kind: 'script', steps: scriptOf(llm) };
  if (llm.steps.length === 0) return { kind: 'tape', path: llm.tape };
  throw new DslRefusal('`tape` cannot be combined with `steps`', 'Remove one of them.');
}

function recordingOf(llm: DslLlm, provider: DslProvider): DslSource {
  if (provider.kind === 'open_ai_compatible' && provider.base_url === null)
    throw new DslRefusal(
      'unsupported llm provider kind: open_ai_compatible missing base_url',
      'Add base_url = "https://…/v1" under [llm.provider].',
    );
  if (llm.record_tape === null)
    throw new DslRefusal('provider-backed llm requires record_tape', 'Add record_tape = "NAME.tape.json" under [llm].');
  if (llm.steps.length > 0 || llm.responses.length > 0 || llm.tape !== null)
    throw new DslRefusal(
      'provider-backed llm cannot be combined with inline responses, steps, or replay tape',
      'Remove [llm.provider], or the other source of responses.',
    );
  return { kind: 'record', path: llm.record_tape, provider };
}

function scriptOf({ steps, responses }: DslLlm): readonly ScriptStep[] {
  if (steps.length === 0) return responses.map((content) => ({ type: 'text', content }));
  return steps.map(({ type, content, tool, arguments: args }) =>
    type === 'text'
      ? { type, content: content ?? '' }
      : { type, tool: tool ?? '', arguments: args, ...(content !== null && { content }) },
  );
}

/** The response of an interaction, as MoFA replays it. */
export function responseOf({ response, tool_calls, usage }: TapeInteraction) {
  return {
    content: response,
    toolCalls: tool_calls as readonly ToolCall[],
    ...(usage === null ? {} : { usage: usageOf(usage) }),
  };
}

export function usageOf({
  prompt_tokens,
  completion_tokens,
  total_tokens,
}: NonNullable<TapeInteraction['usage']>): Usage {
  return { promptTokens: prompt_tokens, completionTokens: completion_tokens, totalTokens: total_tokens };
}

/** What agents send in a case: its tools, the last of each name. */
export function toolDefinitions({ tools }: DslDocument): ChatRequest['tools'] {
  const byName = new Map(tools.map(({ name, description, schema }) => [name, { name, description, schema }]));
  return [...byName.values()];
}
