import { formatJsonPath } from '../../core/json/jsonPath';
import { CONFIG_FILE } from '../../core/project/layout';
import type { Snippet } from '../../core/stability/snippets';
import type { ProjectSuggestion, Stability, Suggestion } from '../../core/stability/stabilityReport';
import { differingTakes, type Variation } from '../../core/stability/variation';
import { grouped } from '../../core/text/counts';
import { escapeInvisible, indentLines } from '../../core/text/escapeInvisible';
import { joinedByCommas } from '../../core/text/joinedByCommas';
import { t } from '../../core/text/l10n';
import type { CaseStability } from '../stability/checkStability';
import type { Paint } from '../terminal/paint';
import { quantity } from '../terminal/visibleText';

/** The most values that are listed for one variation. */
const MOST_VALUES = 3;
const QUOTED_LENGTH = 90;

/** The variations, how often each occurs, and rules to paste that ignore them. */
export function stabilityText({ name, casePath, failed, stability, paths }: CaseStability, paint: Paint): string {
  const failures = failed.map(({ take, failure }) => `  take ${take + 1} failed: ${escapeInvisible(failure.message)}`);
  const head = `${paint.bold(escapeInvisible(name))}: ${quantity(paths.length, 'take')}, in ${folderOf(paths)}`;
  const body = stability === undefined ? ['  There is nothing to compare.'] : bodyText(stability, casePath, paint);
  return `${[head, ...failures, ...body].join('\n')}\n`;
}

/** The outcome in one sentence. */
export function stabilitySummary({ name, failed, stability }: CaseStability): string {
  const broken = failed.length === 0 ? '' : ` ${quantity(failed.length, 'take')} failed.`;
  if (stability === undefined) return `${name}: there is nothing to compare.${broken}`;
  const { varying, takes, suggestion } = stability;
  if (varying.length === 0) return `${name}: equal in ${quantity(takes, 'take')}.${broken}`;
  const hint = suggestion?.left.length === 0 ? ' The report suggests rules that make the takes equal.' : '';
  return `${name}: ${quantity(varying.length, 'thing')} var${varying.length === 1 ? 'ies' : 'y'} in ${quantity(takes, 'take')}.${hint}${broken}`;
}

/** The folder that the takes are in. */
export function folderOf([path = '']: readonly string[]): string {
  return path.replace(/\/take-\d+\/[^/]*$/, '');
}

function bodyText(stability: Stability, casePath: string, paint: Paint): readonly string[] {
  const { varying, hidden, assertions, suggestion, takes } = stability;
  const rules = Object.entries(hidden).map(([rule, count]) => `${rule} ${count}`);
  const broken = assertions.filter(({ held }) => held < takes);
  return [
    ...(varying.length === 0
      ? [`  ${paint.green('Equal in all takes')}, by the rules of the project and the case.`]
      : []),
    ...varying.flatMap((variation) => variationText(variation, takes, paint)),
    ...broken.map(
      ({ kind, expected, held }) => `  assertion ${kind} ${JSON.stringify(expected)} held in ${held} of ${takes}`,
    ),
    ...(rules.length > 0 ? [paint.dim(`  ignored by rules: ${rules.join(', ')}`)] : []),
    ...(suggestion === undefined ? [] : suggestionText(suggestion, casePath)),
  ];
}

function suggestionText(suggestion: Suggestion, casePath: string): readonly string[] {
  const { snippets, everywhere, left } = suggestion;
  const isForCase = snippets.some(({ table }) => table === 'normalise');
  const project = everywhere === undefined || isForCase ? [] : projectText(everywhere);
  return [
    ...project,
    ...snippets.flatMap((snippet) => snippetText(snippet, casePath)),
    '',
    conclusion(left, hasRules(suggestion)),
    ...(everywhere !== undefined && isForCase
      ? [`In ${CONFIG_FILE}, the same rules would apply to ${everyCase(everywhere)}.`]
      : []),
  ];
}

/** Whether anything is proposed. */
export function hasRules({ snippets, everywhere }: Suggestion): boolean {
  return snippets.length > 0 || everywhere !== undefined;
}

function projectText({ snippet, cases }: ProjectSuggestion): readonly string[] {
  const [, place = '', ...rest] = snippetText(snippet, '');
  return ['', place.replace(/:$/, `, for ${everyCase({ cases })}:`), ...rest];
}

function everyCase({ cases }: Pick<ProjectSuggestion, 'cases'>): string {
  return cases === 1 ? 'the only case of the project' : `all ${quantity(cases, 'case')} of the project`;
}

function variationText(variation: Variation, takes: number, paint: Paint): readonly string[] {
  const { title, values } = variation;
  const shown = values.slice(0, MOST_VALUES).map(({ text, takes: having }) => {
    const quoted = text === undefined ? 'absent' : firstLine(text);
    return paint.dim(`    ${having.length} × ${quoted}`);
  });
  const more = values.length - shown.length;
  return [
    `  ${paint.bold(escapeInvisible(title))} · ${variationPlace(variation)}: ${howOften(variation, takes)}`,
    ...shown,
    ...(more > 0 ? [paint.dim(`    … and ${quantity(more, 'other value')}`)] : []),
  ];
}

/** Such as "interaction 1, also in output_text". */
export function variationPlace({ places }: Variation): string {
  const [place] = places;
  const where = place?.interaction === undefined ? t('the run') : t('interaction {0}', place.interaction + 1);
  return places.length > 1
    ? t('{0}, also in {1}', where, joinedByCommas([...new Set(places.slice(1).map(placeText))]))
    : where;
}

export function howOften(variation: Variation, takes: number): string {
  return variation.values.length === takes
    ? t('different in all {0} takes', grouped(takes))
    : t('differs in {0} of {1} takes', grouped(differingTakes(variation)), grouped(takes));
}

function placeText({ interaction, path }: Variation['places'][number]): string {
  return interaction === undefined ? formatJsonPath(path) : t('interaction {0}', interaction + 1);
}

function firstLine(text: string): string {
  const line = escapeInvisible(text).replace(/\s+/g, ' ').trim();
  return line.length > QUOTED_LENGTH ? `${line.slice(0, QUOTED_LENGTH)}…` : line;
}

function snippetText({ file, how, table, toml }: Snippet, casePath: string): readonly string[] {
  const name = file === 'project' ? CONFIG_FILE : casePath;
  const places = {
    add: `Add to ${name}:`,
    replace: `In ${name}, instead of [${table}]:`,
    below: `In ${name}, below [${table}]:`,
  };
  return ['', places[how], '', indentLines(toml.trimEnd(), '  ')];
}

/** What the rules do, and what they do not cover. */
export function conclusion(left: readonly Variation[], hasSnippets: boolean): string {
  if (left.length === 0) return t('With these rules, all takes compare as equal.');
  const which = joinedByCommas([...new Set(left.map(({ title }) => escapeInvisible(title)))]);
  return hasSnippets
    ? t(
        'Still different with these rules: {0}. The agent or its model behaves differently each time: a temperature of 0 or a seed may stabilise it.',
        which,
      )
    : t(
        'No rule covers: {0}. The agent or its model behaves differently each time: a temperature of 0 or a seed may stabilise it.',
        which,
      );
}
