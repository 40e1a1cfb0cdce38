import { formatJsonPath } from '../../core/json/jsonPath';
import type { AddedRule } from '../../core/stability/suggestRules';
import { differingTakes, type Variation } from '../../core/stability/variation';
import type { CaseStability } from '../stability/checkStability';
import type { PrintedRule, PrintedVariation, StabilityDocument } from './jsonDocuments';

/** The JSON that `tapedeck stability --help` describes. */
export function stabilityJson({
  name,
  casePath,
  paths,
  failed,
  stability,
}: CaseStability): Omit<StabilityDocument, 'ok'> {
  return {
    name,
    case: casePath,
    takes: paths,
    failed: failed.map(({ take, failure: { kind, message, fix } }) => ({ take, kind, message, ...(fix && { fix }) })),
    ...(stability && {
      stable: stability.varying.length === 0,
      varying: stability.varying.map((variation) => variationJson(variation, stability.takes)),
      hidden: stability.hidden,
      assertions: stability.assertions,
      ...(stability.suggestion && {
        suggestion: {
          rules: stability.suggestion.added.map(ruleJson),
          snippets: stability.suggestion.snippets,
          everywhere: stability.suggestion.everywhere,
          left: stability.suggestion.left.map(({ title }) => title),
        },
      }),
    }),
  };
}

function variationJson(variation: Variation, of: number): PrintedVariation {
  const { title, subject, places, values, isStructural } = variation;
  return {
    title,
    subject,
    places: places.map((place) => ({ ...place, path: formatJsonPath(place.path) })),
    differing: differingTakes(variation),
    of,
    values,
    structural: isStructural,
  };
}

function ruleJson(rule: AddedRule): PrintedRule {
  if (rule.type !== 'pattern') return rule;
  return { type: rule.type, name: rule.pattern.name, pattern: rule.pattern.pattern.source };
}
