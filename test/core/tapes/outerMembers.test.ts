import assert from 'node:assert/strict';
import type { FormatId } from '../../../src/core/model/tape';
import { detectFormat } from '../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { isFault } from '../../../src/core/verify/finding';
import { samples } from '../../soak/samples';

const DEPTH = 3;

/** The values of a file in JSON or JSON Lines; undefined for others. */
function valuesOf(text: string): unknown[] | undefined {
  try {
    return [JSON.parse(text)];
  } catch {
    try {
      return text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown);
    } catch {
      return undefined;
    }
  }
}

const written = (values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

/** The paths of the members down to a depth; items of lists are not told apart. */
function pathsIn(value: unknown, place: readonly string[] = []): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsIn(item, place));
  if (typeof value !== 'object' || value === null || place.length === DEPTH) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const path = [...place, name];
    return [path.join('\0'), ...pathsIn(member, path)];
  });
}

function renamed(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, name === undefined ? [] : [name, ...rest]));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => {
    if (key !== name) return [key, member];
    return rest.length === 0 ? [`other_${key}`, member] : [key, renamed(member, rest)];
  });
  return Object.fromEntries(members);
}

describe('a file in which an outer member has another name', () => {
  const tried = new Set<FormatId>();
  for (const { path, text } of samples) {
    const values = valuesOf(text);
    const own = detectFormat(tapeFileFromText(text, path));
    if (values === undefined || own === undefined || tried.has(own.id)) continue;
    if (own.read(tapeFileFromText(written(values), path)).interactions.length === 0) continue;
    tried.add(own.id);
    it(`is no tape, has interactions, or is told not to be read: ${own.id}`, () => {
      for (const place of new Set(values.flatMap((value) => pathsIn(value)))) {
        const file = tapeFileFromText(written(values.map((value) => renamed(value, place.split('\0')))), path);
        const { interactions, problems } = detectFormat(file)?.read(file) ?? { interactions: undefined, problems: [] };
        const isTold = interactions === undefined || interactions.length > 0 || problems.some(isFault);
        assert.ok(isTold, `${place.replaceAll('\0', '.')} has another name: ${file.text.slice(0, 300)}`);
      }
    });
  }

  it('is tried for most formats', () => assert.ok(tried.size > 30, `${tried.size}`));
});
