import { type Mask, maskText } from '../match/masks';
import type { NormaliseRules } from '../review/normaliser';
import { tomlString } from '../toml/editToml';
import type { HeldAssertions } from './suggestAssertions';

/** `[normalise]` of `tapedeck.toml`, whole: it stands in the place of the one that is there. */
export function normaliseToml({ presets, patterns, ignore, usageTolerance, timingTolerance }: NormaliseRules): string {
  return lines([
    '[normalise]',
    `presets = ${list(presets)}`,
    ignore.length > 0 && `ignore = ${list(ignore)}`,
    usageTolerance > 0 && `usage_tolerance = ${usageTolerance}`,
    timingTolerance !== undefined && `timing_tolerance = ${timingTolerance}`,
    ...patterns.flatMap(({ name, pattern }) => [
      '[[normalise.patterns]]',
      `name = ${tomlString(name)}`,
      `pattern = ${tomlString(pattern.source)}`,
    ]),
  ]);
}

/** Keys of `[assert]`, without its header. */
export function assertToml({ contains, tool_order: order }: HeldAssertions): string {
  return lines([
    contains !== undefined && `contains = ${tomlString(contains)}`,
    order !== undefined && `tool_order = ${list(order)}`,
  ]);
}

/** `mask` of `[llm.replay]`, without its header: those that are declared, and more. */
export function maskToml(declared: readonly Mask[], more: readonly string[]): string {
  return `mask = ${list([...declared.map(maskText), ...more])}\n`;
}

function list(texts: readonly string[]): string {
  return `[${texts.map(tomlString).join(', ')}]`;
}

function lines(all: readonly (string | false)[]): string {
  return all
    .filter((line) => line !== false)
    .map((line) => `${line}\n`)
    .join('');
}
