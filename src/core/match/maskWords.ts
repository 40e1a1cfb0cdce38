/** What each preset of masks covers, in the plural. */
const PRESET_THINGS: Readonly<Record<string, string>> = {
  'provider-id': 'provider IDs',
  uuid: 'UUIDs',
  timestamp: 'timestamps',
  date: 'dates',
  'temp-path': 'temporary paths',
  port: 'ports',
};

/** What masks cover, as in "Mask dates and UUIDs". `masks` are as a case writes them. */
export function maskedThings(masks: readonly string[]): string {
  const things = [...new Set(masks.map(thing))];
  const last = things.pop() ?? '';
  if (things.length === 0) return last;
  return things.length === 1 ? `${things.join()} and ${last}` : `${things.join(', ')}, and ${last}`;
}

/** A mask by path goes by the last name of its path, such as `session_id`. */
function thing(mask: string): string {
  if (!mask.startsWith('/')) return PRESET_THINGS[mask] ?? mask;
  const name = mask
    .slice(mask.lastIndexOf('/') + 1)
    .replaceAll('~1', '/')
    .replaceAll('~0', '~');
  return name === '' ? mask : name;
}
