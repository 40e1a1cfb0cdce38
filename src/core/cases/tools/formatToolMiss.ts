import { compactJson } from '../../json/json';
import { argumentName, valueText } from '../../match/changeLines';
import { counted } from '../../text/counts';
import { t } from '../../text/l10n';
import type { ToolMiss } from './recordedResults';

/** The whole explanation of a call without a result, in lines. The first also stands alone. */
export function formatToolMiss(miss: ToolMiss): string {
  const { tool, nearest, arguments: args } = miss;
  const lines = [toolMissLine(miss), `  arguments: ${compactJson(args)}`];
  if (nearest === undefined) return lines.join('\n');
  return [
    ...lines,
    t('  nearest: result {0} of {1}, {2}', nearest.index + 1, tool, compactJson(nearest.arguments)),
    ...nearest.differences.map((one) => `    ${argumentName(one.path)}: ${valueText(one)}`),
  ].join('\n');
}

function toolMissLine({ tool, recorded, nearest }: ToolMiss): string {
  if (nearest === undefined || recorded === 0) return t('the tool {0} was called, and has no results', tool);
  const { differences, index } = nearest;
  const [first] = differences;
  if (first === undefined)
    return t('a call of the tool {0} has no result: it differs from result {1} of {2}', tool, index + 1, recorded);
  return counted(
    differences.length,
    'a call of the tool {1} has no result: it differs from result {2} of {3} in one place: {4}',
    'a call of the tool {1} has no result: it differs from result {2} of {3} in {0} places, such as {4}',
    tool,
    index + 1,
    recorded,
    `${argumentName(first.path)}: ${valueText(first)}`,
  );
}

/** What to do about it. */
export function toolMissFix({ tool, isRecordable }: ToolMiss): string {
  return isRecordable
    ? t('Re-record the case: its results come from the tool then.')
    : t(
        'Add a [[tools.results]] with these arguments below the tool {0}, or give the tool a `command` or `mcp` and re-record.',
        tool,
      );
}
