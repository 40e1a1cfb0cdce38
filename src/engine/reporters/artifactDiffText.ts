import type { Change } from '../../core/review/changes';
import { REVIEW_FIELDS } from '../../core/runs/compareArtifacts';
import type { Paint } from '../commands/paint';
import { textDiff } from './textDiff';
import { indented } from './visible';

/** The changes between two artifacts, or the sentence that there are none. */
export function artifactDiffText(changes: readonly Change[], paint: Paint): string {
  if (changes.length === 0) return `no differences in ${REVIEW_FIELDS.map(([field]) => field).join(', ')}\n`;
  const sections = changes.map(
    ({ field, before, after }) => `${paint.bold(field)}\n${indented(textDiff(before, after, paint), '  ')}`,
  );
  return `${sections.join('\n')}\n`;
}
