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

/** The mark of an object as one of a document in which it stands at this path, such as `runs[]`. */
export function markAt(path: string, mark: Mark): Mark {
  if (path === '') return mark;
  if (typeof mark === 'string') return `${path}.${mark}`;
  if ('choose' in mark) return { ...mark, of: mark.of.map((one) => markAt(path, one)) };
  return mark.map((one) => markAt(path, one));
}

/** Whether the beginning of a line is that of an object with the members of a mark. Lines may be long, so they are not parsed. */
export function isMarkedLine(line: string, mark: Mark): boolean {
  return /^\s*\{/.test(line) && hasMark({ has: (name) => namesMember(line, name) }, mark);
}

function namesMember(line: string, name: string): boolean {
  return line
    .split(`"${name}"`)
    .slice(1)
    .some((rest) => /^\s*:/.test(rest));
}

/** The paths of a text in YAML or in JSON, by which formats are recognised. */
export function outlineOf(text: TextParts): Pick<JsonOutline, 'has'> {
  return looksLikeJson(text) ? jsonOutline(text) : yamlOutline(wholeText(text));
}

/** Whether a text is JSON, or YAML whose first member is one of these. Most texts are told apart by that, before they are examined. */
export function beginsWith(text: TextParts, paths: readonly string[]): boolean {
  return looksLikeJson(text) || paths.includes(firstPath(text) ?? '');
}
