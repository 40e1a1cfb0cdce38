import type { ValueDifference } from '../diff/diffValues';
import { argumentName, valueText } from '../match/changeLines';
import { jsonPointer } from '../match/masks';
import { shellWord } from '../text/shellWord';
import type { McpMiss } from './recordings';

export interface McpMissContext {
  /** The tape's path from the project. */
  readonly tape: string;
  /** How to record again, as a sentence. */
  readonly rerecord?: string | undefined;
}

/** The first line of an explanation, which also stands alone. */
export function mcpMissLine({ kind, title, server, recorded, same, nearest, differences }: McpMiss, tape: string) {
  const what = `${title} of MCP server ${server}`;
  if (kind === 'used-up') {
    const recordings = same.length === 1 ? 'its recording has' : `all of its ${same.length} recordings have`;
    return `${what} was called again: ${recordings} already been served (${tape})`;
  }
  if (kind === 'missing' || nearest === undefined)
    return recorded === 0
      ? `${tape} has no recordings of MCP server ${server}`
      : `${what} is not on ${tape} (${recorded} recorded exchanges with this server)`;
  const [first] = differences;
  const places = differences.length === 1 ? 'one place' : `${differences.length} places`;
  const such = first === undefined ? '' : `${differences.length === 1 ? ': ' : ', such as '}${differenceLine(first)}`;
  return `${what} is not on ${tape}: it differs from interaction ${nearest.index + 1} in ${places}${such}`;
}

/** The whole explanation, in lines. */
export function formatMcpMiss(miss: McpMiss, { tape, rerecord }: McpMissContext): string {
  const { nearest, differences } = miss;
  const lines = [mcpMissLine(miss, tape)];
  if (nearest !== undefined && differences.length > 0) {
    lines.push(
      `  nearest recording: interaction ${nearest.index + 1}${nearest.used ? ', which has already been served' : ''}`,
    );
    lines.push(...differences.map((one) => `    ${differenceLine(one)}`));
    const masks = differences.filter(({ before, after }) => before !== undefined && after !== undefined);
    if (masks.length === differences.length)
      lines.push(
        `  It would match with ${masks.map(({ path }) => `--mask ${shellWord(jsonPointer(path))}`).join(' ')}.`,
      );
  }
  if (rerecord !== undefined) lines.push(`  ${rerecord}`);
  return lines.join('\n');
}

/** One difference: `argument path: "a.txt" → "b.txt"`. */
function differenceLine(difference: ValueDifference): string {
  return `${placeName(difference.path)}: ${valueText(difference)}`;
}

function placeName(path: ValueDifference['path']): string {
  const [root, member, ...rest] = path;
  if (root === 'params' && member === 'arguments' && rest.length > 0) return argumentName(rest);
  if (root === 'params' && member !== undefined)
    return `parameter ${rest.length === 0 ? member : jsonPointer(path.slice(1))}`;
  return jsonPointer(path) || 'the message';
}
