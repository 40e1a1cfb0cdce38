import { escapeLine } from '../../core/text/escapeInvisible';

/** A line of recorded text in a report, where it cannot become markup. */
export function markdownText(text: string): string {
  return escapeLine(text).replace(/[\\`*_{}[\]<>()#+!|~@]/g, (char) => `&#${char.charCodeAt(0)};`);
}

/** In characters. */
const LINE_LENGTH = 80;

/** The first line of a text, for a cell of a table, which has one line. It is cut where it is long. */
export function firstLine(text: string, length = LINE_LENGTH): string {
  const [line = ''] = text.split('\n');
  return line.length > length || line !== text ? `${line.slice(0, length)}…` : line;
}

/** Of two texts, the lines in which they first differ, for cells of a table: those say more than the `{` of two objects. */
export function differingLines(before: string, after: string): readonly [string, string] {
  const sides = [before.split('\n'), after.split('\n')] as const;
  const [longer] = [...sides].sort((left, right) => right.length - left.length);
  const at = longer?.findIndex((_, index) => sides[0][index] !== sides[1][index]) ?? 0;
  const [old, now] = sides.map((lines) => linesFrom(lines, Math.max(at, 0))) as [string, string];
  const cut = Math.max(0, commonStart(old, now) - LEAD);
  return [lineFrom(old, cut), lineFrom(now, cut)];
}

/** How much of two long lines is shown before they differ, in characters. */
const LEAD = 20;

/** The rest of a text from a line on, without the lines that only have brackets. */
function linesFrom(lines: readonly string[], start: number): string {
  const telling = lines.findIndex((line, index) => index >= start && /[\p{L}\p{N}]/u.test(line));
  return lines
    .slice(telling === -1 ? start : telling)
    .join('\n')
    .trimStart();
}

function lineFrom(text: string, cut: number): string {
  const isLong = text.split('\n', 1)[0]?.length ?? 0;
  return cut === 0 || isLong <= LINE_LENGTH ? firstLine(text) : `…${firstLine(text.slice(cut))}`;
}

function commonStart(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at += 1;
  return at;
}

/** A part of a report, with the path of its file. */
export interface MarkdownSection {
  readonly key: string;
  readonly text: string;
}

/** The sections of a report, each with the path in its title, after what stands above them. */
export function readSections(text: string): { readonly head: string; readonly sections: readonly MarkdownSection[] } {
  const [head = '', ...sections] = text.trimEnd().split(/\n\n(?=#### )/);
  return { head, sections: sections.map((section) => ({ key: pathOfSection(section), text: section })) };
}

/** The path in the title of a section, without the kind of its file. */
function pathOfSection(section: string): string {
  const [, name = ''] = /^#### (.*?)(?: \([^()]*\))?$/m.exec(section) ?? [];
  return name.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
