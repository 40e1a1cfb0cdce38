import type { JsonPath } from '../json/jsonPath';
import { MASK_PRESETS } from '../match/maskPresets';
import { volatilePatterns } from '../match/volatilePattern';
import type { CaseRules, NormalisePattern, NormaliseRules } from '../model/normalise';
import { withCaseRules } from '../review/caseRules';
import { Normaliser } from '../review/compare/normaliser';
import { type ComparedTake, type Variation, type VariationPlace, variationsIn } from './variation';

/** A rule to add. */
export type AddedRule =
  | { readonly type: 'preset'; readonly name: string }
  | { readonly type: 'pattern'; readonly pattern: NormalisePattern }
  | { readonly type: 'usage_tolerance'; readonly part: number }
  /** A path that is not compared, with `*` for any item of a list. */
  | { readonly type: 'ignore'; readonly path: string };

interface RuleSuggestion {
  readonly added: readonly AddedRule[];
  /** The variations that remain. */
  readonly left: readonly Variation[];
}

/** The largest tolerance to suggest; token counts that differ by more are ignored instead. */
const MAX_TOLERANCE = 0.5;

/**
 * The fewest rules under which several takes are equal, the narrowest first: presets, patterns, a tolerance for tokens, and
 * only then ignored paths. No rule is suggested for different behaviour of the agent.
 */
export function suggestRules(takes: readonly ComparedTake[], rules: NormaliseRules): RuleSuggestion {
  const left = (added: readonly AddedRule[]) =>
    variationsIn(takes, new Normaliser(withCaseRules(rules, rulesOf(added)))).varying;
  if (left([]).length === 0) return { added: [], left: [] };
  const precise = needed(preciseRules(rules, left), (added) => left(added).length);
  const texts = wideRules(left(precise));
  // Token counts are reported with their text, and on their own once the text is ignored.
  const counts = wideRules(left([...precise, ...texts]));
  const wide = needed([...precise, ...texts, ...counts], (added) => left(added).length);
  return { added: wide, left: left(wide) };
}

/** Every preset that is not in use, for what the model is given, and patterns for generated words that still differ. */
function preciseRules(
  rules: NormaliseRules,
  left: (added: readonly AddedRule[]) => readonly Variation[],
): readonly AddedRule[] {
  const unused = MASK_PRESETS.filter(({ name }) => !rules.presets.includes(name));
  const presets = unused.map(({ name }): AddedRule => ({ type: 'preset', name }));
  const normaliser = new Normaliser(withCaseRules(rules, rulesOf(presets)));
  const patterns = left(presets).flatMap(({ values, isStructural }) =>
    isStructural ? [] : volatilePatterns(values.map(({ text = '' }) => normaliser.withoutPatterns(text))),
  );
  const distinct = new Map(patterns.map((pattern) => [pattern.pattern.source, pattern]));
  return [...presets, ...[...distinct.values()].map((pattern): AddedRule => ({ type: 'pattern', pattern }))];
}

function wideRules(varying: readonly Variation[]): readonly AddedRule[] {
  const tolerances = varying.filter(({ subject }) => subject === 'usage').map(usageTolerance);
  const part = Math.max(0, ...tolerances.filter((tolerance) => tolerance <= MAX_TOLERANCE));
  const places = varying.filter((one) => isIgnorable(one, part)).flatMap((one) => one.places);
  const paths = [...new Set(places.map(ignoredPath))];
  return [
    ...(part > 0 ? [{ type: 'usage_tolerance', part } as const] : []),
    ...paths.map((path): AddedRule => ({ type: 'ignore', path })),
  ];
}

const TEXT_SUBJECTS: readonly Variation['subject'][] = ['text', 'reasoning', 'arguments', 'tool result'];

/** Whether a variation may be ignored: output and counts of a model may, requests of the agent should be stabilised. */
function isIgnorable(variation: Variation, tolerated: number): boolean {
  const { subject, places, isStructural } = variation;
  if (isStructural) return false;
  if (subject === 'usage') return usageTolerance(variation) > tolerated;
  const isEcho = places.every((place) => place.in === 'run' && REPEATED.includes(String(place.path[0])));
  return isEcho || (TEXT_SUBJECTS.includes(subject) && places.every(isResponse));
}

/** Fields of an artifact that repeat the tape. */
const REPEATED = ['llm_request', 'llm_response', 'session_snapshot'];

function isResponse(place: VariationPlace): boolean {
  return place.in === 'run' ? place.path[0] !== 'workspace_before' : place.path[0] === 'response';
}

function ignoredPath({ path }: { readonly path: JsonPath }): string {
  return path.map((key) => (typeof key === 'number' ? '*' : key)).join('.');
}

/** The largest relative difference of the counts, rounded up to a multiple of 0.05. */
function usageTolerance({ values }: Variation): number {
  const counts = values.map(({ text = '{}' }) => JSON.parse(text) as Readonly<Record<string, unknown>>);
  const keys = [...new Set(counts.flatMap((count) => Object.keys(count)))];
  const parts = keys.map((key) => {
    const numbers = counts.map((count) => count[key]).filter((value) => typeof value === 'number');
    if (numbers.length < counts.length) return Number.POSITIVE_INFINITY;
    const most = Math.max(...numbers);
    return most === 0 ? 0 : (most - Math.min(...numbers)) / most;
  });
  return Math.ceil(Math.max(0, ...parts) * 20 - 1e-9) / 20;
}

/** The rules without which more would vary. Later rules, which ignore more, are dropped first. */
function needed(all: readonly AddedRule[], count: (added: readonly AddedRule[]) => number): readonly AddedRule[] {
  const least = count(all);
  return all.reduceRight<readonly AddedRule[]>((kept, rule) => {
    const without = kept.filter((other) => other !== rule);
    return count(without) === least ? without : kept;
  }, all);
}

/** The rules to add, as a case has them. */
export function rulesOf(added: readonly AddedRule[]): CaseRules {
  const tolerances = added.flatMap((rule) => (rule.type === 'usage_tolerance' ? [rule.part] : []));
  return {
    presets: added.flatMap((rule) => (rule.type === 'preset' ? [rule.name] : [])),
    patterns: added.flatMap((rule) => (rule.type === 'pattern' ? [rule.pattern] : [])),
    ignore: added.flatMap((rule) => (rule.type === 'ignore' ? [rule.path] : [])),
    ...(tolerances.length > 0 && { usageTolerance: Math.max(...tolerances) }),
  };
}
