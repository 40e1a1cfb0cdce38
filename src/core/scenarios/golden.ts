import { jsonEqual } from '../json/json';
import { mofaGoldenFormat } from '../tapes/formats/mofaGolden';
import type { ToolCall } from '../tapes/tape';
import { textFile } from '../tapes/tapeFile';
import type { Reading } from '../text/source';
import type { TurnResult } from './agentScenario';

/** What an agent answered when it was right, turn by turn (mofa-org/mofa, pull request 1607). */
export interface Golden {
  readonly name: string;
  readonly turns: readonly GoldenTurn[];
}

export interface GoldenTurn {
  readonly user: string;
  readonly response: string;
  readonly toolCalls: readonly Pick<ToolCall, 'name' | 'arguments'>[];
}

export function readGolden(text: string): Reading<Golden> {
  const { name = '', interactions, problems } = mofaGoldenFormat.read(textFile(text));
  if (problems.some(({ severity }) => severity === 'error')) return { value: undefined, problems };
  const turns = interactions.map(({ request, response }) => ({
    user: request?.messages[0]?.content ?? '',
    response: response?.content ?? '',
    toolCalls: response?.toolCalls ?? [],
  }));
  return { value: { name, turns }, problems };
}

/** Replaces what differs from run to run, as MoFA's normalisers do. */
export function normalised(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '<UUID>')
    .replace(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?/g, '<TIMESTAMP>')
    .replace(/\s+/g, ' ')
    .trim();
}

/** How a turn differs from the golden one: MoFA compares the answer, then the tools by number, name and arguments. */
export function differsFromGolden(golden: GoldenTurn, { answer, toolCalls }: TurnResult): string | undefined {
  if (normalised(golden.response) !== normalised(answer))
    return `expected the answer ${JSON.stringify(golden.response)}, got ${JSON.stringify(answer)}`;
  const names = (calls: readonly { readonly name: string }[]): string =>
    calls.map(({ name }) => name).join(', ') || 'none';
  if (names(golden.toolCalls) !== names(toolCalls))
    return `expected the tool calls ${names(golden.toolCalls)}, got ${names(toolCalls)}`;
  const at = golden.toolCalls.findIndex((call, index) => !jsonEqual(call.arguments, toolCalls[index]?.input));
  if (at === -1) return undefined;
  const [expected, got] = [golden.toolCalls[at]?.arguments, toolCalls[at]?.input].map((value) => JSON.stringify(value));
  return `expected ${toolCalls[at]?.name} to be called with ${expected}, got ${got}`;
}
