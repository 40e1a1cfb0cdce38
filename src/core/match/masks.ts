import { isRecord, type Json, type JsonRecord } from '../json/json';
import type { JsonPath } from '../json/jsonPath';
import {
  isCovered,
  jsonPointer,
  type PointerPattern,
  parsePointer,
  patternsAt,
  patternsBelow,
} from '../json/jsonPointer';
import type { Mask, MaskedOrder, MaskPreset } from '../model/case';
import { compilePattern, isRefused, type Pattern, patternRefusal } from '../text/compilePattern';
import { message, t } from '../text/l10n';
import { MASK_PRESETS } from './maskPresets';

/** The orders that a mask may leave out, with what it ignores. */
export const MASK_ORDERS: readonly { readonly name: MaskedOrder; readonly description: string }[] = [
  { name: 'tool-order', description: message('the order of the tools in a request') },
  { name: 'result-order', description: message('the order of the results of tools that a model called together') },
];

/** What a mask may be called, besides a path and a pattern. */
export const MASK_NAMES: readonly string[] = [...MASK_PRESETS, ...MASK_ORDERS].map(({ name }) => name);

/** Before a pattern of one's own, in the syntax of JavaScript. */
const PATTERN = 'pattern:';

/** Parses the name of a preset or an order, a pattern, or a JSON pointer; undefined for anything else. */
export function parseMask(text: string): Mask | undefined {
  if (text.startsWith('/')) return { type: 'path', path: parsePointer(text) };
  if (text.startsWith(PATTERN)) {
    const pattern = compilePattern(text.slice(PATTERN.length), 'javascript');
    return isRefused(pattern) ? undefined : { type: 'pattern', pattern };
  }
  const order = MASK_ORDERS.find(({ name }) => name === text)?.name;
  if (order !== undefined) return { type: 'order', order };
  const preset = MASK_PRESETS.find(({ name }) => name === text);
  return preset && { type: 'preset', preset };
}

/** Why a text is no mask, for which `parseMask` has none. */
export function maskRefusal(text: string): { readonly message: string; readonly fix: string } {
  if (text.startsWith(PATTERN)) return patternRefusal(text.slice(PATTERN.length));
  const names = MASK_NAMES.join(', ');
  return {
    message: t('unknown mask: {0}', text),
    fix: t(
      'Use one of {0}, a path such as /messages/0/content, or a pattern such as {1}.',
      names,
      'pattern:note_[0-9a-f]+',
    ),
  };
}

export function formatMask(mask: Mask): string {
  switch (mask.type) {
    case 'preset':
      return mask.preset.name;
    case 'pattern':
      return `${PATTERN}${mask.pattern.source}`;
    case 'order':
      return mask.order;
    case 'path':
      return jsonPointer(mask.path);
  }
}

interface MaskedPlace {
  /** The path of the value in the body. */
  readonly at?: JsonPath;
  /**
   * Whether a member that is nothing but what a preset covers is left out as well. So it is among the settings of a call; of what is
   * said, such as the arguments of a tool, it counts that there is a date or an id.
   */
  readonly isSettings?: boolean;
}

/**
 * What masks leave of a value; undefined where they cover it. A member that they cover is left out, as if it were absent, and with
 * it the objects and lists of which nothing is left. In a text, what presets cover is replaced by their names.
 */
export function applyMasks(value: Json, masks: readonly Mask[], place?: MaskedPlace): Json | undefined {
  return masking(masks)(value, place);
}

/** The same for several values of one body. */
export function masking(masks: readonly Mask[]): (value: Json, place?: MaskedPlace) => Json | undefined {
  if (masks.length === 0) return (value) => value;
  const paths = pathsOf(masks);
  const [ofSettings, ofOthers] = [new Masking(masks, true), new Masking(masks, false)];
  return (value, { at = [], isSettings = false } = {}) =>
    (isSettings ? ofSettings : ofOthers).value(value, patternsAt(paths, at), '');
}

/** The path of a value in what masks leave of the body: elements that they cover have no place in their list. */
export function pathLeftBy(masks: readonly Mask[], path: JsonPath): JsonPath {
  const paths = pathsOf(masks).filter((mask) => mask.length <= path.length && isIndex(mask.at(-1)));
  if (paths.length === 0) return path;
  return path.map((key, at) => {
    if (typeof key !== 'number') return key;
    const before = patternsAt(paths, path.slice(0, at)).flatMap((rest) => (rest.length === 1 ? rest : []));
    return key - new Set(before.filter((index) => Number(index) < key)).size;
  });
}

/** The masks without those that cover single elements of lists; undefined if there are none. */
export function withoutElementMasks(masks: readonly Mask[]): readonly Mask[] | undefined {
  const others = masks.filter((mask) => mask.type !== 'path' || !isIndex(mask.path.at(-1)));
  return others.length === masks.length ? undefined : others;
}

function isIndex(key = ''): boolean {
  return /^\d+$/.test(key);
}

function pathsOf(masks: readonly Mask[]): readonly PointerPattern[] {
  return masks.flatMap((mask) => (mask.type === 'path' ? [mask.path] : []));
}

/** What stands in a text for what a pattern of one's own matches. */
const PATTERN_PLACEHOLDER = '<pattern>';

/** Members that say which of several things another one is: a date in them is a version. */
const DISCRIMINATOR = /(?:^|[_-])(?:type|model|version)$/i;

class Masking {
  readonly #presets: readonly MaskPreset[];
  readonly #patterns: readonly Pattern[];
  readonly #isSettings: boolean;
  readonly #placeholders: ReadonlySet<Json>;

  constructor(masks: readonly Mask[], isSettings: boolean) {
    // In their own order, not in that of the list: of a date with a time, `date` leaves the time.
    const named = new Set(masks.flatMap((mask) => (mask.type === 'preset' ? [mask.preset] : [])));
    this.#presets = MASK_PRESETS.filter((preset) => named.has(preset));
    this.#patterns = masks.flatMap((mask) => (mask.type === 'pattern' ? [mask.pattern] : []));
    this.#isSettings = isSettings;
    this.#placeholders = new Set([...this.#presets.map(placeholder), PATTERN_PLACEHOLDER]);
  }

  /** The value itself where the masks leave all of it. */
  value(value: Json, paths: readonly PointerPattern[], key: string, holder?: JsonRecord): Json | undefined {
    if (isCovered(paths)) return undefined;
    if (typeof value === 'string') return this.#text(value, key, holder);
    if (Array.isArray(value)) return this.#items(value, paths);
    return isRecord(value) ? this.#members(value, paths) : value;
  }

  #items(items: readonly Json[], paths: readonly PointerPattern[]): Json {
    const left = items.map((item, index) => this.value(item, patternsBelow(paths, `${index}`), ''));
    const isSame = left.every((item, index) => item === items[index]);
    return isSame ? (items as Json) : left.filter((item) => item !== undefined);
  }

  #members(record: JsonRecord, paths: readonly PointerPattern[]): JsonRecord {
    const entries = Object.entries(record);
    let left: [string, Json][] | undefined;
    for (const [at, [name, item]] of entries.entries()) {
      const now = this.#member(item, patternsBelow(paths, name), name, record);
      if (now === item && left === undefined) continue;
      left ??= entries.slice(0, at);
      if (now !== undefined) left.push([name, now]);
    }
    return left === undefined ? record : Object.fromEntries(left);
  }

  /** An object of which nothing is left is the same as none: the other request may have none. */
  #member(value: Json, paths: readonly PointerPattern[], key: string, holder: JsonRecord): Json | undefined {
    const left = this.value(value, paths, key, holder);
    if (left === undefined || (isEmptyHolder(left) && (paths.length > 0 || !isEmptyHolder(value)))) return undefined;
    return this.#isSettings && this.#placeholders.has(left) ? undefined : left;
  }

  #text(text: string, key: string, holder: JsonRecord | undefined): string {
    let masked = text;
    // The user's own come first: a preset may leave only a part of what one was written for.
    for (const pattern of this.#patterns) masked = pattern.replace(masked, PATTERN_PLACEHOLDER);
    if (DISCRIMINATOR.test(key)) return masked;
    for (const preset of this.#presets) {
      if (holder !== undefined && preset.isWhole?.(key, holder) === true) return placeholder(preset);
      for (const [pattern, replacement, hint] of preset.patterns)
        if (hint.test(masked)) masked = masked.replace(pattern, replacement);
    }
    return masked;
  }
}

function placeholder({ name }: MaskPreset): string {
  return `<${name}>`;
}

function isEmptyHolder(value: Json): boolean {
  return Array.isArray(value) ? value.length === 0 : isRecord(value) && Object.keys(value).length === 0;
}
