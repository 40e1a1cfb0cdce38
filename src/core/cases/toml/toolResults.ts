import { TOOL_MATCHES, type ToolResult, type ToolSource, type ToolSpec } from '../../model/case';
import { t } from '../../text/l10n';
import type { TableReader } from '../../toml/tableReader';
import { readPassedVariables } from './externalAgent';

type ToolAnswers = Pick<ToolSpec, 'results' | 'match' | 'source'>;

/** Reads what a tool returns by its arguments, and what recordings ask for that. */
export function readToolResults(tool: TableReader): ToolAnswers {
  const results = tool.has('results') ? tool.tables('results').map(readToolResult) : undefined;
  const match = tool.has('match') ? tool.requiredChoice('match', TOOL_MATCHES, t('unknown match')) : undefined;
  const source = readSource(tool);
  reportConflicts(tool);
  return { ...(results && { results }), ...(match && { match }), ...(source && { source }) };
}

function readToolResult(table: TableReader): ToolResult {
  const args = table.object('arguments') ?? {};
  const error = table.text('error');
  if (table.has('result') === table.has('error')) {
    const [message, fix] = table.has('result')
      ? [t('`result` cannot be combined with `error`'), t('Keep one of them.')]
      : [t('one of [[tools.results]] has neither a `result` nor an `error`'), t('Add result = "…".')];
    table.report(message, fix, table.has('error') ? 'error' : undefined);
  }
  if (error !== undefined) return { arguments: args, error };
  const result = { arguments: args, output: table.json('result') ?? null };
  table.copyWrittenNumber('result', result, 'output');
  return result;
}

function readSource(tool: TableReader): ToolSource | undefined {
  const mcp = tool.table('mcp');
  if (mcp !== undefined)
    return {
      kind: 'mcp',
      config: mcp.requiredText('config'),
      server: mcp.requiredText('server'),
      tool: mcp.text('tool') ?? tool.text('name') ?? '',
    };
  const command = tool.texts('command');
  const passedVariables = readPassedVariables(tool);
  if (!tool.has('command')) return undefined;
  if (command.length === 0 || command[0] === '')
    tool.report(t('`command` does not name a program'), t('Use command = ["python3", "tool.py"].'), 'command');
  return { kind: 'command', command, passedVariables };
}

/** `result` answers every call, so whatever else could answer one would never be asked. */
function reportConflicts(tool: TableReader): void {
  for (const other of ['results', 'command', 'mcp'].filter((key) => tool.has(key) && tool.has('result')))
    tool.report(
      t('`result` cannot be combined with `{0}`', other),
      t('Remove `result`, which answers every call, whatever its arguments.'),
      'result',
    );
  if (tool.has('command') && tool.has('mcp'))
    tool.report(t('a tool can have a `command` or an `mcp`, not both'), t('Remove one of them.'), 'mcp');
}
