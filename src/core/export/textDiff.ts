import { structuredPatch } from 'diff';
import { grouped } from '../text/counts';
import { escapeInvisible } from '../text/escapeInvisible';
import { t } from '../text/l10n';
import type { TextStyle } from '../text/textStyle';

/** The comparison of two texts may take quadratic time; a hint is not worth more. */
const TIMEOUT_MS = 500;
const CONTEXT_LINES = 2;
const MAX_LINES = 60;
/** In UTF-16 units: of a longer line, the beginning is shown. */
const MAX_LINE = 20_000;

/**
 * The lines in which two texts differ, with `-` and `+` and a little context. By default not more than fits on two
 * screens.
 */
export function textDiff(expected: string, actual: string, ink: TextStyle, maxLines = MAX_LINES): string {
  const options = { context: CONTEXT_LINES, timeout: TIMEOUT_MS };
  const patch = structuredPatch(
    '',
    '',
    escapeInvisible(expected),
    escapeInvisible(actual),
    undefined,
    undefined,
    options,
  );
  const lines = patch === undefined ? wholeTexts(expected, actual) : patch.hunks.flatMap(hunkLines);
  const maxLength = Number.isFinite(maxLines) ? MAX_LINE : Number.POSITIVE_INFINITY;
  const shown = lines.slice(0, maxLines).map((line) => paintLine(line, ink, maxLength));
  const more = lines.length - shown.length;
  return [...shown, ...(more > 0 ? [ink.dim(t('… and {0} more lines', grouped(more)))] : [])].join('\n');
}

function hunkLines({ lines }: { lines: readonly string[] }, index: number): readonly string[] {
  const own = lines.filter((line) => !line.startsWith('\\'));
  return index === 0 ? own : [' …', ...own];
}

/** Both texts whole, where they differ too much for a diff. */
function wholeTexts(expected: string, actual: string): readonly string[] {
  const marked = (mark: string, text: string) =>
    escapeInvisible(text)
      .split('\n')
      .map((line) => mark + line);
  return [...marked('-', expected), ...marked('+', actual)];
}

function paintLine(line: string, ink: TextStyle, maxLength: number): string {
  const more = line.length - 1 - maxLength;
  const rest = more > 0 ? t('… and {0} more characters', grouped(more)) : '';
  const text = `${line.slice(0, 1)} ${line.slice(1, 1 + maxLength)}${rest}`;
  if (line.startsWith('-')) return ink.red(text);
  return line.startsWith('+') ? ink.green(text) : ink.dim(text);
}
