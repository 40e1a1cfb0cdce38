import { jsonEqual } from '../../json/json';
import type { ToolCall } from '../../model/message';
import { formatById } from '../../tapes/registry';
import { tapeFileFromText } from '../../tapes/tapeFile';
import { t } from '../../text/l10n';
import type { ParseResult } from '../../text/source';
import { type CaseKind, defaultTape } from '../caseKind';
import type { TurnResult } from './agentScenario';

const format = formatById('mofa-golden');

/** Golden responses: the conversation is repeated and compared turn by turn. */
export const mofaGoldenKind: CaseKind = {
  id: 'mofa-golden',
  label: format.label,
  places: /\.golden\.json$/i,
  looksLike: (text) => format.looksLike(tapeFileFromText(text)),
  list(text, path) {
    const { value, problems } = readGolden(text);
    if (value === undefined) return { cases: [], problems };
    const tape = defaultTape(path);
    const words = value.turns.flatMap(({ toolCalls }) => toolCalls.map(({ name }) => name));
    const span = { start: Math.max(0, text.indexOf('"test_name"')), end: text.length };
    return { cases: [{ name: value.name, span, tapes: [tape], recordedTape: tape, words, tags: ['mofa'] }], problems };
  },
};

/** The correct responses of an agent, turn by turn (mofa-org/mofa, pull request 1607). */
export interface GoldenResponses {
  readonly name: string;
  readonly turns: readonly GoldenTurn[];
}

interface GoldenTurn {
  readonly user: string;
  readonly response: string;
  readonly toolCalls: readonly Pick<ToolCall, 'name' | 'arguments'>[];
}

export function readGolden(text: string): ParseResult<GoldenResponses> {
  const { name = '', interactions, problems } = format.read(tapeFileFromText(text));
  if (problems.some(({ severity }) => severity === 'error')) return { value: undefined, problems };
  const turns = interactions.map(({ request, response }) => ({
    user: request?.messages[0]?.content ?? '',
    response: response?.content ?? '',
    toolCalls: response?.toolCalls ?? [],
  }));
  return { value: { name, turns }, problems };
}

/** Replaces volatile values, as MoFA's normalisers do. */
function normaliseVolatile(text: string): string {
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, '<UUID>')
    .replace(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:?\d{2})?/g, '<TIMESTAMP>')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The first difference from the golden turn. MoFA compares the text, then the tools by number, name and arguments. */
export function differsFromGolden(golden: GoldenTurn, { response, toolCalls }: TurnResult): string | undefined {
  if (normaliseVolatile(golden.response) !== normaliseVolatile(response))
    return t('expected the response {0}, got {1}', JSON.stringify(golden.response), JSON.stringify(response));
  const names = (calls: readonly { readonly name: string }[]): string =>
    calls.map(({ name }) => name).join(', ') || t('none');
  if (names(golden.toolCalls) !== names(toolCalls))
    return t('expected the tool calls {0}, got {1}', names(golden.toolCalls), names(toolCalls));
  const at = golden.toolCalls.findIndex((call, index) => !jsonEqual(call.arguments, toolCalls[index]?.input));
  if (at === -1) return undefined;
  const expected = JSON.stringify(golden.toolCalls[at]?.arguments);
  const got = JSON.stringify(toolCalls[at]?.input);
  return t('expected {0} to be called with {1}, got {2}', toolCalls[at]?.name ?? '', expected, got);
}
