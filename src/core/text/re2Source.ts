import type { PatternLook, PatternNode, PatternPlace, PatternRepeat, PatternSet, SetItem } from './parsePattern';
import { composePattern } from './pattern';

/** How the parts are written that RE2 has in some patterns only. */
export interface Re2Writer {
  place(node: PatternPlace): string;
  look(node: PatternLook): string;
  /** Follows each character. */
  readonly afterCharacter: string;
  /** Backwards, from the last character to the first. */
  readonly reversed: boolean;
}

/** Writes a pattern in the syntax of RE2. */
export function re2Source(node: PatternNode, writer: Re2Writer): string {
  switch (node.type) {
    case 'set': {
      const set = setSource(node);
      return writer.afterCharacter === '' ? set : `(?:${set}${writer.afterCharacter})`;
    }
    case 'place':
      return writer.place(node);
    case 'look':
      return writer.look(node);
    case 'repeat':
      return repeatSource(`(?:${re2Source(node.body, writer)})`, node);
    case 'choice':
      return `(?:${node.parts.map((part) => re2Source(part, writer)).join('|')})`;
    case 'sequence': {
      const parts = writer.reversed ? node.parts.toReversed() : node.parts;
      return parts.map((part) => re2Source(part, writer)).join('');
    }
  }
}

/** The largest count that RE2 accepts. */
const MAX_COUNT = 1000;

function repeatSource(unit: string, { least, most, lazy }: PatternRepeat): string {
  const sign = lazy ? '?' : '';
  if (most === undefined && least <= 1) return `${unit}${least === 0 ? '*' : '+'}${sign}`;
  const rest = most === undefined ? `${unit}*${sign}` : counted(most - least, (count) => `${unit}{0,${count}}${sign}`);
  return `(?:${counted(least, (count) => `${unit}{${count}}`)}${rest})`;
}

/** Parts of at most `MAX_COUNT` each, one after the other. */
function counted(count: number, part: (count: number) => string): string {
  let source = '';
  for (let left = count; left > 0; left -= MAX_COUNT) source += part(Math.min(left, MAX_COUNT));
  return source;
}

function setSource({ items, negated, ignoreCase }: PatternSet): string {
  const [only] = items;
  if (only === undefined) return negated ? '(?s:.)' : '[^\\x{0}-\\x{10ffff}]';
  // The complement of a set that is alone needs no list of all other characters.
  const flips = items.length === 1 && only.type === 'members' && only.negated;
  const source = flips ? only.members : items.map(itemSource).join('');
  const set = `[${negated !== flips ? '^' : ''}${source}]`;
  return ignoreCase ? `(?i:${set})` : set;
}

function itemSource(item: SetItem): string {
  if (item.type === 'range') {
    const first = codeSource(item.first);
    return item.first === item.last ? first : `${first}-${codeSource(item.last)}`;
  }
  if (item.type === 'property') return rangesOf(item.property);
  return item.negated ? rangesOf(`[^${item.members.replaceAll('\\x{', '\\u{')}]`) : item.members;
}

function codeSource(code: number): string {
  return `\\x{${code.toString(16)}}`;
}

const ranges = new Map<string, string>();

/** The ranges of a class of JavaScript, as members of a class of RE2, which has neither all properties nor nested classes. */
function rangesOf(set: string): string {
  const known = ranges.get(set);
  if (known !== undefined) return known;
  const found = Array.from(everyCharacter().matchAll(composePattern(`${set}+`, 'gv')), ({ 0: run, index }) => {
    const first = codeAt(index);
    const last = codeAt(index + run.length - 1);
    return `${codeSource(first)}-${codeSource(last)}`;
  }).join('');
  ranges.set(set, found);
  return found;
}

const SURROGATES = 0xd800;
const AFTER_SURROGATES = 0xe000;
/** Where the characters of two units begin in `everyCharacter`. */
const ASTRAL = 0x10000 - (AFTER_SURROGATES - SURROGATES);

let every: string | undefined;

/** All code points in order, without the surrogates. */
function everyCharacter(): string {
  if (every !== undefined) return every;
  const parts: string[] = [];
  for (let code = 0; code <= 0x10ffff; code += 1) {
    if (code === SURROGATES) code = AFTER_SURROGATES;
    parts.push(String.fromCodePoint(code));
  }
  every = parts.join('');
  return every;
}

function codeAt(index: number): number {
  if (index < SURROGATES) return index;
  if (index < ASTRAL) return index + AFTER_SURROGATES - SURROGATES;
  return 0x10000 + Math.floor((index - ASTRAL) / 2);
}
