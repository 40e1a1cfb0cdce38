import { isRecord, type Json, jsonEqual } from '../../json/json';
import type { JsonPath } from '../../json/jsonPath';
import { isRandomFolder } from '../../match/maskPresets';
import { DATES } from '../../match/writtenDates';
import { composePattern } from '../../text/pattern';
import { type Difference, differenceOf } from './difference';
import { type Normaliser, plainJson, type ShapedValue } from './normaliser';
import { fitsField, isGeneratedId, RUN_NAMES, volatileField } from './volatileFields';

/** Volatile values that changed in what a model or program was given, each with what it became. */
export class ChangedValues {
  readonly #pairs = new Set<string>();
  readonly #olds = new Set<string>();
  readonly #news = new Set<string>();

  add(old: string, now: string): void {
    this.#pairs.add(`${old}\u0000${now}`);
    this.#olds.add(old);
    this.#news.add(now);
  }

  has(old: string, now: string): boolean {
    return this.#pairs.has(`${old}\u0000${now}`);
  }

  hasOld(old: string): boolean {
    return this.#olds.has(old);
  }

  hasNew(now: string): boolean {
    return this.#news.has(now);
  }
}

/**
 * The differences with the rules that ignore them. What a model was given is compared by shape; what it says, and what a tool is
 * called with, only differs in noise where the field is known to be volatile, or where a value changed as it did in what was
 * given. `changed` collects the values that changed in what was given.
 */
export function withNoise(
  differences: readonly Difference[],
  normaliser: Normaliser,
  changed: ChangedValues,
): readonly Difference[] {
  const noise = new Noise(normaliser, changed);
  for (const one of differences) noise.learn(one);
  return differences.map((one) => noise.judge(one));
}

/** Whether it is noise, by the same rules, that a value became another one in a place that may be of either kind. */
export function isVolatileValue(path: JsonPath, before: Json, after: Json, normaliser: Normaliser): boolean {
  const noise = new Noise(normaliser, new ChangedValues());
  const name = String(path.findLast((key) => typeof key === 'string') ?? '');
  const given = differenceOf('details', path, before, after, { name, given: 'context' });
  const sent = differenceOf('details', path, { [name]: before }, { [name]: after }, { isWire: true });
  return [given, sent].some((one) => noise.judge(one).rules !== undefined);
}

class Noise {
  constructor(
    private readonly normaliser: Normaliser,
    private readonly changed: ChangedValues,
  ) {}

  /** Adds the volatile values that changed in a value that was given, and the ids of calls. */
  learn({ subject, given, before, after, name }: Difference): void {
    if (before === undefined || after === undefined) return;
    if (subject === 'id') this.changed.add(`${before}`, `${after}`);
    if (given === undefined) return;
    const pairs = this.#pairs(plainJson(before), plainJson(after)) ?? [];
    const counted = given === 'context' ? pairs.filter(([old, now]) => isVolatile(old, now, name)) : pairs;
    for (const [old, now] of counted) this.changed.add(old.text, now.text);
  }

  judge(difference: Difference): Difference {
    const { rules, kind } = difference;
    if (rules !== undefined || kind === 'moved') return difference;
    const found = this.#rules(difference);
    if (found !== undefined) return { ...difference, rules: found };
    return difference.given === 'context' ? difference : { ...difference, ...this.#identity(difference) };
  }

  #rules(difference: Difference): readonly string[] | undefined {
    const { path, before, after, given } = difference;
    if (this.normaliser.ignores(path)) return ['ignored'];
    if (before === undefined || after === undefined) return undefined;
    return (
      this.#patternRules(plainJson(before), plainJson(after)) ??
      (given === 'context' ? this.#givenRules(difference, before, after) : this.#saidRules(difference, before, after))
    );
  }

  #patternRules(old: string, now: string): readonly string[] | undefined {
    if (this.normaliser.withoutPatterns(old) !== this.normaliser.withoutPatterns(now)) return undefined;
    return this.normaliser.differingPatterns(old, now);
  }

  #givenRules({ name, path }: Difference, before: Json, after: Json): readonly string[] | undefined {
    const field = name ?? String(path.at(-1));
    return this.#textRules(plainJson(before), plainJson(after), (old, now) => isVolatile(old, now, field));
  }

  #saidRules({ isWire = false }: Difference, before: Json, after: Json): readonly string[] | undefined {
    const rules = new Set<string>();
    const isNoise = (old: Json, now: Json, field: string): boolean => {
      if (jsonEqual(old, now)) return true;
      if (Array.isArray(old) && Array.isArray(now))
        return old.length === now.length && old.every((item, index) => isNoise(item, now[index] ?? null, field));
      if (isRecord(old) && isRecord(now)) {
        const names = Object.keys(old);
        const hasSame = names.length === Object.keys(now).length && names.every((key) => Object.hasOwn(now, key));
        return hasSame && names.every((key) => isNoise(old[key] ?? null, now[key] ?? null, key));
      }
      const found = this.#leafRules(old, now, field, isWire);
      for (const rule of found ?? []) rules.add(rule);
      return found !== undefined;
    };
    return isNoise(before, after, '') ? [...rules] : undefined;
  }

  #leafRules(old: Json, now: Json, field: string, isWire: boolean): readonly string[] | undefined {
    const known = volatileField(field, isWire);
    if (known && this.normaliser.hasPreset(known.preset) && fitsField(old, known) && fitsField(now, known)) {
      if (isWire) this.changed.add(`${old}`, `${now}`);
      return [known.preset];
    }
    if (typeof old === 'object' || typeof now === 'object') return undefined;
    return this.#textRules(`${old}`, `${now}`, (from, to) => this.changed.has(from.text, to.text));
  }

  #textRules(before: string, after: string, isNoise: IsNoise): readonly string[] | undefined {
    const old = this.normaliser.withoutPatterns(before);
    const now = this.normaliser.withoutPatterns(after);
    const pairs = this.#pairs(old, now);
    if (pairs === undefined || !pairs.every(([from, to]) => from.text === to.text || isNoise(from, to)))
      return undefined;
    const presets = pairs.filter(([from, to]) => from.text !== to.text).map(([{ preset }]) => preset);
    return [...new Set([...presets, ...this.normaliser.differingPatterns(before, after)])];
  }

  /** The shaped values at the same places of two texts; undefined if the texts differ in anything else. */
  #pairs(before: string, after: string): readonly ValuePair[] | undefined {
    const old = this.normaliser.shaped(before);
    const now = this.normaliser.shaped(after);
    if (old.skeleton !== now.skeleton || old.values.length !== now.values.length) return undefined;
    return old.values.flatMap((value, index): ValuePair[] => {
      const other = now.values[index];
      return other === undefined ? [] : [[value, other]];
    });
  }

  /** Both sides without the values that changed as in what was given, so that the next run's change is the same one. */
  #identity({ before, after }: Difference): Pick<Difference, 'identity'> {
    const settled = (value: Json | undefined, isKnown: (text: string) => boolean): string =>
      value === undefined
        ? ''
        : this.normaliser.withoutPatterns(
            this.normaliser.shaped(plainJson(value), ({ text }) => isKnown(text)).skeleton,
          );
    return {
      identity: [
        settled(before, (text) => this.changed.hasOld(text)),
        settled(after, (text) => this.changed.hasNew(text)),
      ],
    };
  }
}

type ValuePair = readonly [old: ShapedValue, now: ShapedValue];
type IsNoise = (old: ShapedValue, now: ShapedValue) => boolean;

/** Other random ids have the shape of names. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** A number, or a time of any day, may be what a text is about. */
function isDated(text: string): boolean {
  return /\D/.test(text) && /\d{4}/.test(text) && DATES.some(([pattern]) => text.search(pattern) !== -1);
}

/** A name that says that a number is a time, right before the number. */
const TIME_NAME = /(?:time|stamp|date|created|updated|expire\w*|epoch|since|now|_at|_ts|\bts|\biat|\bexp)\W{0,6}$/i;
/** A name that says that an id is of this run, right before the id. */
const RUN_NAME = composePattern(
  `(?:${[...RUN_NAMES, 'nonce', 'boundary', 'idempotency'].join('|')})s?[\\s_-]?(?:ids?|key|uuid|guid|token)?(?: is| was)?\\W{0,6}$`,
  'i',
);
/** What ends before the name of a random folder. */
const TEMPORARY_FOLDER = /(?:\/tmp\/|\/T\/|\\Temp\\{1,2})[\w.-]{0,20}$/;

/** Whether an id is of this run, by the name before it or by its folder: another one may be that of another customer. */
function isOfRun(named: string, lead: string): boolean {
  return RUN_NAME.test(named) || TEMPORARY_FOLDER.test(lead);
}

/** Ports from here on are handed out by the system, and not chosen. */
const FIRST_RANDOM_PORT = 10_000;

/** Whether a shaped value in what was given is noise: its shape alone does not say so for numbers, names and ports. */
function isVolatile(old: ShapedValue, now: ShapedValue, field = ''): boolean {
  switch (old.preset) {
    case 'provider-id':
      return isGeneratedId(old.text) && isGeneratedId(now.text);
    case 'uuid':
      return [old, now].every(({ text, lead }) => UUID.test(text) && isOfRun(`${field}: ${lead}`, lead));
    case 'timestamp':
      return [old, now].every(({ text, lead }) => isDated(text) || TIME_NAME.test(`${field}: ${lead}`));
    case 'temp-path':
      return [old, now].every(({ text }) => isRandomFolder(text));
    case 'port':
      return [old, now].every(({ text }) => Number(/\d+$/.exec(text)?.[0]) >= FIRST_RANDOM_PORT);
    default:
      return true;
  }
}
