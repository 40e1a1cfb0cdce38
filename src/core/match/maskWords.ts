import { listed } from '../text/counts';
import { message, t } from '../text/l10n';

/** What each preset of masks covers, in the plural. */
const PRESET_THINGS: Readonly<Record<string, string>> = {
  'provider-id': message('provider IDs'),
  uuid: message('UUIDs'),
  timestamp: message('timestamps'),
  date: message('dates'),
  'temp-path': message('temporary paths'),
  port: message('ports'),
};

/** What masks cover, as in "Mask dates and UUIDs". `masks` are as a case writes them. */
export function maskedThings(masks: readonly string[]): string {
  return listed([...new Set(masks.map(thing))]);
}

/** A mask by path goes by the last name of its path, such as `session_id`. */
function thing(mask: string): string {
  if (!mask.startsWith('/')) return t(PRESET_THINGS[mask] ?? mask);
  const name = mask
    .slice(mask.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
  return name === '' ? mask : name;
}
