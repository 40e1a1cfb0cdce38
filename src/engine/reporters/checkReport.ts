import { placeText } from '../../core/export/changesText';
import type { Change } from '../../core/model/change';
import { decisionOn } from '../../core/review/decisions';
import { usageText } from '../../core/review/usageText';
import { escapeInvisible } from '../../core/text/escapeInvisible';
import type { SubjectReview } from '../review/subject';
import type { Paint } from '../terminal/paint';
import { quantity } from '../terminal/visibleText';
import { junitDocument, xmlElement } from './junitXml';

type Decided = 'open' | 'accepted' | 'rejected';

function decisionOf({ decisions, pending }: SubjectReview, change: Change): Decided {
  return pending.some(({ id }) => id === change.id) ? 'open' : (decisionOn(change, decisions)?.verdict ?? 'open');
}

/** The pending changes, one a line, by file; decided ones are only counted. */
export function checkText(reviews: readonly SubjectReview[], paint: Paint): string {
  const open = reviews.filter(({ pending }) => pending.length > 0);
  const blocks = open.map((review) =>
    [
      `${paint.bold(escapeInvisible(review.path))}${paint.dim(` (${review.kind})`)}: ${quantity(review.pending.length, 'pending change')}`,
      ...review.pending.map(
        (change) => `  ${escapeInvisible(change.title)}${paint.dim(placeText(change.place) + tokensText(change))}`,
      ),
    ].join('\n'),
  );
  return `${[...blocks, sumText(reviews)].join('\n')}\n`;
}

/** The token counts that changed with a change. */
function tokensText({ usage }: Change): string {
  return usage === undefined ? '' : ` · ${usageText(usage)}`;
}

/** The number of pending changes and of others, on a line. */
export function checkSum(reviews: readonly SubjectReview[]): string {
  return `${sumText(reviews)}\n`;
}

function sumText(reviews: readonly SubjectReview[]): string {
  const count = (wanted: Decided) =>
    reviews.reduce(
      (sum, review) => sum + review.changes.filter((change) => decisionOf(review, change) === wanted).length,
      0,
    );
  const noise = reviews.filter(({ changes }) => changes.length === 0).length;
  const ignored = reviews.reduce((sum, { hidden }) => sum + hidden.length, 0);
  const more = [
    ...(count('accepted') > 0 ? [`${count('accepted')} accepted`] : []),
    ...(count('rejected') > 0 ? [`${count('rejected')} rejected`] : []),
    ...(noise > 0 ? [`${quantity(noise, 'file')} with ignored differences only`] : []),
    ...(ignored > 0 ? [`${quantity(ignored, 'difference')} ignored by rules`] : []),
  ];
  const open = count('open');
  const first =
    open === 0
      ? 'no pending changes'
      : `${quantity(open, 'pending change')}: tapedeck accept PATH, or tapedeck reject PATH`;
  return [first, ...more].join('; ');
}

export function checkJson(reviews: readonly SubjectReview[]): object {
  return {
    matches: reviews.every(({ pending }) => pending.length === 0),
    files: reviews.map((review) => ({
      path: review.path,
      kind: review.kind,
      changes: review.changes.map((change) => {
        const { id, title, kind, subject, weight, usage } = change;
        return { id, title, kind, subject, weight, ...(usage && { usage }), decision: decisionOf(review, change) };
      }),
      hidden: review.hidden.length,
    })),
  };
}

/** Each file is a test case; each pending change is one of its failures. */
export function checkJunit(reviews: readonly SubjectReview[]): string {
  const failures = reviews.filter(({ pending }) => pending.length > 0).length;
  const cases = reviews.map(({ path, kind, pending }) => {
    const changes = pending.map(({ title, place }) =>
      xmlElement('failure', { type: kind, message: title + placeText(place) }),
    );
    return xmlElement('testcase', { classname: 'tapedeck.check', name: path }, changes);
  });
  return junitDocument('tapedeck check', { tests: reviews.length, failures }, cases);
}

/** The most rows for one file in a summary. */
const MOST_ROWS = 20;

/** A summary for a pull request. Recorded text is escaped, so that it cannot become markup. */
export function checkMarkdown(reviews: readonly SubjectReview[]): string {
  if (reviews.length === 0) return '### Tapedeck\n\nNo recorded run has changed.\n';
  const sections = reviews.map((review) => {
    const rows = review.changes.slice(0, MOST_ROWS).map((change) => {
      const place = placeText(change.place).replace(/^ · /, '');
      return `| ${cell(change.title + tokensText(change))} | ${place} | ${cell(firstLine(change.before))} | ${cell(firstLine(change.after))} | ${verdictText(decisionOf(review, change))} |`;
    });
    const more = review.changes.length - rows.length;
    const table =
      rows.length === 0
        ? ['Only differences that the rules ignore.']
        : ['| change | where | before | after | decision |', '|---|---|---|---|---|', ...rows];
    return [
      `#### ${cell(review.path)} (${review.kind})`,
      '',
      ...table,
      ...(more > 0 ? ['', `… and ${more} more`] : []),
    ].join('\n');
  });
  return `### Tapedeck: ${sumText(reviews)}\n\n${sections.join('\n\n')}\n`;
}

/** JSON calls `open` what people read as pending. */
function verdictText(decided: Decided): string {
  return decided === 'open' ? 'pending' : decided;
}

function firstLine(text: string): string {
  const [line = ''] = escapeInvisible(text).split('\n');
  return line.length > 80 || line !== text ? `${line.slice(0, 80)}…` : line;
}

function cell(text: string): string {
  return text.replace(/[\\`*_{}[\]<>()#+!|~@]/g, (char) => `&#${char.charCodeAt(0)};`);
}
