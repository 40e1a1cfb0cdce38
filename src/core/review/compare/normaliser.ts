import { canonicalJson } from '../../json/canonicalJson';
import type { Json } from '../../json/json';
import type { JsonPath } from '../../json/jsonPath';
import { MASK_PRESETS } from '../../match/maskPresets';
import type { MaskPreset } from '../../model/case';
import type { NormaliseRules } from '../../model/normalise';
import type { Pattern } from '../../text/compilePattern';

/** A date or a duration in a prompt may well be its subject, so their presets have to be enabled. */
export const DEFAULT_RULES: NormaliseRules = {
  presets: MASK_PRESETS.map(({ name }) => name).filter((name) => name !== 'date' && name !== 'duration'),
  patterns: [],
  ignore: [],
  usageTolerance: 0,
};

/** A value in a text that has the shape of a generated one. */
export interface ShapedValue {
  /** The preset that describes the shape. */
  readonly preset: string;
  readonly text: string;
  /** The text right before it. */
  readonly lead: string;
}

/** A text with its shaped values replaced by the names of their presets. */
interface ShapedText {
  readonly skeleton: string;
  /** By preset, then in order. */
  readonly values: readonly ShapedValue[];
}

const LEAD = 24;

/** Applies normalising rules to texts. `noise.ts` decides where a rule holds. */
export class Normaliser {
  readonly rules: NormaliseRules;
  readonly #presets: readonly MaskPreset[];
  readonly #ignored: readonly (readonly string[])[];

  constructor(rules: NormaliseRules = DEFAULT_RULES) {
    this.rules = rules;
    this.#presets = MASK_PRESETS.filter(({ name }) => rules.presets.includes(name));
    this.#ignored = rules.ignore.map((path) => path.split('.'));
  }

  /** The text with all values of a volatile shape replaced, for recognising what is alike. */
  text(text: string): string {
    let normal = text;
    for (const { patterns } of this.#presets)
      for (const [pattern, replacement] of patterns) normal = normal.replace(pattern, replacement);
    return this.withoutPatterns(normal);
  }

  /** A text that is the same for values that are alike. */
  key(value: Json | undefined): string {
    return value === undefined ? '' : this.text(plainJson(value));
  }

  /** The text with what the project's own patterns match replaced. */
  withoutPatterns(text: string): string {
    let normal = text;
    for (const { pattern, name } of this.rules.patterns) normal = pattern.replace(normal, `<${name}>`);
    return normal;
  }

  /** The project's patterns that match other text on one side than on the other. */
  differingPatterns(old: string, now: string): readonly string[] {
    const differing = this.rules.patterns.filter(({ pattern }) => found(pattern, old) !== found(pattern, now));
    return differing.map(({ name }) => name);
  }

  /** The values in a text that have a volatile shape; those that `isReplaced` rejects stay in the skeleton. */
  shaped(text: string, isReplaced: (value: ShapedValue) => boolean = () => true): ShapedText {
    const values: ShapedValue[] = [];
    let skeleton = text;
    for (const { name, patterns } of this.#presets)
      for (const [pattern] of patterns)
        skeleton = skeleton.replace(pattern, (match: string, ...more: readonly unknown[]) => {
          const at = Number(more.find((one) => typeof one === 'number'));
          const value = { preset: name, text: match, lead: skeleton.slice(Math.max(0, at - LEAD), at) };
          if (!isReplaced(value)) return match;
          values.push(value);
          return `<${name}>`;
        });
    return { skeleton, values };
  }

  hasPreset(name: string): boolean {
    return this.#presets.some((preset) => preset.name === name);
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
export function plainJson(value: Json): string {
  return canonicalJson(value).replace(/\\[\\nt]/g, (escaped) => BREAKS[escaped] ?? escaped);
}

const BREAKS: Readonly<Record<string, string>> = { '\\n': '\n', '\\t': '\t' };
