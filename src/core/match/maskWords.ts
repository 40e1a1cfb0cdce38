import { listed } from '../text/counts';
import { message, t } from '../text/l10n';

/** What each preset and order of masks covers, in the plural. */
const NAMED_THINGS: Readonly<Record<string, string>> = {
  'provider-id': message('provider IDs'),
  uuid: message('UUIDs'),
  timestamp: message('timestamps'),
  date: message('dates'),
  'temp-path': message('temporary paths'),
  port: message('ports'),
  duration: message('durations'),
  'tool-order': message('the order of tools'),
  'result-order': message('the order of tool results'),
};

/** What masks cover, as in "Masked dates and UUIDs". `masks` are as a case writes them. */
export function maskedThings(masks: readonly string[]): string {
  return listedThings(masks, (words) => words);
}

/** The title of a command that adds masks, as in "Mask Dates and UUIDs". */
export function maskTitle(masks: readonly string[]): string {
  return t('Mask {0}', listedThings(masks, titleCase));
}

function titleCase(words: string): string {
  return words.replace(/\b(?!(?:of|the)\b)[a-z]/g, (letter) => letter.toUpperCase());
}

/** Only the words are written in a style, and not what a case or a path names. */
function listedThings(masks: readonly string[], style: (words: string) => string): string {
  return listed([...new Set(masks.map((mask) => thing(mask, style)))]);
}

/** A mask by path goes by the last name of its path, such as `session_id`. */
function thing(mask: string, style: (words: string) => string): string {
  if (mask.startsWith('pattern:')) return `/${mask.slice('pattern:'.length)}/`;
  if (!mask.startsWith('/')) return NAMED_THINGS[mask] === undefined ? mask : style(t(NAMED_THINGS[mask]));
  const name = mask
    .slice(mask.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
  return name === '' ? mask : name;
}
