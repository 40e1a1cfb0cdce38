import type { ValueDifference } from '../diff/diffValues';
import { notKeptText } from '../tapes/notKept';
import { counted } from '../text/counts';
import { cut, t } from '../text/l10n';
import { changedPart, changedWords, changeLines, decisiveChange, inMessage, number, quoted } from './changeLines';
import { countChanges, type MessageChange, type RequestChanges } from './compareRequests';
import type { Drift } from './explainDrift';

/** Characters of the line; what is longer is in the whole explanation. */
const LENGTH = 200;
/** Little before the change, which must be in sight beside a line of an editor; what follows it may run out of sight there. */
const CONTEXT = { beside: 18, after: 100, slack: 20 };

/** A drift in one line, such as `Today is 2026-11-[-22-]{+23+}`, where there is room for no more. */
export function driftLine(drift: Drift): string {
  return inOneLine(lineOf(drift));
}

/** A difference between two texts in one line, such as `Output: Hello[-!-]{+, Ada.+}`. */
export function differenceLine(title: string, before: string, after: string): string {
  return inOneLine(`${title}: ${changedPart(before, after, CONTEXT)}`);
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

function changedLine(changes: RequestChanges): string {
  const first = decisiveChange(changes);
  const [message] = first.messages;
  const [line = ''] = message === undefined ? changeLines(first) : [messageLine(message)];
  const more = countChanges(changes) - 1 + (message?.type === 'edited' ? Math.max(0, message.values.length - 1) : 0);
  return more === 0 ? line : counted(more, '{1} (and {0} more change)', '{1} (and {0} more changes)', collapsed(line));
}

/** What is said now, without the position of the message: the words are what one recognises. */
function messageLine(change: MessageChange): string {
  const [value] = change.type === 'edited' ? change.values : [];
  if (value !== undefined && isText(value))
    return `${inMessage(value)}${changedWords(value.before, value.after, CONTEXT)}`;
  if (change.type === 'added') return t('Added {0} message: {1}', change.role, quoted(change.value));
  if (change.type === 'removed') return t('Removed {0} message: {1}', change.role, quoted(change.value));
  const [line = ''] = changeLines({ params: [], messages: [change], tools: [] });
  return line;
}

function isText(
  value: ValueDifference,
): value is ValueDifference & { readonly before: string; readonly after: string } {
  return typeof value.before === 'string' && typeof value.after === 'string';
}
