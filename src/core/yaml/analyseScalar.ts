import { composePattern } from '../text/pattern';
import { resolvePlain } from './plainScalar';

/** Which characters a writer leaves as they are: ASCII, all of the first plane, or all that can be printed. */
export type UnescapedRange = 'ascii' | 'bmp' | 'all';

/** In which of the styles on a line a text can be written so that every reader of YAML 1.1 and 1.2 gets it back. */
export interface ScalarAnalysis {
  readonly plain: boolean;
  readonly singleQuoted: boolean;
}

/** Characters that can only be escaped: controls, and the line breaks of YAML 1.1, which its readers normalise. */
const UNPRINTABLE = String.raw`[^\n -~\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]`;
const MUST_ESCAPE: Readonly<Record<UnescapedRange, RegExp>> = {
  ascii: /[^\n -~]/,
  bmp: composePattern(`${UNPRINTABLE}|[\\u{10000}-\\u{10ffff}]`, 'u'),
  all: composePattern(UNPRINTABLE, 'u'),
};

/** Whether a text has characters that its writer has to escape, which is only done in double quotes. */
export function needsEscape(text: string, plainness: UnescapedRange): boolean {
  return MUST_ESCAPE[plainness].test(text);
}

/** As libyaml's `yaml_emitter_analyze_scalar` decides, for a value in a block mapping. */
export function analyseScalar(text: string, plainness: UnescapedRange): ScalarAnalysis {
  if (needsEscape(text, plainness)) return { plain: false, singleQuoted: false };
  return {
    plain: !/^ | $|\n/.test(text) && !hasIndicator(text) && !resolvesToOtherType(text),
    singleQuoted: !/ \n|\n /.test(text),
  };
}

/** What would make an unquoted text something else: a mapping, a comment, a tag, the end of a document. */
function hasIndicator(text: string): boolean {
  return /^(?:---|\.\.\.)|^[#,[\]{}&*!|>'"%@`]|^[?:-](?: |$)|:(?: |$)| #/.test(text);
}

const NUMBER_LIKE = /^[-+]?(?:\.?\d[\d_.,:]*(?:[eE][-+]?\d+)?|0[xob][\da-fA-F_]+|\.(?:inf|nan))$/i;
const DATE_LIKE = /^\d{4}-\d\d?-\d\d?(?:$|[Tt \t])/;

/** Numbers, dates, booleans and the like, in any version of YAML. To quote one too many does no harm. */
function resolvesToOtherType(text: string): boolean {
  if (resolvePlain(text).type !== 'string' || /^(?:=|<<|[yYnN])$/.test(text)) return true;
  return NUMBER_LIKE.test(text) || DATE_LIKE.test(text);
}
