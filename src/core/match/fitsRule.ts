import type { ChatRequest, Message } from '../model/message';
import { isPartOf } from './subset';

/**
 * Whether a request has what a rule names, as aimock compares them (CopilotKit/aimock 1.43, `src/router.ts`). Where several rules
 * fit, `firstAtTurn` says which is served.
 */
export function fitsRule(rule: ChatRequest, request: ChatRequest): boolean {
  return (
    isOfModel(rule.model, request.model) &&
    rule.messages.every((message) => fitsMessage(message, request.messages)) &&
    rule.tools.every(({ name }) => request.tools.some((tool) => tool.name === name)) &&
    isPartOf(rule.params, request.params) &&
    (rule.when?.hasToolResult === undefined || rule.when.hasToolResult === hasToolResult(request.messages))
  );
}

/** A model is also one of its versions: `gpt-4o` is `gpt-4o-2024-08-06`, and not `gpt-4o-mini`. */
function isOfModel(ruled: string | undefined, model = ''): boolean {
  return ruled === undefined || model === ruled || (model.startsWith(ruled) && /^-\d/.test(model.slice(ruled.length)));
}

/** Texts are looked for in all instructions together, in the last text of the user, and in a result of a tool that comes last. */
function fitsMessage({ role, content, toolCallId }: Message, messages: readonly Message[]): boolean {
  if (role === 'system')
    return messages
      .filter((message) => message.role === 'system')
      .flatMap((message) => textOf(message) ?? [])
      .join('\n')
      .includes(content ?? '');
  const isAsked = (message: Message): boolean => message.role === role && textOf(message) !== undefined;
  const last = role === 'tool' ? messages.at(-1) : messages.findLast(isAsked);
  if (last?.role !== role || (toolCallId !== undefined && last.toolCallId !== toolCallId)) return false;
  return content === null || textOf(last)?.includes(content) === true;
}

function textOf({ content, parts = [] }: Message): string | undefined {
  const texts = parts.flatMap((part) => (part.type === 'text' ? part.text : []));
  return content ?? (texts.length === 0 ? undefined : texts.join(''));
}

/** Whether a tool was called since the user last said something. */
function hasToolResult(messages: readonly Message[]): boolean {
  return messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1).some(({ role }) => role === 'tool');
}

/**
 * The rule, of several that fit, for the number of responses in a request: that of the latest turn which has come, unless one
 * without a turn stands before the rule of just this turn; else one without a turn; else that of the first turn to come. The turn only
 * chooses: a single rule is served at any.
 */
export function firstAtTurn<T>(
  fitting: readonly T[],
  turnOf: (rule: T) => number | undefined,
  { messages }: ChatRequest,
): T | undefined {
  const now = messages.filter(({ role }) => role === 'assistant').length;
  const turn = (rule: T): number => turnOf(rule) ?? Number.NaN;
  const latest = Math.max(...fitting.map(turn).filter((one) => one <= now));
  const came = fitting.find((rule) => turn(rule) === latest);
  const anytime = fitting.find((rule) => turnOf(rule) === undefined);
  if (came !== undefined) {
    const isFirst = anytime !== undefined && fitting.indexOf(anytime) < fitting.indexOf(came);
    return latest === now && isFirst ? anytime : came;
  }
  const next = Math.min(...fitting.map(turn));
  return anytime ?? fitting.find((rule) => turn(rule) === next);
}
