import type { Guard } from './rpc';

const SCHEMES: readonly string[] = ['http:', 'https:', 'mailto:'];

/** A link of recorded content that may be opened, once the user agrees: absolute, and of the web or a mail address. */
export const isExternalLink: Guard<string> = (value): value is string => {
  if (typeof value !== 'string' || !URL.canParse(value)) return false;
  return SCHEMES.includes(new URL(value).protocol);
};
