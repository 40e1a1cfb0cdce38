import { type JsonOutline, jsonOutline, looksLikeJson } from '../../../json/jsonOutline';
import { type TextParts, wholeText } from '../../../text/textParts';
import { firstPath, yamlOutline } from '../../../yaml/yamlOutline';

/**
 * What the files of a format have and others do not: the path of a member, such as `interactions[].request.url`; a list of marks, all of
 * which are there; or a choice by `any` or `none`.
 */
export type Mark = string | readonly Mark[] | Choice;

interface Choice {
  readonly choose: 'any' | 'none';
  readonly of: readonly Mark[];
}

export function any(...of: readonly Mark[]): Mark {
  return { choose: 'any', of };
}

export function none(...of: readonly Mark[]): Mark {
  return { choose: 'none', of };
}

/** Whether a text has a mark. */
export function hasMark(outline: Pick<JsonOutline, 'has'>, mark: Mark): boolean {
  if (typeof mark === 'string') return outline.has(mark);
  if ('choose' in mark) return mark.of.some((one) => hasMark(outline, one)) === (mark.choose === 'any');
  return mark.every((one) => hasMark(outline, one));
}

/** The paths of a text in YAML or in JSON, by which formats are recognised. */
export function outlineOf(text: TextParts): Pick<JsonOutline, 'has'> {
  return looksLikeJson(text) ? jsonOutline(text) : yamlOutline(wholeText(text));
}

/** Whether a text is JSON, or YAML whose first member is one of these. Most texts are told apart by that, before they are examined. */
export function beginsWith(text: TextParts, paths: readonly string[]): boolean {
  return looksLikeJson(text) || paths.includes(firstPath(text) ?? '');
}
