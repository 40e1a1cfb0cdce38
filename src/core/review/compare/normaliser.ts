import { canonicalJson } from '../../json/canonicalJson';
import type { Json } from '../../json/json';
import type { JsonPath } from '../../json/jsonPath';
import { MASK_PRESETS } from '../../match/masks';
import type { MaskPreset } from '../../model/case';
import type { Pattern } from '../../text/compilePattern';

/** A pattern of text that is ignored in this project, such as a build number. */
export interface NormalisePattern {
  readonly name: string;
  readonly pattern: Pattern;
}

/** The rules by which a review treats two values as equal. All of them can be set in `tapedeck.toml`. */
export interface NormaliseRules {
  /** Names of mask presets. */
  readonly presets: readonly string[];
  readonly patterns: readonly NormalisePattern[];
  /** Paths that are not compared, from the interaction or artifact, such as `request.params.metadata.*`. */
  readonly ignore: readonly string[];
  /** Token counts within this part of each other are equal: 0.1 is ten per cent. */
  readonly usageTolerance: number;
  /** The same for durations; absent, a duration is never a change. */
  readonly timingTolerance?: number;
}

/** A date in a response may well be its subject, so the preset `date` has to be enabled. */
export const DEFAULT_RULES: NormaliseRules = {
  presets: MASK_PRESETS.map(({ name }) => name).filter((name) => name !== 'date'),
  patterns: [],
  ignore: [],
  usageTolerance: 0,
};

/** Applies normalising rules, and finds out which of them were needed. */
export class Normaliser {
  readonly rules: NormaliseRules;
  readonly #presets: readonly MaskPreset[];
  readonly #ignored: readonly (readonly string[])[];

  constructor(rules: NormaliseRules = DEFAULT_RULES) {
    this.rules = rules;
    this.#presets = MASK_PRESETS.filter(({ name }) => rules.presets.includes(name));
    this.#ignored = rules.ignore.map((path) => path.split('.'));
  }

  /** The text with volatile values replaced. */
  text(text: string): string {
    let normal = text;
    for (const { patterns } of this.#presets)
      for (const [pattern, replacement] of patterns) normal = normal.replace(pattern, replacement);
    for (const { pattern, name } of this.rules.patterns) normal = pattern.replace(normal, `<${name}>`);
    return normal;
  }

  /** A text that is the same for values that are equal under the rules. */
  key(value: Json | undefined): string {
    return value === undefined ? '' : this.text(plainJson(value));
  }

  /** The rules that make two different values equal; undefined if they are not equal. */
  rulesBetween(before: Json | undefined, after: Json | undefined, path: JsonPath): readonly string[] | undefined {
    if (this.ignores(path)) return ['ignored'];
    if (before === undefined || after === undefined) return undefined;
    const old = plainJson(before);
    const now = plainJson(after);
    if (this.text(old) !== this.text(now)) return undefined;
    const presets = this.#presets.filter(({ patterns }) =>
      patterns.some(([pattern]) => `${old.match(pattern)}` !== `${now.match(pattern)}`),
    );
    const patterns = this.rules.patterns.filter(({ pattern }) => found(pattern, old) !== found(pattern, now));
    return [...presets, ...patterns].map(({ name }) => name);
  }

  /** Whether a path is ignored. `*` stands for any one key. */
  ignores(path: JsonPath): boolean {
    return this.#ignored.some(
      (ignored) =>
        ignored.length <= path.length && ignored.every((key, index) => key === '*' || key === String(path[index])),
    );
  }
}

function found(pattern: Pattern, text: string): string {
  return Array.from(pattern.matchAll(text), (match) => match.text).join();
}

/** JSON with literal line breaks: the `n` of an escaped one would be part of the following word. */
function plainJson(value: Json): string {
  return canonicalJson(value).replace(/\\[\\nt]/g, (escaped) => BREAKS[escaped] ?? escaped);
}

const BREAKS: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t' };
