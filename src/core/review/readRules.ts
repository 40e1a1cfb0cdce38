import type { Fields } from '../cases/fields';
import { PRESETS } from '../match/maskPresets';
import { DEFAULT_RULES, type NormalisePattern, type NormaliseRules } from './normaliser';

/** `[normalise]` of `tapedeck.toml`: what the review takes for the same. */
export function readRules(normalise: Fields | undefined): NormaliseRules {
  if (normalise === undefined) return DEFAULT_RULES;
  const timing = tolerance(normalise, 'timing_tolerance');
  return {
    presets: normalise.has('presets') ? readPresets(normalise) : DEFAULT_RULES.presets,
    patterns: normalise.tables('patterns').flatMap(readPattern),
    ignore: normalise.texts('ignore'),
    usageTolerance: tolerance(normalise, 'usage_tolerance') ?? DEFAULT_RULES.usageTolerance,
    ...(timing !== undefined && { timingTolerance: timing }),
  };
}

function readPresets(normalise: Fields): readonly string[] {
  const known = PRESETS.map(({ name }) => name);
  const wanted = normalise.texts('presets');
  for (const name of wanted)
    if (!known.includes(name))
      normalise.report(`there is no preset ${name}`, `Use some of: ${known.join(', ')}.`, 'presets');
  return wanted.filter((name) => known.includes(name));
}

function readPattern(table: Fields): readonly NormalisePattern[] {
  const [name, source] = [table.requiredText('name'), table.requiredText('pattern')];
  try {
    return [{ name, pattern: new RegExp(source, 'g') }];
  } catch {
    table.report(`this is no regular expression: ${source}`, 'Correct it.', 'pattern');
    return [];
  }
}

/** A part of the value, such as 0.1 for ten per cent. */
function tolerance(normalise: Fields, key: string): number | undefined {
  const value = normalise.json(key);
  if (value === undefined || (typeof value === 'number' && value >= 0)) return value;
  normalise.report(`\`${key}\` must be a number of at least 0`, 'Use 0.1 for ten per cent.', key);
  return undefined;
}
