import { canonicalJson } from '../../json/canonicalJson';
import type { Json } from '../../json/json';
import type { ToolResult } from '../../model/case';
import { applySplices, composeSplices, type Splice } from '../../text/splice';
import { insertTomlTables, removeTomlKey } from '../../toml/editToml';
import { tomlLine, tomlTable } from '../../toml/writeToml';

/** What a recording got from a tool. */
export interface ToolRecording {
  /** Among the tools of the case, from 0. */
  readonly index: number;
  readonly results: readonly ToolResult[];
}

/** Whether results can be written below a tool: it has a `[[tools]]` header of its own. The text must be valid. */
export function takesToolResults(text: string, index: number): boolean {
  return insertTomlTables(text, ['tools', index], '') !== undefined;
}

/** The case with these results in place of those that the tools had. The text must be valid. */
export function writeToolResults(text: string, recordings: readonly ToolRecording[]): string {
  return recordings.reduce((written, recording) => applySplices(written, splicesFor(written, recording)), text);
}

function splicesFor(text: string, { index, results }: ToolRecording): readonly Splice[] {
  const tool = ['tools', index];
  const removed = removeTomlKey(text, [...tool, 'results']);
  const tables = withoutRepeats(results).map(tableOf).join('\n\n');
  const added = tables === '' ? undefined : insertTomlTables(applySplices(text, removed), tool, tables);
  if (added === undefined) return removed;
  return removed.length === 0 ? [added] : composeSplices(text, removed, [added]);
}

function tableOf(result: ToolResult): string {
  const outcome: Readonly<Record<string, Json>> =
    'error' in result ? { error: result.error } : { result: result.output };
  return tomlTable('[[tools.results]]', { arguments: result.arguments, ...outcome }, tomlLine);
}

/** The last result for some arguments is served again, so it need not be written again. */
function withoutRepeats(results: readonly ToolResult[]): readonly ToolResult[] {
  const kept: ToolResult[] = [];
  for (const [at, result] of results.entries()) {
    const key = canonicalJson(result.arguments);
    const same = (one: ToolResult): boolean => canonicalJson(one.arguments) === key;
    const before = kept.findLast(same);
    const rest = results.slice(at).filter(same);
    const isRepeat =
      before !== undefined && rest.every((one) => canonicalJson({ ...one }) === canonicalJson({ ...before }));
    if (!isRepeat) kept.push(result);
  }
  return kept;
}
