import { compactJson } from '../../json/json';
import { argumentName, valueText } from '../../match/changeLines';
import type { ToolMiss } from './recordedResults';

/** The whole explanation of a call without a result, in lines. The first also stands alone. */
export function formatToolMiss(miss: ToolMiss): string {
  const { tool, nearest, arguments: args } = miss;
  const lines = [toolMissLine(miss), `  arguments: ${compactJson(args)}`];
  if (nearest === undefined) return lines.join('\n');
  return [
    ...lines,
    `  nearest: result ${nearest.index + 1} of ${tool}, ${compactJson(nearest.arguments)}`,
    ...nearest.differences.map((one) => `    ${argumentName(one.path)}: ${valueText(one)}`),
  ].join('\n');
}

export function toolMissLine({ tool, recorded, nearest }: ToolMiss): string {
  if (nearest === undefined || recorded === 0) return `the tool ${tool} was called, and has no results`;
  const { differences, index } = nearest;
  const [first] = differences;
  const places = differences.length === 1 ? 'one place' : `${differences.length} places`;
  const such =
    first === undefined
      ? ''
      : `${differences.length === 1 ? ': ' : ', such as '}${argumentName(first.path)}: ${valueText(first)}`;
  return `a call of the tool ${tool} has no result: it differs from result ${index + 1} of ${recorded} in ${places}${such}`;
}

/** What to do about it. */
export function toolMissFix({ tool, isRecordable }: ToolMiss): string {
  return isRecordable
    ? 'Re-record the case: its results come from the tool then.'
    : `Add a [[tools.results]] with these arguments below the tool ${tool}, or give the tool a \`command\` or \`mcp\` and re-record.`;
}
