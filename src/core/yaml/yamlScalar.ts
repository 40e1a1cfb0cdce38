import { doubleQuoted, isPythonDoubleQuoted, pythonDoubleQuoted } from './doubleQuoted';
import { type FoldingPlace, FoldingWriter } from './foldingWriter';
import { analyseScalar, hasSpecial, type Plainness } from './scalarAnalysis';

/** Where a scalar stands, and how its writer lays it out. */
export interface ScalarPlace extends FoldingPlace {
  /** How many columns of the indentation are beyond that of the parent: 2 unless it is said. */
  readonly step?: number;
  /** What the writer does not escape; more, where the replaced token has more. */
  readonly plainness?: Plainness;
  /** How the file ends its lines. */
  readonly lineEnd?: string;
}

/**
 * A string as a YAML scalar, in the style of the token it replaces, or else in the next one that can represent it:
 * plain, single-quoted, double-quoted. A block stays a block. Lines are broken as libyaml breaks them, of which PyYAML,
 * Psych, R's `yaml`, yaml.v3 and serde_yaml are made or from which they descend. Tokens come without their tag, and a
 * block with the line feed that ends it.
 */
export function writeYamlString(value: string, replaced: string, place: ScalarPlace): string {
  return withLineEnds(styled(value, replaced, place), place.lineEnd);
}

/** Base64 as the scalar of a `!!binary`, wrapped as the token it replaces, or at `columns` where that is one line. */
export function writeYamlBinary(base64: string, replaced: string, place: ScalarPlace, columns: number): string {
  const quote = /^["']/.exec(replaced)?.[0];
  const [header = '', ...lines] = replaced.trimEnd().split(/\r?\n/);
  if (!/^[|>]/.test(header)) return quote === undefined ? base64 : quote + base64 + quote;
  // The first line may be blank: what is wrapped at nothing has no end.
  const wrapped = wrap(base64, (lines.length > 1 && lines[0]?.trim().length) || columns);
  return withLineEnds(
    `${[header, ...wrapped.map((line) => ' '.repeat(place.indent) + line)].join('\n')}\n`,
    place.lineEnd,
  );
}

function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += columns) lines.push(text.slice(at, at + columns));
  return lines;
}

function withLineEnds(token: string, lineEnd = '\n'): string {
  return lineEnd === '\n' ? token : token.replaceAll('\n', lineEnd);
}

function styled(value: string, replaced: string, place: ScalarPlace): string {
  const plainness = plainnessOf(replaced, place.plainness);
  if (/^[|>]/.test(replaced)) {
    // libyaml counts a tab as special; other writers do not.
    const printed = replaced.includes('\t') ? value.replaceAll('\t', '') : value;
    // A block of nothing but spaces has no indentation that could be told from them; some readers lose a last line of spaces.
    return /[^ \n]/.test(value) && !/\n +\n*$/.test(value) && !hasSpecial(printed, plainness)
      ? literal(value, replaced, place)
      : `${doubleQuoted(value, plainness, place)}\n`;
  }
  const { plain, singleQuoted } = analyseScalar(value, plainness);
  if (plain && !/^["']/.test(replaced)) return folded(value, '', place);
  if (singleQuoted && !replaced.startsWith('"')) return folded(value, "'", place);
  return isPythonDoubleQuoted(replaced)
    ? pythonDoubleQuoted(value, plainness, place)
    : doubleQuoted(value, plainness, place);
}

/** What the replaced token leaves as it is counts, and then what its writer is known for. */
function plainnessOf(replaced: string, known: Plainness | undefined): Plainness {
  if (/[\u{10000}-\u{10ffff}]/u.test(replaced)) return 'all';
  if (known === undefined) return /^".*\\[uUx]/s.test(replaced) && !hasSpecial(replaced, 'ascii') ? 'ascii' : 'all';
  return known === 'ascii' && /[\u00a0-\uffff]/.test(replaced) ? 'bmp' : known;
}

/** `yaml_emitter_write_literal_scalar`. */
function literal(value: string, replaced: string, { indent, step = 2 }: ScalarPlace): string {
  const [, hinted = ''] = /^[|>][-+]?(\d?)/.exec(replaced) ?? [];
  const hint = /^[ \n]/.test(value) ? hinted || step : hinted;
  const chomping = !value.endsWith('\n') ? '-' : /(?:^|\n)\n$/.test(value) ? '+' : '';
  const lines = value.replace(/^(?=[^\n])/gm, ' '.repeat(indent));
  return `|${hint}${chomping}\n${lines}${chomping === '-' ? '\n' : ''}`;
}

/** `yaml_emitter_write_plain_scalar` and `yaml_emitter_write_single_quoted_scalar`. */
function folded(value: string, quote: string, place: ScalarPlace): string {
  const writer = new FoldingWriter(place);
  writer.put(quote);
  for (const { 0: run, index } of value.matchAll(/ +|\n+|[^ \n]+/g)) {
    const inside = index > 0 && index + run.length < value.length;
    if (run === ' ' && inside && writer.isBeyondWidth()) writer.breakLine();
    else if (run.startsWith('\n')) writer.breakLine(`\n${run}`);
    else writer.put(quote === '' ? run : run.replaceAll("'", "''"));
  }
  writer.put(quote);
  return writer.text;
}
