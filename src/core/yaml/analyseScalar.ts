import { composePattern } from '../text/pattern';
import { resolvePlain } from './plainScalar';

/** The characters that a writer does not escape: ASCII, the basic plane, or everything printable. */
export type UnescapedRange = 'ascii' | 'bmp' | 'all';

/** The single-line styles in which every reader of YAML 1.1 and 1.2 reads a text back unchanged. */
interface ScalarAnalysis {
  readonly plain: boolean;
  readonly singleQuoted: boolean;
}

/** Characters that must be escaped: controls, and the line breaks of YAML 1.1, which readers normalise. */
const UNPRINTABLE = String.raw`[^\n -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]`;
const MUST_ESCAPE: Readonly<Record<UnescapedRange, RegExp>> = {
  ascii: /[^\n -~]/,
  bmp: composePattern(`${UNPRINTABLE}|[\\u{10000}-\\u{10ffff}]`, 'u'),
  all: composePattern(UNPRINTABLE, 'u'),
};

/** Whether a text has characters that the writer escapes, which requires double quotes. */
export function needsEscape(text: string, plainness: UnescapedRange): boolean {
  return MUST_ESCAPE[plainness].test(text);
}

/** Decides as libyaml's `yaml_emitter_analyze_scalar` does for a value in a block mapping. */
export function analyseScalar(text: string, plainness: UnescapedRange): ScalarAnalysis {
  if (needsEscape(text, plainness)) return { plain: false, singleQuoted: false };
  return {
    plain: !/^ | $|\n/.test(text) && !hasIndicator(text) && !resolvesToOtherType(text),
    singleQuoted: !/ \n|\n /.test(text),
  };
}

/** Text that would have a meaning unquoted: a mapping, a comment, a tag, the end of a document. */
function hasIndicator(text: string): boolean {
  return /^(?:---|\.\.\.)|^[#,[\]{}&*!|>'"%@`]|^[?:-](?: |$)|:(?: |$)| #/.test(text);
}

const NUMBER_LIKE = /^[-+]?(?:\.?\d[\d_.,:]*(?:[eE][-+]?\d+)?|0[xob][\da-fA-F_]+|\.(?:inf|nan))$/i;
const DATE_LIKE = /^\d{4}-\d\d?-\d\d?(?:$|[Tt \t])/;

/** Numbers, dates, booleans and the like, in any version of YAML. Quoting too much does no harm. */
function resolvesToOtherType(text: string): boolean {
  if (resolvePlain(text).type !== 'string' || /^(?:=|<<|[yYnN])$/.test(text)) return true;
  return NUMBER_LIKE.test(text) || DATE_LIKE.test(text);
}
