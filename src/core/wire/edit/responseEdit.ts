import { jsonEqual } from '../../json/json';
import type { ChatResponse, Part, ReasoningPart } from '../../model/message';
import type { Usage } from '../../model/usage';
import { parseToolArguments } from '../shared/toolCalls';

/** A change of a recorded answer, by its meaning. */
export type ResponseEdit =
  /** The text of the answer. */
  | { readonly type: 'response-text'; readonly text: string }
  /** The reasoning before it: the part of this number, from 0. */
  | { readonly type: 'reasoning'; readonly part: number; readonly text: string }
  /** The arguments of a call, from 0, as a text of JSON. */
  | { readonly type: 'arguments'; readonly call: number; readonly json: string }
  /** Token counts. What is left out stays; the total follows. */
  | { readonly type: 'usage'; readonly usage: UsageEdit };

export type UsageEdit = Partial<Omit<Usage, 'totalTokens'>>;
/** A change of what is found by its value. */
export type ResponseValueEdit = Exclude<ResponseEdit, { type: 'response-text' }>;

export function reasoningPartsOf({ parts = [] }: ChatResponse): readonly ReasoningPart[] {
  return parts.filter((part) => part.type === 'reasoning');
}

/** Is this the same answer but for this change? */
export function differsOnlyBy(before: ChatResponse, after: ChatResponse | undefined, change: ResponseEdit): boolean {
  return after !== undefined && jsonEqual(comparable(applyEdit(before, change)), comparable(after));
}

/** What has to be equal: the pieces of a stream tell what the rest tells. */
function comparable({ chunks: _, ...response }: ChatResponse): unknown {
  const { usage, toolCalls, parts = [], ...others } = response;
  return {
    ...others,
    parts: parts.filter(({ type }) => type !== 'text'),
    toolCalls: toolCalls.map(({ argumentsText: _text, ...call }) => call),
    ...(usage && { usage: { ...usage, totalTokens: 0 } }),
  };
}

function applyEdit(response: ChatResponse, change: ResponseEdit): ChatResponse {
  switch (change.type) {
    case 'response-text':
      return { ...response, content: change.text };
    case 'reasoning':
      return { ...response, parts: withReasoning(response.parts ?? [], change.part, change.text) };
    case 'usage':
      return response.usage === undefined ? response : { ...response, usage: { ...response.usage, ...change.usage } };
    case 'arguments':
      return {
        ...response,
        toolCalls: response.toolCalls.map((call, index) =>
          index === change.call ? { ...call, arguments: parseToolArguments(change.json) } : call,
        ),
      };
  }
}

function withReasoning(parts: readonly Part[], wanted: number, text: string): Part[] {
  let seen = 0;
  return parts.map((part) => (part.type === 'reasoning' && seen++ === wanted ? { ...part, text } : part));
}
