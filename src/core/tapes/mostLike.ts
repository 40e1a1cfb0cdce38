import { headLines, startsWithObjectLine } from '../json/jsonLines';
import { beginningOutline, jsonOutline } from '../json/jsonOutline';
import { listed } from '../text/counts';
import { t } from '../text/l10n';
import type { TextParts } from '../text/textParts';
import { byLikeness, outlineOf, type Paths, pathsOf } from './marks';
import { formats } from './registry';
import { type TapeFile, textParts } from './tapeFile';

/** Of a file in no format, which format it is most like, and what it lacks of that: a sentence. Undefined where it is like none. */
export function mostLike(file: TapeFile): string | undefined {
  const paths = pathsIn(textParts(file));
  const [first] = formats
    .flatMap(({ label, marks }) => (marks === undefined ? [] : [{ label, ...pathsOf(marks, paths) }]))
    .filter(({ met, unmet }) => met.length >= FEWEST && met.length > unmet.length && unmet.length > 0)
    .sort(byLikeness);
  if (first === undefined) return undefined;
  const lacking = listed(first.unmet.map((path) => `\`${path}\``));
  return t('The closest format is {0}. Missing: {1}.', first.label, lacking);
}

/** A single member, such as `id`, says nothing. */
const FEWEST = 2;

function pathsIn(text: TextParts): Paths {
  if (!startsWithObjectLine(text) || jsonOutline(text).isOnly) return outlineOf(text);
  const lines = headLines(text, 2).map(beginningOutline);
  return { has: (path) => lines.some((line) => line.has(path)) };
}
