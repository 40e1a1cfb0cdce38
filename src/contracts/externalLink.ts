import { text, where } from '../core/schema/schema';

const EXTERNAL_SCHEMES: readonly string[] = ['http:', 'https:', 'mailto:'];

/** A link of recorded content that may be opened, once the user agrees: absolute, and of the web or a mail address. */
export const externalLink = where(
  text(),
  (url) => URL.canParse(url) && EXTERNAL_SCHEMES.includes(new URL(url).protocol),
);
