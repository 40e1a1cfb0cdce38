import type { ValueDifference } from '../diff/diffValues';
import { jsonPointer } from '../json/jsonPointer';
import { argumentName, valueText } from '../match/changeLines';
import { counted } from '../text/counts';
import { t } from '../text/l10n';
import { shellWord } from '../text/shellWord';
import type { McpMiss } from './recordings';

interface McpMissContext {
  /** The tape's path from the project. */
  readonly tape: string;
  /** How to record again, as a sentence. */
  readonly rerecord?: string | undefined;
}

/** The first line of an explanation, which also stands alone. */
export function mcpMissLine({ kind, title, server, recorded, same, nearest, differences }: McpMiss, tape: string) {
  const what = t('{0} of MCP server {1}', title, server);
  if (kind === 'used-up') {
    return counted(
      same.length,
      '{1} was called again: its recording has already been served ({2})',
      '{1} was called again: all of its {0} recordings have already been served ({2})',
      what,
      tape,
    );
  }
  if (kind === 'missing' || nearest === undefined)
    return recorded === 0
      ? t('{0} has no recordings of MCP server {1}', tape, server)
      : t('{0} is not on {1} ({2} recorded exchanges with this server)', what, tape, recorded);
  const [first] = differences;
  if (first === undefined)
    return t('{0} is not on {1}: it differs from interaction {2}', what, tape, nearest.index + 1);
  return counted(
    differences.length,
    '{1} is not on {2}: it differs from interaction {3} in one place: {4}',
    '{1} is not on {2}: it differs from interaction {3} in {0} places, such as {4}',
    what,
    tape,
    nearest.index + 1,
    differenceLine(first),
  );
}

/** The whole explanation, in lines. */
export function formatMcpMiss(miss: McpMiss, { tape, rerecord }: McpMissContext): string {
  const { nearest, differences } = miss;
  const lines = [mcpMissLine(miss, tape)];
  if (nearest !== undefined && differences.length > 0) {
    lines.push(
      nearest.used
        ? t('  nearest recording: interaction {0}, which has already been served', nearest.index + 1)
        : t('  nearest recording: interaction {0}', nearest.index + 1),
    );
    lines.push(...differences.map((one) => `    ${differenceLine(one)}`));
    const masks = differences.filter(({ before, after }) => before !== undefined && after !== undefined);
    if (masks.length === differences.length)
      lines.push(
        t('  It would match with {0}.', masks.map(({ path }) => `--mask ${shellWord(jsonPointer(path))}`).join(' ')),
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
    return t('parameter {0}', rest.length === 0 ? member : jsonPointer(path.slice(1)));
  return jsonPointer(path) || t('the message');
}
