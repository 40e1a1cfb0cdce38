import type { ValueDifference } from '../diff/diffValues';
import { notKeptText } from '../tapes/notKept';
import { counted } from '../text/counts';
import { cut, t } from '../text/l10n';
import { changeLines, inMessage, number, quoted, replacedValue, replacedWords } from './changeLines';
import type { MessageChange, RequestChanges } from './compareRequests';
import type { Drift } from './explainDrift';

/** Characters of the line; what is longer is in the diff of the requests. */
const LENGTH = 200;
/** So many changes are told; more are counted. */
const TOLD = 3;

/** A drift in one line, such as `model: gpt-4o → gpt-4.1`, where there is room for no more. */
export function driftLine(drift: Drift): string {
  return inOneLine(lineOf(drift));
}

/** A difference between two texts in one line, such as `Output: Hello → Hello, Ada`. */
export function differenceLine(title: string, before: string, after: string): string {
  return inOneLine(`${title}: ${before === '' || after === '' ? before + after : replacedWords(before, after)}`);
}

function inOneLine(text: string): string {
  return cut(collapsed(text), LENGTH);
}

function collapsed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function lineOf({ kind, nearest, same, recorded, changes, lastUserMessage, lacking }: Drift): string {
  if (lacking !== undefined)
    return t('Interaction {0} is not replayed: {1}', number(lacking.index), notKeptText(lacking.lack));
  switch (kind) {
    case 'missing':
      if (recorded === 0) return t('The tape has no recordings');
      return lastUserMessage === undefined
        ? t('No recording resembles this request')
        : t('No recording resembles this request: "{0}"', lastUserMessage);
    case 'used-up':
      return counted(
        same.length,
        'The agent repeated a request that was recorded only once',
        'The agent sent a request again that was recorded {0} times',
      );
    case 'out-of-order':
      return t('The agent sent request {0} of the tape out of order', number(nearest?.index));
    case 'drifted':
      return changes === undefined ? t('The request differs from its recording') : changedLine(changes);
  }
}

/** What says most first: the endpoint and the model, else what is said. */
function changedLine({ params, messages, tools, ...target }: RequestChanges): string {
  const none = { params: [], messages: [], tools: [] };
  const lines = [
    ...changeLines({ ...none, ...target }),
    ...messages.flatMap(messageLines),
    ...changeLines({ ...none, params, tools }, replacedValue),
  ].map(collapsed);
  const told = lines.slice(0, TOLD).join('; ');
  const more = lines.length - TOLD;
  return more <= 0 ? told : counted(more, '{1} (and {0} more change)', '{1} (and {0} more changes)', told);
}

/** What is said now, without the position of the message: the words are what one recognises. */
function messageLines(change: MessageChange): readonly string[] {
  if (change.type === 'added') return [t('Added {0} message: {1}', change.role, quoted(change.value))];
  if (change.type === 'removed') return [t('Removed {0} message: {1}', change.role, quoted(change.value))];
  if (change.type === 'moved' || change.values.length === 0)
    return changeLines({ params: [], messages: [change], tools: [] });
  return change.values.map((value) => `${change.role}${placeIn(value)}: ${replacedValue(value)}`);
}

function placeIn(value: ValueDifference): string {
  const place = inMessage(value).trim();
  return place === '' ? '' : ` ${place}`;
}
