import type { Mask } from '../model/case';
import { notKeptText } from '../tapes/notKept';
import { counted } from '../text/counts';
import { cut, t } from '../text/l10n';
import { shellWord } from '../text/shellWord';
import { changeLines, decisiveChange, number } from './changeLines';
import { countChanges, type RequestChanges } from './compareRequests';
import type { Drift } from './explainDrift';
import { formatMask } from './masks';

interface DriftContext {
  /** The tape's path from the project, or its name. */
  readonly tape: string;
  /** How to record again, as a sentence. */
  readonly rerecord?: string;
  readonly masksIn?: MasksIn;
}

/** Where masks can be declared: in the case (the default), as options of the command, or where a test names its tape. */
export type MasksIn = 'case' | 'options' | 'test';

/** The first line of an explanation, which also stands alone. */
function driftHeadline({ kind, nearest, same, recorded, changes, lacking }: Drift, tape: string): string {
  if (lacking !== undefined) {
    const why = notKeptText(lacking.lack);
    return t('{0} has this request as interaction {1}, which is not replayed: {2}', tape, number(lacking.index), why);
  }
  switch (kind) {
    case 'missing':
      return recorded === 0
        ? t('{0} has no recordings', tape)
        : t('no recording on {0} resembles this request ({1} recorded)', tape, recorded);
    case 'used-up':
      return same.length === 1
        ? t('{0} has one recording of this request, which has already been served: the agent sent it again', tape)
        : t(
            '{0} has {1} recordings of this request, all of which have already been served: the agent sent it again',
            tape,
            same.length,
          );
    case 'out-of-order':
      return t('{0} has this request as interaction {1}, but it is not the next one', tape, number(nearest?.index));
    case 'drifted': {
      const count = changes === undefined ? 0 : countChanges(changes);
      const line = decisive(changes, count);
      if (line === '')
        return t('this request is not on {0}: it differs from interaction {1}', tape, number(nearest?.index));
      return counted(
        count,
        'this request is not on {1}: it differs from interaction {2} in one place: {3}',
        'this request is not on {1}: it differs from interaction {2} in {0} places, such as {3}',
        tape,
        number(nearest?.index),
        line,
      );
    }
  }
}

/** What differs most, since many clients show only the beginning of an error. */
function decisive(changes: RequestChanges | undefined, count: number): string {
  if (changes === undefined || count === 0) return '';
  const [first = ''] = changeLines(decisiveChange(changes));
  return cut(first, HEADLINE);
}

/** Characters of a change in the first line, which has all of it below. */
const HEADLINE = 160;

/** The whole explanation of a drift, in lines. */
export function formatDrift(drift: Drift, { tape, rerecord, masksIn = 'case' }: DriftContext): string {
  const { model, to, lastUserMessage, nearest, changes, masks } = drift;
  const lines = [driftHeadline(drift, tape)];
  if (to !== undefined) lines.push(t('  request: {0}', to));
  if (model !== undefined) lines.push(t('  model: {0}', model));
  if (lastUserMessage !== undefined) lines.push(t('  last user message: {0}', JSON.stringify(lastUserMessage)));
  if (nearest !== undefined && changes !== undefined)
    lines.push(
      nearest.used
        ? t('  nearest recording: interaction {0}, which has already been served', number(nearest.index))
        : t('  nearest recording: interaction {0}', number(nearest.index)),
    );
  if (changes !== undefined) lines.push(...changeLines(changes).map((line) => `    ${line}`));
  if (masks.length > 0) lines.push(t('  It would match with {0}.', declaration(masks, masksIn)));
  if (rerecord !== undefined) lines.push(`  ${rerecord}`);
  return lines.join('\n');
}

function declaration(masks: readonly Mask[], masksIn: MasksIn): string {
  const texts = masks.map(formatMask);
  if (masksIn === 'options') return texts.map((text) => `--mask ${shellWord(text)}`).join(' ');
  const list = `[${texts.map((text) => JSON.stringify(text)).join(', ')}]`;
  return masksIn === 'test' ? `mask=${list}` : `mask = ${list} under [llm.replay]`;
}
