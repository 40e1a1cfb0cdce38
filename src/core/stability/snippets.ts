import { formatMask } from '../match/masks';
import type { Mask } from '../model/case';
import type { NormaliseRules } from '../review/compare/normaliser';
import { applySplices } from '../text/splice';
import { removeTomlKey, setTomlKey, tomlString } from '../toml/editToml';
import type { HeldAssertions } from './suggestForCase';

/** A piece of TOML to paste. */
export interface Snippet {
  /** `tapedeck.toml`, or the case. */
  readonly file: 'project' | 'case';
  /** Where: as a table of its own, in the place of the table that is there, or below its header. */
  readonly how: 'add' | 'replace' | 'below';
  readonly table: string;
  readonly toml: string;
}

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
  return `mask = ${list([...declared.map(formatMask), ...more])}\n`;
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

/** The text of a TOML file, which must parse, with a snippet in its place. */
export function pasteSnippet(text: string, { how, table, toml }: Snippet): string {
  if (how === 'below')
    return toml
      .trimEnd()
      .split('\n')
      .reduce((now, line) => withKey(now, table, line), text);
  const rest = how === 'replace' ? applySplices(text, removeTomlKey(text, [table])) : text;
  return `${rest.trimEnd()}${rest.trim() === '' ? '' : '\n\n'}${toml}`;
}

/** A line of a snippet is a key with its value. */
function withKey(text: string, table: string, line: string): string {
  const at = line.indexOf(' = ');
  return applySplices(text, [setTomlKey(text, table.split('.'), line.slice(0, at), line.slice(at + 3))]);
}
