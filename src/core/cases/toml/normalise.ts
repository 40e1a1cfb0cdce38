import { MASK_PRESETS } from '../../match/maskPresets';
import type { CaseRules, NormalisePattern } from '../../model/normalise';
import { amount, list, needed, own, type Refusal, table, text, type Value } from '../../schema/schema';
import { compilePattern, isRefused, patternRefusal } from '../../text/compilePattern';
import { message } from '../../text/l10n';

const PATTERN = table(message('Text that a review ignores, such as a build number.'), {
  name: needed(text(message('The name that is shown in place of the text.'))),
  pattern: needed(text(message('A regular expression in the syntax of JavaScript.'), { check: checkPattern })),
});

/** What counts as noise in a review: in `[normalise]` of a case, and of `tapedeck.toml`. */
export const NORMALISE = {
  presets: list(
    text(message('A preset of values that are equal whatever they are.'), {
      enum: MASK_PRESETS.map(({ name }) => name),
      refusal: message('unknown preset: {0}'),
    }),
  ),
  ignore: list(text(message('A path that is ignored, such as request.params.user; `*` stands for any one key.'))),
  usage_tolerance: amount(message('The part by which token counts may differ: 0.1 for 10%.')),
  timing_tolerance: amount(
    message('The part by which durations may differ: 0.5 for 50%. Without it, a duration is never a change.'),
  ),
  patterns: list(PATTERN),
};

/** `[normalise]` of a case. */
export const CASE_NORMALISE = own(
  table(
    message('What counts as noise in a review of this case and its tape, in addition to the rules of the project.'),
    NORMALISE,
  ),
);

/** Why a pattern of a file, in the syntax of JavaScript, is not compiled. */
export function checkPattern(source: string): Refusal | undefined {
  return isRefused(compilePattern(source, 'javascript')) ? patternRefusal(source) : undefined;
}

/** The rules in such a table, without the defaults of a project. */
export function caseRules(normalise: Value<typeof CASE_NORMALISE>): CaseRules {
  const { presets = [], patterns = [], ignore = [], usage_tolerance: usage, timing_tolerance: timing } = normalise;
  return {
    presets,
    patterns: patterns.flatMap(normalisePattern),
    ignore,
    ...(usage !== undefined && { usageTolerance: usage }),
    ...(timing !== undefined && { timingTolerance: timing }),
  };
}

function normalisePattern({ name, pattern: source }: Value<typeof PATTERN>): readonly NormalisePattern[] {
  const pattern = compilePattern(source, 'javascript');
  return isRefused(pattern) ? [] : [{ name, pattern }];
}
