/**
 * A pattern of Python's `re`, searched with DOTALL, as a regular expression of JavaScript; or why there is none. What the
 * two write differently is translated: flags at the start, `(?P<name>…)`, `(?P=name)`, `\A`, `\Z`.
 */
export function pythonRegExp(pattern: string): RegExp | string {
  const [, letters = ''] = /^\(\?([aiLmsux]+)\)/.exec(pattern) ?? [];
  const flags = new Set(['s', ...letters.replace(/[^ims]/g, '')]);
  const source = (letters === '' ? pattern : pattern.slice(letters.length + 3))
    .replace(/\(\?P</g, '(?<')
    .replace(/\(\?P=(\w+)\)/g, '\\k<$1>')
    .replace(/(?<!\\)((?:\\\\)*)\\A/g, '$1(?<![\\s\\S])')
    .replace(/(?<!\\)((?:\\\\)*)\\Z/g, '$1(?![\\s\\S])');
  try {
    return new RegExp(source, [...flags].join(''));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
