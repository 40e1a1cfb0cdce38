import type { ShownVariation, StabilityReport } from '../../contracts/engine/stability';
import type { Stability } from '../../core/stability/stabilityReport';
import type { Variation } from '../../core/stability/variation';
import { escapeInvisible } from '../../core/text/escapeInvisible';
import { failureText } from '../errors/failures';
import type { CaseStability } from '../stability/checkStability';
import { conclusion, folderOf, hasRules, howOften, stabilitySummary, variationPlace } from './stabilityText';

/** Characters of a value; the takes hold it in full. */
const VALUE_LENGTH = 2000;

/** The stability of a case for the editor's page, with the sentences of the command line's report. */
export function stabilityView(found: CaseStability): StabilityReport {
  const { name, casePath, paths, failed, stability } = found;
  return {
    name,
    casePath,
    takes: paths.length,
    folder: folderOf(paths),
    summary: stabilitySummary(found),
    failed: failed.map(({ take, failure }) => ({ take, message: escapeInvisible(failureText(failure, 'message')) })),
    ...(stability === undefined ? NOTHING : comparedView(stability)),
  };
}

const NOTHING = { varying: [], assertions: [], ignored: [], snippets: [] };

function comparedView({ varying, hidden, assertions, suggestion, takes }: Stability) {
  const { snippets = [], everywhere, left = [] } = suggestion ?? {};
  const rest = suggestion !== undefined && left.length > 0 ? conclusion(left, hasRules(suggestion)) : undefined;
  return {
    varying: varying.map((variation) => shownVariation(variation, takes)),
    assertions: assertions.map(({ kind, expected, held }) => ({ text: `${kind} ${JSON.stringify(expected)}`, held })),
    ignored: Object.entries(hidden).map(([rule, count]) => `${rule} ${count}`),
    snippets,
    ...(everywhere && { everywhere }),
    ...(rest !== undefined && { conclusion: rest }),
  };
}

function shownVariation(variation: Variation, takes: number): ShownVariation {
  const { title, values } = variation;
  return {
    title: escapeInvisible(title),
    place: variationPlace(variation),
    often: howOften(variation, takes),
    values: values.map(({ text, takes: having }) => ({
      text: text === undefined ? null : shortened(text),
      takes: having,
    })),
  };
}

function shortened(text: string): string {
  const shown = escapeInvisible(text);
  return shown.length > VALUE_LENGTH ? `${shown.slice(0, VALUE_LENGTH)}…` : shown;
}
