import { basename } from 'node:path';
import { EXIT_CODES } from '../../core/cases/runOutcome';
import { reviewPage } from '../../core/export/reviewHtml';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { fileStatus, isFolder } from '../files/fileStatus';
import { pathOfUser } from '../files/pathOfUser';
import { fromRoot, projectPath, shownPath } from '../files/projectPaths';
import { readText } from '../files/readFile';
import type { RevisionSpan } from '../git/revision';
import { findRoot } from '../project/findRoot';
import { hideChanges } from '../recording/hideChanges';
import type { RecordedContent } from '../recording/recordedContent';
import { exportRecorded } from '../recording/writeRecorded';
import { jsonDocument } from '../reporters/jsonDocument';
import type { ReviewDocument } from '../reporters/jsonDocuments';
import { isExportedPage, keptForPage, pageReview } from '../reporters/reviewedPage';
import { listReviews } from '../review/changedReviews';
import { recorderOfSpan } from '../review/earlierRules';
import type { ListedReview } from '../review/subject';
import { ProgressLine } from '../terminal/progress';
import type { Terminal } from '../terminal/terminal';
import { quantity } from '../terminal/visibleText';
import { type Arguments, command, flag, JSON_OUTPUT, text, UsageError } from './command';
import { requireRecording } from './decisionTargets';
import { SPAN_OPTIONS, spanOf } from './revisionOption';

const OPTIONS = {
  html: text('OUT', 'The page to write'),
  ...SPAN_OPTIONS,
  force: flag('Overwrite OUT even if it is not such a page'),
  json: JSON_OUTPUT,
};
type Given = Arguments<typeof OPTIONS>;

export const reviewCommand = command({
  usage: '[PATH…] --html OUT [--staged | --since REVISION] [--force] [--json]',
  about: 'Write all changes as one page to read, for a pull request or an email',
  options: OPTIONS,
  details: `The page has the changes that \`check\` lists, with their texts and decisions. It needs no network and has no
script. Without a PATH, it covers the whole project; a PATH is a tape, a baseline, a case, or a folder. A page is at most 3 MB;
the changes whose texts are left out are counted on the page and on stderr.

  --json  {ok, path, files, changes, pending, leftOut: the number of changes without texts, bytes}

Exit codes: 0 the page was written, whatever has changed; 2 a file or the repository cannot be read, or OUT cannot be written.`,
  examples: ['tapedeck review --html review.html', 'tapedeck review --since origin/main --html review.html'],
  run,
});

async function run(args: Given, terminal: Terminal): Promise<number> {
  const { cwd, env, note, print } = terminal;
  const out = args.options.html;
  if (out === undefined || out === '') throw new UsageError('name the page to write', 'Add --html review.html.');
  const root = findRoot(cwd, cwd);
  const path = pathOfUser(cwd, out);
  await requireFree(path, out, args.options.force);
  const span = spanOf(args);
  const recorder = await recorderOfSpan(root, span, env);
  const line = new ProgressLine(terminal);
  let compared = 0;
  const onFile = (file: string, total: number): void => {
    compared += 1;
    line.show(`comparing ${compared} of ${total}: ${shownPath(cwd, file)}`);
  };
  const found = await listReviews(root, span, { onFile, shorten: keptForPage(recorder), isMeasured: true });
  line.end();
  const reviews = (await chosen(found, root, args, cwd)).map((review) => hideChanges(review, recorder));
  let leftOut = 0;
  const content = recorder.page({ project: basename(root), reviews }, (shown) => {
    const page = reviewPage(
      shown.project,
      shown.reviews.map((review) => pageReview(review, earlierSide(span))),
    );
    leftOut = page.leftOut;
    return page.html;
  });
  await write(path, out, content);
  if (leftOut > 0) note(`tapedeck: the page is too large for the texts of ${quantity(leftOut, 'change')}`);
  print(
    args.options.json
      ? jsonDocument<ReviewDocument>(true, resultOf(reviews, { root, path, leftOut, content }))
      : sumText(out, reviews),
  );
  return EXIT_CODES.ok;
}

interface WrittenPage {
  readonly root: string;
  readonly path: string;
  readonly leftOut: number;
  readonly content: RecordedContent;
}

function resultOf(
  reviews: readonly ListedReview[],
  { root, path, leftOut, content }: WrittenPage,
): Omit<ReviewDocument, 'ok'> {
  const bytes = Buffer.byteLength(content.bytes);
  return { path: projectPath(root, path), files: reviews.length, ...countsOf(reviews), leftOut, bytes };
}

function sumText(out: string, reviews: readonly ListedReview[]): string {
  const { changes, pending } = countsOf(reviews);
  return `${out}: ${quantity(changes, 'change')} in ${quantity(reviews.length, 'file')}, ${pending} pending\n`;
}

function countsOf(reviews: readonly ListedReview[]) {
  const sum = (count: (review: ListedReview) => number): number => reviews.reduce((all, one) => all + count(one), 0);
  return { changes: sum((review) => review.changes.length), pending: sum((review) => review.pending.length) };
}

function earlierSide(span: RevisionSpan): string | undefined {
  return span.type === 'since' ? span.revision : undefined;
}

/** The reviews of what the command line names. Rejects with a `UserError` for what can have none. */
async function chosen(
  reviews: readonly ListedReview[],
  root: string,
  { positionals }: Given,
  cwd: string,
): Promise<readonly ListedReview[]> {
  if (positionals.length === 0) return reviews;
  const names: string[] = [];
  for (const written of positionals) {
    const place = pathOfUser(cwd, written);
    const name = place === root ? '' : fromRoot(root, place);
    if (!isFolder(place) && !reviews.some((review) => isAt(review, name))) await requireRecording(place, written);
    names.push(name);
  }
  return reviews.filter((review) => names.some((name) => isAt(review, name)));
}

function isAt({ path, results = [] }: ListedReview, name: string): boolean {
  const isBelow = (one: string): boolean => name === '' || one === name || one.startsWith(`${name}/`);
  return isBelow(path) || results.some((result) => isBelow(result.path));
}

/** In bytes. */
const LARGEST_PAGE = 40_000_000;

/** Rejects where a file of the user's would be lost. */
async function requireFree(path: string, shown: string, force: boolean): Promise<void> {
  try {
    const there = await fileStatus(path);
    if (there === undefined) return;
    if (there.isFolder) throw new UserError(`${shown} is a folder`, 'Name the file to write.');
    if (force || !there.isFile || there.size === 0 || isExportedPage(await readText(path, LARGEST_PAGE))) return;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(`${shown}: ${systemReason(error)}`, 'Name another file.');
  }
  throw new UserError(`${shown} already exists`, 'Name another file, or overwrite it with --force.');
}

async function write(path: string, shown: string, content: RecordedContent): Promise<void> {
  try {
    await exportRecorded(path, content);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(`${shown}: ${systemReason(error)}`, 'Name another file.');
  }
}
