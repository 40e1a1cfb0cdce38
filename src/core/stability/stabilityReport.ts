import { readCase } from '../cases/toml/readCase';
import { valueAt } from '../json/jsonPath';
import { type NormaliseRules, Normaliser } from '../review/compare/normaliser';
import type { TapeFormat } from '../tapes/format';
import { readToml } from '../toml/readToml';
import { assertToml, maskToml, normaliseToml, type Snippet } from './snippets';
import { suggestAssertions, suggestMasks } from './suggestForCase';
import { type AddedRule, suggestRules } from './suggestRules';
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
  readonly snippets: readonly Snippet[];
  /** Variations that remain with the suggestion: different behaviour of the agent. */
  readonly left: readonly Variation[];
}

/** The current rules of the project and the case. */
export interface StabilityContext {
  readonly rules: NormaliseRules;
  readonly hasRules: boolean;
  /** The text of a TOML case; other kinds take no assertions or masks. */
  readonly caseText?: string;
  readonly format: Pick<TapeFormat, 'storedFields'>;
}

export function stabilityOf(takes: readonly ComparedTake[], context: StabilityContext): Stability {
  const { varying, hidden } = variationsIn(takes, new Normaliser(context.rules));
  const suggestion = suggest(takes, context, varying);
  return {
    takes: takes.length,
    varying,
    hidden,
    assertions: heldAssertions(takes),
    ...(suggestion && { suggestion }),
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
  { rules, hasRules, caseText, format }: StabilityContext,
  varying: readonly Variation[],
): Suggestion | undefined {
  const { added, rules: all, left } = suggestRules(takes, rules);
  const how = hasRules ? 'replace' : 'add';
  const project: Snippet[] =
    added.length === 0 ? [] : [{ file: 'project', how, table: 'normalise', toml: normaliseToml(all) }];
  const isUnheld = added.some(({ type }) => type === 'ignore');
  const snippets = [...project, ...caseSnippets(takes, caseText, format, isUnheld)];
  return varying.length + snippets.length === 0 ? undefined : { added, snippets, left };
}

/** @param isUnheld Some output or behaviour of the agent would no longer be compared. */
function caseSnippets(
  takes: readonly ComparedTake[],
  text: string | undefined,
  format: Pick<TapeFormat, 'storedFields'>,
  isUnheld: boolean,
): readonly Snippet[] {
  const value = text === undefined ? undefined : readCase(text).value;
  if (text === undefined || value === undefined) return [];
  const known = new Set(value.assertions.map(({ kind }) => kind));
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
    ...(assertions === '' ? [] : [tableSnippet(text, ['assert'], assertions)]),
    ...(masks.length === 0 ? [] : [tableSnippet(text, ['llm', 'replay'], maskToml(declared, masks))]),
  ];
}

function tableSnippet(text: string, path: readonly string[], keys: string): Snippet {
  const hasTable = valueAt(readToml(text).value?.root, path) !== undefined;
  const table = path.join('.');
  return { file: 'case', how: hasTable ? 'below' : 'add', table, toml: hasTable ? keys : `[${table}]\n${keys}` };
}
