import { formatMask } from '../match/masks';
import type { Mask } from '../model/case';
import type { CaseRules } from '../model/normalise';
import { applySplices } from '../text/splice';
import { removeTomlKey, setTomlKey, tomlString } from '../toml/editToml';
import type { HeldAssertions } from './suggestForCase';

/** A piece of TOML to paste. */
export interface Snippet {
  /** `tapedeck.toml`, or the case. */
  readonly file: 'project' | 'case';
  /** As a new table, in place of the existing table, or below its header. */
  readonly how: 'add' | 'replace' | 'below';
  readonly table: string;
  readonly toml: string;
}

/** The whole `[normalise]` table of a file, which replaces an existing one. Without presets, a project has the usual ones, and a case none. */
export function normaliseToml(
  file: Snippet['file'],
  { presets, patterns, ignore, usageTolerance = 0, timingTolerance }: CaseRules,
): string {
  return lines([
    '[normalise]',
    (file === 'project' || presets.length > 0) && `presets = ${list(presets)}`,
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

/** `mask` of `[llm.replay]`, without its header: the declared masks, and more. */
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

/** Inserts a snippet into the text of a TOML file, which must parse. */
export function pasteSnippet(text: string, { how, table, toml }: Snippet): string {
  if (how === 'below')
    return toml
      .trimEnd()
      .split('\n')
      .reduce((now, line) => withKey(now, table, line), text);
  const rest = how === 'replace' ? applySplices(text, removeTomlKey(text, [table])) : text;
  return `${rest.trimEnd()}${rest.trim() === '' ? '' : '\n\n'}${toml}`;
}

/** Sets the key of one line of a snippet. */
function withKey(text: string, table: string, line: string): string {
  const at = line.indexOf(' = ');
  return applySplices(text, [setTomlKey(text, table.split('.'), line.slice(0, at), line.slice(at + 3))]);
}
