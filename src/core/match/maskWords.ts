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

/** What masks cover, as in "Mask dates and UUIDs". `masks` are as a case writes them. */
export function maskedThings(masks: readonly string[]): string {
  return listed([...new Set(masks.map(thing))]);
}

/** A mask by path goes by the last name of its path, such as `session_id`. */
function thing(mask: string): string {
  if (mask.startsWith('pattern:')) return `/${mask.slice('pattern:'.length)}/`;
  if (!mask.startsWith('/')) return t(NAMED_THINGS[mask] ?? mask);
  const name = mask
    .slice(mask.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
  return name === '' ? mask : name;
}
