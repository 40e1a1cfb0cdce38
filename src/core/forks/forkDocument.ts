import type { Json } from '../json/json';
import { parseExactJson } from '../json/readJson';
import { list, needed, propertiesOf, type Refusal, schemaAt, table, text, type Value } from '../schema/schema';
import { unknownKeys } from '../schema/unknownKeys';
import { counted } from '../text/counts';
import { t } from '../text/l10n';
import type { ParseResult, Problem } from '../text/source';
import { readToml } from '../toml/readToml';
import { readDocument } from '../toml/tomlPlace';
import { tomlLine, tomlText } from '../toml/writeToml';
import { toolsText } from '../wire/edit/editRequest';
import type { ForkEdits } from './forkEdits';
import { changedValues, type ForkValues, type ResponseValues, type ToolResultValue } from './forkValues';

/** The values at a fork as a TOML document, in which a user changes what is to be different. `tape` is its name. */
export function writeForkDocument(values: ForkValues, tape: string): string {
  const { shared, model = '', system = '', tools, toolResults, response } = values;
  return [
    `${comment(headline(shared, tape))}\n${comment(t('Your changes below apply from there on. The tape itself does not change.'))}`,
    '',
    comment(t('The model of all requests from the fork on; if empty, the agent chooses.')),
    `model = ${tomlLine(model)}`,
    '',
    comment(t('The system prompt.')),
    `system = ${tomlText(system)}`,
    ...(tools === undefined
      ? []
      : [
          '',
          comment(t("The tools, in JSON, as the model's API expects them.")),
          `tools = ${literal(toolsText(tools))}`,
        ]),
    ...responseTables(response, shared),
    ...toolResults.flatMap((result) => ['', ...resultTable(result)]),
    '',
  ].join('\n');
}

function headline(shared: number, tape: string): string {
  if (shared === 0) return t('A fork of {0} that shares no interaction: all of it is recorded.', tape);
  return counted(
    shared,
    'A fork of {1} that shares interaction 1: what follows is recorded.',
    'A fork of {1} that shares interactions 1 to {0}: what follows is recorded.',
    tape,
  );
}

function responseTables(response: ResponseValues | undefined, shared: number): readonly string[] {
  if (response === undefined) return [];
  const calls = response.calls.flatMap(({ tool, arguments: json }) => [
    '',
    `[[response.calls]]`,
    `tool = ${tomlLine(tool)}`,
    `arguments = ${literal(json)}`,
  ]);
  return [
    '',
    comment(t('The response of interaction {0}, the last one before the fork.', shared)),
    '[response]',
    ...(response.text === undefined ? [] : [`text = ${tomlText(response.text)}`]),
    ...calls,
  ];
}

function resultTable({ call, tool, text }: ToolResultValue): readonly string[] {
  return [
    comment(t('The result of a tool, which the first request after the fork sends.')),
    '[[tool_results]]',
    `call = ${tomlLine(call)}`,
    ...(tool === undefined ? [] : [`tool = ${tomlLine(tool)}`]),
    `text = ${text.includes('"') || text.includes('\\') ? literal(text) : tomlText(text)}`,
  ];
}

/** A literal TOML string between three apostrophes, if the text can be written as one. */
function literal(text: string): string {
  return /'''|'$|\r|[^\P{Cc}\n\t]|\p{Surrogate}/u.test(text) ? tomlLine(text) : `'''\n${text}'''`;
}

function comment(text: string): string {
  return `# ${text.replace(/\p{Cc}/gu, ' ')}`;
}

const RESPONSE = table('', {
  text: text(),
  calls: list(table('', { tool: text('', { default: '' }), arguments: text() })),
});
const TOOL_RESULT = table('', { call: needed(text()), tool: text(), text: needed(text()) });
const FORK = table('', {
  model: text(),
  system: text(),
  tools: text('', { check: (json) => (toolList(json) === undefined ? NO_LIST() : undefined) }),
  response: RESPONSE,
  tool_results: list(TOOL_RESULT),
});

const NO_LIST = (): Refusal => ({
  message: t('`tools` must be a list in JSON'),
  fix: t('Write it as the API expects it, such as [{"type": "function", …}].'),
});

/** Reads what was changed in such a document. */
export function readForkDocument(source: string, before: ForkValues): ParseResult<ForkEdits> {
  const { value: document, problems } = readToml(source);
  if (document === undefined) return { value: undefined, problems };
  const found: Problem[] = unknownKeys(FORK, document.root).map(({ key, table: path }) => ({
    severity: 'error',
    message: t('unknown field `{0}`', key),
    fix: t('Use one of: {0}.', Object.keys(propertiesOf(schemaAt(FORK, path))).join(', ')),
    span: document.span([...path, key]),
  }));
  const { model, system, tools, response, tool_results: results = [] } = readDocument(FORK, document, found);
  if (response !== undefined && !isPartOfResponse(response, before.response))
    found.push({
      severity: 'error',
      message: t('the response before the fork has no such part'),
      fix: t('Remove it: only what is recorded can be changed.'),
      span: document.span(['response']),
    });
  for (const [index, { call }] of results.entries())
    if (!before.toolResults.some((known) => known.call === call))
      found.push({ ...noSuchCall(call, before), span: document.span(['tool_results', index, 'call']) });
  if (found.length > 0) return { value: undefined, problems: found };
  const after = {
    model,
    system,
    tools: tools === undefined ? undefined : toolList(tools),
    response: response && {
      text: response.text,
      calls: (response.calls ?? []).map(({ tool, arguments: args }, at) => ({
        tool,
        arguments: args ?? before.response?.calls[at]?.arguments ?? '',
      })),
    },
    toolResults: results.map(({ call, text: result }) => ({ call, text: result })),
  };
  return { value: changedValues(before, after), problems: found };
}

function toolList(json: string): readonly Json[] | undefined {
  const tools = json.trim() === '' ? [] : parseExactJson(json);
  return Array.isArray(tools) ? tools : undefined;
}

function isPartOfResponse(
  { text: said, calls = [] }: Value<typeof RESPONSE>,
  before: ResponseValues | undefined,
): boolean {
  if (before === undefined || calls.length > before.calls.length) return false;
  return said === undefined || before.text !== undefined;
}

function noSuchCall(call: string, { toolResults }: ForkValues): Omit<Problem, 'span'> {
  const calls = toolResults.map((known) => known.call).join(', ');
  return {
    severity: 'error',
    message: t('the first request after the fork has no result of a call {0}', call),
    fix: calls === '' ? t('The first request after the fork has none.') : t('It has the results of {0}.', calls),
  };
}
