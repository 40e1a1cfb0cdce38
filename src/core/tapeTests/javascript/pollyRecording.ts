/** The path of a recording in Polly's folder of recordings, by its name: a folder for each part, with a hash. */
export function pollyRecordingPath(name: string): string {
  return `${name.split('/').map(guidFor).join('/')}/recording.har`;
}

const LONGEST = 100;

function guidFor(part: string): string {
  const hash = String(fnv1a(part));
  const slug = part
    .replace(/\W/g, '-')
    // Polly's slugs collapse hyphens, and have none at the ends.
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '');
  return `${slug.slice(0, LONGEST - hash.length - 1)}_${hash}`;
}

/** FNV-1a of 32 bits, over UTF-8 from the first character on that is not ASCII, as the package that Polly uses does it. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash;
}
