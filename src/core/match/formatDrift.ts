import type { Mask } from '../model/case';
import { shellWord } from '../text/shellWord';
import { changeLines, decisiveChange, number } from './changeLines';
import { countChanges, type RequestChanges } from './compareRequests';
import type { Drift } from './explainDrift';
import { formatMask } from './masks';

export interface DriftContext {
  /** The tape's path from the project, or its name. */
  readonly tape: string;
  /** How to record again, as a sentence. */
  readonly rerecord?: string;
  /** Where masks can be declared: in the case (the default), or as options of the command. */
  readonly masksIn?: 'case' | 'options';
}

/** The first line of an explanation, which also stands alone. */
export function driftHeadline({ kind, nearest, same, recorded, changes }: Drift, tape: string): string {
  switch (kind) {
    case 'missing':
      return recorded === 0
        ? `${tape} has no recordings`
        : `no recording on ${tape} resembles this request (${recorded} recorded)`;
    case 'used-up':
      return same.length === 1
        ? `${tape} has one recording of this request, which has already been served: the agent sent it again`
        : `${tape} has ${same.length} recordings of this request, all of which have already been served: the agent sent it again`;
    case 'out-of-order':
      return `${tape} has this request as interaction ${number(nearest?.index)}, but it is not the next one`;
    case 'drifted': {
      const count = changes === undefined ? 0 : countChanges(changes);
      const places = count === 1 ? 'one place' : `${count} places`;
      return `this request is not on ${tape}: it differs from interaction ${number(nearest?.index)} in ${places}${decisive(changes, count)}`;
    }
  }
}

/** What differs most, since many clients show only the beginning of an error. */
function decisive(changes: RequestChanges | undefined, count: number): string {
  if (changes === undefined || count === 0) return '';
  const [first = ''] = changeLines(decisiveChange(changes));
  const line = first.length <= HEADLINE ? first : `${first.slice(0, HEADLINE)}…`;
  return count === 1 ? `: ${line}` : `, such as ${line}`;
}

/** Characters of a change in the first line, which has all of it below. */
const HEADLINE = 160;

/** The whole explanation of a drift, in lines. */
export function formatDrift(drift: Drift, { tape, rerecord, masksIn = 'case' }: DriftContext): string {
  const { model, to, lastUserMessage, nearest, changes, masks } = drift;
  const lines = [driftHeadline(drift, tape)];
  if (to !== undefined) lines.push(`  request: ${to}`);
  if (model !== undefined) lines.push(`  model: ${model}`);
  if (lastUserMessage !== undefined) lines.push(`  last user message: ${JSON.stringify(lastUserMessage)}`);
  if (nearest !== undefined && changes !== undefined)
    lines.push(
      `  nearest recording: interaction ${number(nearest.index)}${nearest.used ? ', which has already been served' : ''}`,
    );
  if (changes !== undefined) lines.push(...changeLines(changes).map((line) => `    ${line}`));
  if (masks.length > 0) lines.push(`  It would match with ${declaration(masks, masksIn)}.`);
  if (rerecord !== undefined) lines.push(`  ${rerecord}`);
  return lines.join('\n');
}

function declaration(masks: readonly Mask[], masksIn: 'case' | 'options'): string {
  const texts = masks.map(formatMask);
  if (masksIn === 'options') return texts.map((text) => `--mask ${shellWord(text)}`).join(' ');
  return `mask = [${texts.map((text) => JSON.stringify(text)).join(', ')}] under [llm.replay]`;
}
