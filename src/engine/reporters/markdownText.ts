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
  const [, name = ''] = /^#### (.*?)(?: \(\w+\))?$/m.exec(section) ?? [];
  return name.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
}
