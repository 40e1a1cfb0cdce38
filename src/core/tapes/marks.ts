import { type JsonOutline, jsonOutline, looksLikeJson, nodeOutline } from '../json/jsonOutline';
import { type TextParts, wholeText } from '../text/textParts';
import { readYaml } from '../yaml/readYaml';
import { firstPath, hasFlowMap, isInOtherStyle, yamlOutline } from '../yaml/yamlOutline';

/**
 * What the files of a format have and others do not: the path of a member, such as `interactions[].request.url`; a pattern of what the
 * text says, where members do not tell; a list of marks, all of which are there; or a choice by `any` or `none`.
 */
export type Mark = string | RegExp | readonly Mark[] | Choice;

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

/** Whether a text with these paths has a mark. */
export function hasMark(text: TextParts, paths: Paths, mark: Mark): boolean {
  if (typeof mark === 'string') return paths.has(mark);
  if (mark instanceof RegExp) return mark.test(wholeText(text));
  if ('choose' in mark) return mark.of.some((one) => hasMark(text, paths, one)) === (mark.choose === 'any');
  return mark.every((one) => hasMark(text, paths, one));
}

/** Which of the paths of a mark a text has; patterns of its text do not count, and of a choice, the best counts. */
interface MetPaths {
  readonly met: readonly string[];
  readonly unmet: readonly string[];
}

export function pathsOf(mark: Mark, paths: Paths): MetPaths {
  if (typeof mark === 'string') return paths.has(mark) ? { met: [mark], unmet: [] } : { met: [], unmet: [mark] };
  if (mark instanceof RegExp) return NO_PATHS;
  if (!('choose' in mark)) return joined(mark.map((one) => pathsOf(one, paths)));
  if (mark.choose === 'none') return NO_PATHS;
  const [best = NO_PATHS] = mark.of.map((one) => pathsOf(one, paths)).sort(byLikeness);
  return best;
}

const NO_PATHS: MetPaths = { met: [], unmet: [] };

function joined(all: readonly MetPaths[]): MetPaths {
  return { met: all.flatMap(({ met }) => met), unmet: all.flatMap(({ unmet }) => unmet) };
}

/** The one of which more is there first, and of two equal ones that which lacks less. */
export function byLikeness(one: MetPaths, other: MetPaths): number {
  return other.met.length - one.met.length || one.unmet.length - other.unmet.length;
}

/** The paths of a text. */
export type Paths = Pick<JsonOutline, 'has'>;

/** The mark of an object as one of a document in which it stands at this path, such as `runs[]`. */
export function markAt(path: string, mark: Mark): Mark {
  if (path === '') return mark;
  if (typeof mark === 'string') return `${path}.${mark}`;
  if (mark instanceof RegExp) return mark;
  if ('choose' in mark) return { ...mark, of: mark.of.map((one) => markAt(path, one)) };
  return mark.map((one) => markAt(path, one));
}

/** The members that a text names at any depth: its paths, as far as can be said of the beginning of a document or of a broken one. */
export function namesIn(text: string): Paths {
  const hasName = (name: string): boolean =>
    text
      .split(`"${name}"`)
      .slice(1)
      .some((rest) => /^\s*:/.test(rest));
  return { has: (path) => path.split(/[.[\]]+/).every((name) => name === '' || hasName(name)) };
}

/** The paths of a text in YAML or in JSON, by which formats are recognised. */
export function outlineOf(text: TextParts): Paths {
  if (looksLikeJson(text)) return jsonOutline(text);
  const blocks = isInOtherStyle(text) ? undefined : yamlOutline(wholeText(text));
  if (blocks !== undefined && !hasFlowMap(text)) return blocks;
  return { has: (path) => blocks?.has(path) === true || treeOutline(wholeText(text))?.has(path) === true };
}

/** The outline of YAML in any style, which is read for it. */
function treeOutline(text: string): Paths | undefined {
  const [root] = readYaml(text).value ?? [];
  return root && nodeOutline(root);
}

/**
 * Whether a text is JSON, or YAML whose first member is one of these, as far as its style tells. Most texts are told apart by that,
 * before they are examined.
 */
export function beginsWith(text: TextParts, paths: readonly string[]): boolean {
  return looksLikeJson(text) || paths.includes(firstPath(text) ?? '') || isInOtherStyle(text);
}
