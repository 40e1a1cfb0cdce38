import { jsonEqual } from '../../json/json';
import type { ChatResponse, Part, ReasoningPart } from '../../model/message';
import type { Usage } from '../../model/usage';
import { parseToolArguments } from '../shared/toolCalls';

/** An edit of a recorded response, independent of its protocol. */
export type ResponseEdit =
  /** Replaces the text. */
  | { readonly type: 'response-text'; readonly text: string }
  /** Replaces the reasoning part with this index, from 0, among the reasoning parts. */
  | { readonly type: 'reasoning'; readonly part: number; readonly text: string }
  /** Replaces the arguments of the tool call with this index, from 0, by a JSON text. */
  | { readonly type: 'arguments'; readonly call: number; readonly json: string }
  /** Replaces token counts and updates the total. Missing counts stay. */
  | { readonly type: 'usage'; readonly usage: UsageEdit };

export type UsageEdit = Partial<Omit<Usage, 'totalTokens' | 'cacheWrite1hTokens'>>;
/** An edit whose place is found by the current value. */
export type ResponseValueEdit = Exclude<ResponseEdit, { type: 'response-text' }>;

export function reasoningPartsOf({ parts = [] }: ChatResponse): readonly ReasoningPart[] {
  return parts.filter((part) => part.type === 'reasoning');
}

/** Whether two responses are equal except for this edit. */
export function differsOnlyBy(before: ChatResponse, after: ChatResponse | undefined, edit: ResponseEdit): boolean {
  return after !== undefined && jsonEqual(comparable(applyEdit(before, edit)), comparable(after));
}

/** A response without the members that repeat others, such as the chunks of a stream. */
function comparable({ chunks: _, ...response }: ChatResponse): unknown {
  const { usage, toolCalls, parts = [], ...others } = response;
  return {
    ...others,
    parts: parts.filter(({ type }) => type !== 'text'),
    toolCalls: toolCalls.map(({ argumentsText: _text, ...call }) => call),
    ...(usage && { usage: { ...usage, totalTokens: 0 } }),
  };
}

function applyEdit(response: ChatResponse, edit: ResponseEdit): ChatResponse {
  switch (edit.type) {
    case 'response-text':
      return { ...response, content: edit.text };
    case 'reasoning':
      return { ...response, parts: withReasoning(response.parts ?? [], edit.part, edit.text) };
    case 'usage':
      return response.usage === undefined ? response : { ...response, usage: { ...response.usage, ...edit.usage } };
    case 'arguments':
      return {
        ...response,
        toolCalls: response.toolCalls.map((call, index) =>
          index === edit.call ? { ...call, arguments: parseToolArguments(edit.json) } : call,
        ),
      };
  }
}

function withReasoning(parts: readonly Part[], index: number, text: string): Part[] {
  let seen = 0;
  return parts.map((part) => (part.type === 'reasoning' && seen++ === index ? { ...part, text } : part));
}
