import { placeText } from '../../core/export/changesText';
import type { Change } from '../../core/model/change';
import { usageText } from '../../core/review/usageText';
import { escapeInvisible, escapeLine } from '../../core/text/escapeInvisible';
import { caseOfResults } from '../review/recording';
import type { ListedChange, ListedReview } from '../review/subject';
import type { Paint } from '../terminal/paint';
import { quantity } from '../terminal/visibleText';
import type { CheckDocument } from './jsonDocuments';
import { junitDocument, xmlElement } from './junitXml';
import { differingLines, markdownText } from './markdownText';

type Decided = 'open' | 'accepted' | 'rejected';

function decisionOf({ decisions, pending }: ListedReview, change: ListedChange): Decided {
  return pending.some(({ id }) => id === change.id) ? 'open' : (decisions[change.id]?.verdict ?? 'open');
}

/** The pending changes, one a line, by file; decided ones are only counted. */
export function checkText(reviews: readonly ListedReview[], paint: Paint): string {
  const open = reviews.filter(({ pending }) => pending.length > 0);
  const blocks = open.map((review) =>
    [
      `${paint.bold(escapeLine(review.path))}${paint.dim(` (${kindText(review)})`)}: ${quantity(review.pending.length, 'pending change')}`,
      ...review.pending.map(
        (change) => `  ${escapeLine(change.title)}${paint.dim(whereOf(change) + tokensText(change))}`,
      ),
    ].join('\n'),
  );
  const renamed = reviews.filter((one) => one.from !== undefined && one.pending.length === 0);
  const lines = renamed.map((one) => `${paint.bold(escapeInvisible(one.path))}${paint.dim(` (${kindText(one)})`)}`);
  return `${[...blocks, ...lines, countsText(countsOf(reviews), ADVICE)].join('\n')}\n`;
}

/** The kind of a file, its earlier name, and the case whose result is decided with it. */
export function kindText(review: ListedReview): string {
  const renamed = review.from === undefined ? '' : `, renamed from ${escapeInvisible(review.from)}`;
  const casePath = caseOfResults(review);
  return `${review.kind}${renamed}${casePath === undefined ? '' : `, with the result of ${escapeInvisible(casePath)}`}`;
}

/** Where a change is; one that only the result of a tape has says so. */
function whereOf({ place, of }: ListedChange): string {
  return of === undefined ? placeText(place) : ' · result';
}

/** The token counts that changed with a change. */
function tokensText({ usage }: Change): string {
  return usage === undefined ? '' : ` · ${usageText(usage)}`;
}

/** The number of pending changes and of others, on a line: in CI, where no decision counts. */
export function checkSum(reviews: readonly ListedReview[]): string {
  return `${countsText(countsOf(reviews))}\n`;
}

/** The counts in the sum of a check. */
export interface CheckCounts {
  readonly open: number;
  readonly accepted: number;
  readonly rejected: number;
  /** Files with ignored differences only. */
  readonly noise: number;
  /** Ignored differences. */
  readonly ignored: number;
  readonly renamed: number;
}

/** The differences that rules ignore. A new name is none of them. */
function ignoredIn({ hidden }: ListedReview): readonly Change[] {
  return hidden.filter(({ subject }) => subject !== 'file');
}

function countsOf(reviews: readonly ListedReview[]): CheckCounts {
  const count = (wanted: Decided) =>
    reviews.reduce(
      (sum, review) => sum + review.changes.filter((change) => decisionOf(review, change) === wanted).length,
      0,
    );
  return {
    open: count('open'),
    accepted: count('accepted'),
    rejected: count('rejected'),
    noise: reviews.filter((review) => review.changes.length === 0 && ignoredIn(review).length > 0).length,
    ignored: reviews.reduce((sum, review) => sum + ignoredIn(review).length, 0),
    renamed: reviews.filter(({ from }) => from !== undefined).length,
  };
}

/** What can be done about pending changes, where one may decide. */
const ADVICE = ': tapedeck accept PATH, or tapedeck reject PATH';

export function countsText({ open, accepted, rejected, noise, ignored, renamed }: CheckCounts, advice = ''): string {
  const more = [
    ...(accepted > 0 ? [`${accepted} accepted`] : []),
    ...(rejected > 0 ? [`${rejected} rejected`] : []),
    ...(noise > 0 ? [`${quantity(noise, 'file')} with ignored differences only`] : []),
    ...(ignored > 0 ? [`${quantity(ignored, 'difference')} ignored by rules`] : []),
    ...(renamed > 0 ? [`${quantity(renamed, 'file')} renamed`] : []),
  ];
  const first = open === 0 ? 'no pending changes' : `${quantity(open, 'pending change')}${advice}`;
  return [first, ...more].join('; ');
}

/** The counts in a text of `countsText`. */
export function readCounts(text: string): CheckCounts {
  const count = (pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);
  return {
    open: count(/^(\d+) pending changes?(?=[:;]|$)/),
    accepted: count(/; (\d+) accepted/),
    rejected: count(/; (\d+) rejected/),
    noise: count(/; (\d+) files? with ignored differences only/),
    ignored: count(/; (\d+) differences? ignored by rules/),
    renamed: count(/; (\d+) files? renamed/),
  };
}

export function checkJson(reviews: readonly ListedReview[]): Omit<CheckDocument, 'ok'> {
  return {
    matches: reviews.every(({ pending }) => pending.length === 0),
    files: reviews.map((review) => ({
      path: review.path,
      renamedFrom: review.from,
      kind: review.kind,
      ...(review.results && { results: review.results }),
      changes: review.changes.map((change) => {
        const { id, title, kind, subject, weight, usage, of } = change;
        return { id, title, kind, subject, weight, usage, of, decision: decisionOf(review, change) };
      }),
      hidden: ignoredIn(review).length,
    })),
  };
}

/** Each file is a test case; each pending change is one of its failures. */
export function checkJunit(reviews: readonly ListedReview[]): string {
  const failures = reviews.filter(({ pending }) => pending.length > 0).length;
  const cases = reviews.map(({ path, kind, pending }) => {
    const changes = pending.map((change) =>
      xmlElement('failure', { type: kind, message: change.title + whereOf(change) }),
    );
    return xmlElement('testcase', { classname: 'tapedeck.check', name: path }, changes);
  });
  return junitDocument('tapedeck check', { tests: reviews.length, failures }, cases);
}

/** The most rows for one file in a summary. */
const MOST_ROWS = 20;

export const NOTHING_CHANGED = '### Tapedeck\n\nNo recorded run has changed.\n';
export const MARKDOWN_TITLE = '### Tapedeck: ';

export function markdownDocument(sum: string, sections: readonly string[]): string {
  return `${MARKDOWN_TITLE}${sum}\n\n${sections.join('\n\n')}\n`;
}

/** A summary for a pull request. Recorded text is escaped, so that it cannot become markup. */
export function checkMarkdown(reviews: readonly ListedReview[]): string {
  if (reviews.length === 0) return NOTHING_CHANGED;
  const sections = reviews.map((review) => {
    const rows = review.changes.slice(0, MOST_ROWS).map((change) => {
      const place = whereOf(change).replace(/^ · /, '');
      const sides = differingLines(escapeInvisible(change.before), escapeInvisible(change.after));
      const cells = [change.title + tokensText(change), ...sides].map(markdownText);
      return `| ${cells[0]} | ${place} | ${cells[1]} | ${cells[2]} | ${verdictText(decisionOf(review, change))} |`;
    });
    const more = review.changes.length - rows.length;
    const table =
      rows.length === 0
        ? [review.from === undefined ? 'Only differences that the rules ignore.' : 'Nothing to decide.']
        : ['| change | where | before | after | decision |', '|---|---|---|---|---|', ...rows];
    return [
      `#### ${markdownText(review.path)} (${markdownText(kindText(review))})`,
      '',
      ...table,
      ...(more > 0 ? ['', `… and ${more} more`] : []),
    ].join('\n');
  });
  return markdownDocument(countsText(countsOf(reviews)), sections);
}

/** JSON calls `open` what people read as pending. */
function verdictText(decided: Decided): string {
  return decided === 'open' ? 'pending' : decided;
}
