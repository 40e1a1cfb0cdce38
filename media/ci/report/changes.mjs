// What `tapedeck check` has written into the folder OUT, in the words of a comment.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const { OUT = '.', FAIL_ON = 'nothing', RUN_CODE = '' } = process.env;
/** Begins the one comment that is kept up to date. */
export const MARKER = '<!-- tapedeck -->';
/** GitHub takes 65,536 characters, and a person fewer. */
const LONGEST = 60_000;

/** @type {{ files: { changes: { decision: string, weight: string }[] }[] }} */
const { files } = JSON.parse(readFileSync(join(OUT, 'check.json'), 'utf8'));

/** The recordings that changed. */
export const changed = files.filter(({ changes }) => changes.length > 0);

/** The changes to review. */
export const pending = changed.flatMap(({ changes }) => changes.filter(({ decision }) => decision === 'open'));

export function sum() {
  if (pending.length === 0) return 'No recording changed';
  return pending.length === 1 ? '1 change to review' : `${pending.length} changes to review`;
}

/** @param {readonly string[]} more paragraphs that follow the changes */
export function commentText(more) {
  const whole = readFileSync(join(OUT, 'check.md'), 'utf8').trimEnd();
  const end = whole.length > LONGEST ? whole.lastIndexOf('\n', LONGEST) : whole.length;
  const left = end < whole.length ? ['The rest is in the page.'] : [];
  return [MARKER, whole.slice(0, end), ...left, ...more].join('\n\n');
}

/** Fails the job for what the cases did, and for changes that are not reviewed if FAIL_ON says so. @param {string} hint */
export function judge(isReviewed, hint) {
  if (RUN_CODE !== '' && RUN_CODE !== '0')
    fail(`tapedeck run ended with exit code ${RUN_CODE}: see run.xml in the artifact`);
  const counted = pending.filter(({ weight }) => FAIL_ON === 'pending' || weight === 'behaviour');
  if (FAIL_ON !== 'nothing' && counted.length > 0 && !isReviewed) fail(`${sum()}: ${hint}`);
}

function fail(message) {
  console.error(`Tapedeck: ${message}`);
  process.exitCode = 1;
}
