import type { Json } from '../json/json';
import { parseExactJson } from '../json/readJson';
import { counted } from '../text/counts';
import { t } from '../text/l10n';
import type { ParseResult, Problem } from '../text/source';
import { readToml } from '../toml/readToml';
import { TableReader } from '../toml/tableReader';
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

/** Reads what was changed in such a document. */
export function readForkDocument(text: string, before: ForkValues): ParseResult<ForkEdits> {
  const { value: document, problems } = readToml(text);
  if (document === undefined) return { value: undefined, problems };
  const found: Problem[] = [];
  const table = new TableReader(document, found);
  refuseUnknown(table, ['model', 'system', 'tools', 'response', 'tool_results']);
  const after = {
    model: table.text('model'),
    system: table.text('system'),
    tools: toolList(table),
    response: readResponse(table.table('response'), before.response),
    toolResults: table.tables('tool_results').flatMap((one) => readResult(one, before)),
  };
  return { value: found.length === 0 ? changedValues(before, after) : undefined, problems: found };
}

function toolList(table: TableReader): readonly Json[] | undefined {
  const text = table.text('tools');
  if (text === undefined) return undefined;
  const tools = text.trim() === '' ? [] : parseExactJson(text);
  if (Array.isArray(tools)) return tools;
  table.report(
    t('`tools` must be a list in JSON'),
    t('Write it as the API expects it, such as [{"type": "function", …}].'),
    'tools',
  );
  return undefined;
}

function readResponse(table: TableReader | undefined, before: ResponseValues | undefined): ResponseValues | undefined {
  if (table === undefined) return undefined;
  refuseUnknown(table, ['text', 'calls']);
  const calls = table.tables('calls');
  if (before === undefined || calls.length > before.calls.length || (table.has('text') && before.text === undefined)) {
    table.report(
      t('the response before the fork has no such part'),
      t('Remove it: only what is recorded can be changed.'),
    );
    return undefined;
  }
  return {
    text: table.text('text'),
    calls: calls.map((call, at) => ({
      tool: call.text('tool') ?? '',
      arguments: call.text('arguments') ?? before.calls[at]?.arguments ?? '',
    })),
  };
}

function readResult(table: TableReader, { toolResults }: ForkValues): readonly ToolResultValue[] {
  refuseUnknown(table, ['call', 'tool', 'text']);
  const call = table.requiredText('call');
  const text = table.requiredText('text');
  if (toolResults.some((known) => known.call === call)) return [{ call, text }];
  const calls = toolResults.map((known) => known.call).join(', ');
  const fix = calls === '' ? t('The first request after the fork has none.') : t('It has the results of {0}.', calls);
  table.report(t('the first request after the fork has no result of a call {0}', call), fix, 'call');
  return [];
}

function refuseUnknown(table: TableReader, known: readonly string[]): void {
  for (const key of table.keys())
    if (!known.includes(key)) table.report(t('unknown field `{0}`', key), t('Use one of: {0}.', known.join(', ')), key);
}
