import { compactJson } from '../wire/compactJson';
import { type Json, prettyJson } from './json';
import { pythonJson } from './pythonJson';
import { toNode } from './toNode';

/** JSON in the manner of the JSON that it replaces: in lines as deep as those, with spaces as Python sets them, or compact. */
export function printLike(value: Json, replaced: string): string {
  if (/[\r\n]/.test(replaced.trim())) return printLines(value, replaced);
  const punctuation = replaced.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  if (/[:,] /.test(punctuation)) return pythonJson(toNode(value), { ensureAscii: !/[^\0-\x7f]/.test(replaced) });
  return compactJson(value);
}

function printLines(value: Json, replaced: string): string {
  const lines = replaced.trimEnd().split(/\r?\n/);
  const base = /^[ \t]*/.exec(lines.at(-1) ?? '')?.[0] ?? '';
  const inner = /^[ \t]*/.exec(lines[1] ?? '')?.[0] ?? '';
  const step = inner.startsWith(base) && inner.length > base.length ? inner.slice(base.length) : '  ';
  const lineEnd = replaced.includes('\r\n') ? '\r\n' : '\n';
  return prettyJson(value)
    .split('\n')
    .map((line, index) => {
      const depth = (line.length - line.trimStart().length) / 2;
      return index === 0 ? line : base + step.repeat(depth) + line.trimStart();
    })
    .join(lineEnd);
}
