import { readCase } from '../cases/toml/readCase';
import { valueAt } from '../json/jsonPath';
import type { CaseRules, NormaliseRules } from '../model/normalise';
import { joinCaseRules, withCaseRules } from '../review/caseRules';
import { Normaliser } from '../review/compare/normaliser';
import type { TapeFormat } from '../tapes/format';
import { readToml } from '../toml/readToml';
import { assertToml, maskToml, normaliseToml, type Snippet } from './snippets';
import { suggestAssertions, suggestMasks } from './suggestForCase';
import { type AddedRule, rulesOf, suggestRules } from './suggestRules';
import { type ComparedTake, type Variation, variationsIn } from './variation';

/** The variation between several recordings of a case, and rules under which they would be equal. */
export interface Stability {
  readonly takes: number;
  readonly varying: readonly Variation[];
  /** The number of variations that each configured rule ignored. */
  readonly hidden: Readonly<Record<string, number>>;
  /** Each assertion of the case, with the number of takes in which it held. */
  readonly assertions: readonly { readonly kind: string; readonly expected: unknown; readonly held: number }[];
  readonly suggestion?: Suggestion;
}

export interface Suggestion {
  readonly added: readonly AddedRule[];
  /** What to paste, for this case alone. */
  readonly snippets: readonly Snippet[];
  /** The same rules for the whole project, in place of those for the case; absent where none are added. */
  readonly everywhere?: ProjectSuggestion;
  /** Variations that remain with the suggestion: different behaviour of the agent. */
  readonly left: readonly Variation[];
}

/** Rules for every case of a project. */
export interface ProjectSuggestion {
  readonly snippet: Snippet;
  /** How many cases they hold for. */
  readonly cases: number;
}

/** The current rules, and for what they hold. */
interface StabilityContext {
  /** Those of the project. */
  readonly rules: NormaliseRules;
  readonly hasRules: boolean;
  /** How many cases the project has. */
  readonly cases: number;
  /** The text of a TOML case; other kinds take no rules, assertions, or masks. */
  readonly caseText?: string;
  readonly format: Pick<TapeFormat, 'storedFields'>;
}

export function stabilityOf(takes: readonly ComparedTake[], context: StabilityContext): Stability {
  const own = context.caseText === undefined ? undefined : readCase(context.caseText).value?.normalise;
  const rules = withCaseRules(context.rules, own);
  const { varying, hidden } = variationsIn(takes, new Normaliser(rules));
  const suggestion = suggest(takes, rules, context, varying);
  return {
    takes: takes.length,
    varying,
    hidden,
    assertions: heldAssertions(takes),
    suggestion,
  };
}

function heldAssertions(takes: readonly ComparedTake[]): Stability['assertions'] {
  const [first] = takes;
  return (first?.artifact.assertions ?? []).map(({ kind, expected }, index) => ({
    kind,
    expected,
    held: takes.filter(({ artifact }) => artifact.assertions[index]?.passed).length,
  }));
}

function suggest(
  takes: readonly ComparedTake[],
  rules: NormaliseRules,
  context: StabilityContext,
  varying: readonly Variation[],
): Suggestion | undefined {
  const { added, left } = suggestRules(takes, rules);
  const snippets = caseSnippets(takes, added, context);
  if (varying.length + snippets.length === 0) return undefined;
  return { added, snippets, ...(added.length > 0 && { everywhere: forProject(added, context) }), left };
}

function forProject(added: readonly AddedRule[], { rules, hasRules, cases }: StabilityContext): ProjectSuggestion {
  const toml = normaliseToml('project', withCaseRules(rules, rulesOf(added)));
  return { snippet: { file: 'project', how: hasRules ? 'replace' : 'add', table: 'normalise', toml }, cases };
}

function caseSnippets(
  takes: readonly ComparedTake[],
  added: readonly AddedRule[],
  { caseText: text, format }: StabilityContext,
): readonly Snippet[] {
  const value = text === undefined ? undefined : readCase(text).value;
  if (text === undefined || value === undefined) return [];
  const known = new Set(value.assertions.map(({ kind }) => kind));
  // Some output or behaviour of the agent would no longer be compared.
  const isUnheld = added.some(({ type }) => type === 'ignore');
  const { contains, tool_order: order } = isUnheld ? suggestAssertions(takes) : {};
  const assertions = assertToml({
    ...(contains !== undefined && !known.has('contains') && { contains }),
    ...(order !== undefined && !known.has('tool_order') && !known.has('tool_called') && { tool_order: order }),
  });
  const declared = value.llm.replay?.masks ?? [];
  const masks = suggestMasks(
    takes.map(({ tape }) => tape),
    format,
    declared,
  );
  return [
    ...(added.length === 0 ? [] : [ruleSnippet(added, value.normalise)]),
    ...(assertions === '' ? [] : [tableSnippet(text, ['assert'], assertions)]),
    ...(masks.length === 0 ? [] : [tableSnippet(text, ['llm', 'replay'], maskToml(declared, masks))]),
  ];
}

function ruleSnippet(added: readonly AddedRule[], own: CaseRules | undefined): Snippet {
  const more = rulesOf(added);
  const toml = normaliseToml('case', own === undefined ? more : joinCaseRules(own, more));
  return { file: 'case', how: own === undefined ? 'add' : 'replace', table: 'normalise', toml };
}

function tableSnippet(text: string, path: readonly string[], keys: string): Snippet {
  const hasTable = valueAt(readToml(text).value?.root, path) !== undefined;
  const table = path.join('.');
  return { file: 'case', how: hasTable ? 'below' : 'add', table, toml: hasTable ? keys : `[${table}]\n${keys}` };
}
