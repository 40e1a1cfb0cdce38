import { pythonString } from './pythonJson';

/**
 * A string as a JSON token, escaped in the manner of the token it replaces: a writer that kept to ASCII goes on doing so,
 * and one that escaped slashes too.
 */
export function writeJsonString(value: string, replaced: string): string {
  const onlyAscii = /\\u(?!00[01])/i.test(replaced) && /^[ -~]*$/.test(replaced);
  const token = onlyAscii ? pythonString(value, true) : JSON.stringify(value);
  const slashes = /\\\//.test(replaced) && !/[^\\]\//.test(replaced.replace(/\\\//g, ''));
  return slashes ? token.replaceAll('/', '\\/') : token;
}
