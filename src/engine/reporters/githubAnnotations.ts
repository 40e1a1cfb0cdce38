import { quantity } from '../terminal/visibleText';
import { type AnnotatedFile, annotationText } from './annotations';

const MOST_TITLES = 5;

/**
 * Commands of a GitHub workflow that annotate files, each at its first change, one a line. Recorded text cannot become a
 * command: it is escaped as GitHub's own toolkit does it.
 */
export function githubAnnotations(files: readonly AnnotatedFile[]): string {
  return files.map((file) => `${annotation(file)}\n`).join('');
}

function annotation({ path, pending }: AnnotatedFile): string {
  const titles = pending.slice(0, MOST_TITLES).map(({ change }) => annotationText(change));
  const more = pending.length - titles.length;
  const message = [...titles, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
  const title = `Tapedeck: ${quantity(pending.length, 'pending change')}`;
  return `::error file=${property(path)},line=${pending[0]?.line ?? 1},title=${property(title)}::${data(message)}`;
}

function data(text: string): string {
  const lines = text.replace(/[\v\f\u0085\u2028\u2029]/g, ' ');
  return lines.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
