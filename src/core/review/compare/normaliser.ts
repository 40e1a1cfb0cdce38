import { canonicalJson } from '../../json/canonicalJson';
import type { Json } from '../../json/json';
import type { JsonPath } from '../../json/jsonPath';
import { MASK_PRESETS } from '../../match/masks';
import type { MaskPreset } from '../../model/case';

/** A text pattern that means nothing in this project, such as a build number. */
export interface NormalisePattern {
  readonly name: string;
  /** Global. */
  readonly pattern: RegExp;
}

/** By what the review takes two values for the same. Everything in it can be set in `tapedeck.toml`. */
export interface NormaliseRules {
  /** Names of mask presets. */
  readonly presets: readonly string[];
  readonly patterns: readonly NormalisePattern[];
  /** Places that are not compared, from the interaction or artifact, as in `request.params.metadata.*`. */
  readonly ignore: readonly string[];
  /** A token count within this part of the other is the same: 0.1 is ten per cent. */
  readonly usageTolerance: number;
  /** The same for durations; absent, a duration is never a change. */
  readonly timingTolerance?: number;
}

/** A date in an answer may well be what the answer is about, so the preset `date` has to be asked for. */
export const DEFAULT_RULES: NormaliseRules = {
  presets: MASK_PRESETS.map(({ name }) => name).filter((name) => name !== 'date'),
  patterns: [],
  ignore: [],
  usageTolerance: 0,
};

/** Applies normalising rules, and says which of them were needed. */
export class Normaliser {
  readonly rules: NormaliseRules;
  readonly #presets: readonly MaskPreset[];
  readonly #ignored: readonly (readonly string[])[];

  constructor(rules: NormaliseRules = DEFAULT_RULES) {
    this.rules = rules;
    this.#presets = MASK_PRESETS.filter(({ name }) => rules.presets.includes(name));
    this.#ignored = rules.ignore.map((path) => path.split('.'));
  }

  /** The text without what differs from recording to recording. */
  text(text: string): string {
    let normal = text;
    for (const { patterns } of this.#presets)
      for (const [pattern, replacement] of patterns) normal = normal.replace(pattern, replacement);
    for (const { pattern, name } of this.rules.patterns) normal = normal.replace(pattern, `<${name}>`);
    return normal;
  }

  /** What equal values have in common, as a text. */
  key(value: Json | undefined): string {
    return value === undefined ? '' : this.text(plainJson(value));
  }

  /** The rules that make two different values the same; undefined when nothing does. */
  rulesBetween(before: Json | undefined, after: Json | undefined, path: JsonPath): readonly string[] | undefined {
    if (this.ignores(path)) return ['ignored'];
    if (before === undefined || after === undefined) return undefined;
    const [old, now] = [plainJson(before), plainJson(after)];
    if (this.text(old) !== this.text(now)) return undefined;
    const needed = [...this.#presets, ...this.rules.patterns].filter((rule) => {
      const patterns = 'patterns' in rule ? rule.patterns.map(([pattern]) => pattern) : [rule.pattern];
      return patterns.some((pattern) => `${old.match(pattern)}` !== `${now.match(pattern)}`);
    });
    return needed.map(({ name }) => name);
  }

  /** Is a place one that is not compared? `*` stands for any one key. */
  ignores(path: JsonPath): boolean {
    return this.#ignored.some(
      (ignored) =>
        ignored.length <= path.length && ignored.every((key, index) => key === '*' || key === String(path[index])),
    );
  }
}

/** JSON with its line breaks as they are: the `n` of an escaped one would belong to the word behind it. */
function plainJson(value: Json): string {
  return canonicalJson(value).replace(/\\[\\nt]/g, (escaped) => BREAKS[escaped] ?? escaped);
}

const BREAKS: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t' };
