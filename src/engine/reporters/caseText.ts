import { textDiff } from '../../core/export/textDiff';
import type { Failure, RunResult } from '../../core/model/run';
import { escapeCommands, escapeInvisible, escapeLine, indentLines } from '../../core/text/escapeInvisible';
import { NOT_RUN } from '../cases/describeComparison';
import { fromRoot, shortened } from '../files/projectPaths';
import type { Paint } from '../terminal/paint';
import type { Terminal } from '../terminal/terminal';
import { duration, quantity } from '../terminal/visibleText';

type View = Pick<Terminal, 'paint' | 'cwd' | 'columns'>;

/** The report of one case: a line with its outcome and what that rests on, then notes and failures. */
export function caseText(result: RunResult, view: View): string {
  const notes = [
    ...recordingNotes(result, view),
    ...driftNotes(result, view),
    ...result.failures.map((failure) => failureText(failure, view)),
  ];
  const path = wayTo(view.cwd, result.casePath);
  const isNamed = result.failures.some(({ message }) => message.includes(path));
  if (result.status === 'failed' && !isNamed) notes.unshift(view.paint.dim(path));
  const text = [headline(result, view), ...notes.map((note) => indentLines(note, '    '))].join('\n');
  return escapeCommands(text).concat('\n');
}

/** The path from the working folder, on one line. */
function wayTo(cwd: string, path: string): string {
  return escapeLine(fromRoot(cwd, path));
}

/** On a screen, the outcomes stand below each other, unless a name is longer. */
const NAME_WIDTH = 28;
const MODE_WIDTH = 'scripted'.length;
const DURATION_WIDTH = '59.9 s'.length;

function headline(result: RunResult, { paint, columns }: View): string {
  const { name, mode, durationMs, compared } = result;
  const title = escapeLine(name);
  const ran = compared !== NOT_RUN.compared;
  const isAligned = columns !== undefined;
  const gap = ' '.repeat(isAligned ? Math.max(0, NAME_WIDTH - title.length) : 0);
  const facts = isAligned
    ? `${mode.padEnd(MODE_WIDTH)} ${duration(durationMs).padStart(DURATION_WIDTH)}`
    : `${mode} ${duration(durationMs)}`;
  const room = isAligned ? columns - title.length - gap.length - facts.length - 7 : Number.POSITIVE_INFINITY;
  const basis = compared.length > room ? `${compared.slice(0, Math.max(0, room - 1))}…` : compared;
  const head = `${mark(result, paint)} ${paint.bold(title)}${gap}`;
  return [head, paint.dim(facts), ...(ran ? [paint.dim(basis)] : [])].join('  ');
}

function mark({ status }: RunResult, paint: Paint): string {
  if (status === 'passed') return paint.green('✓');
  return status === 'failed' ? paint.red('✗') : paint.yellow('–');
}

function recordingNotes(
  { recording, baselineUpdated, baselinePath }: RunResult,
  { paint, cwd }: View,
): readonly string[] {
  const notes: string[] = [];
  if (recording !== undefined) {
    const { interactions, tapePath, previousTakePath } = recording;
    const kept = previousTakePath === undefined ? '' : `; the previous take is in ${wayTo(cwd, previousTakePath)}`;
    notes.push(`recorded ${quantity(interactions, 'interaction')} to ${wayTo(cwd, tapePath)}${kept}`);
  }
  if (baselineUpdated) notes.push(`wrote the baseline ${wayTo(cwd, baselinePath)}`);
  return notes.map(paint.cyan);
}

/** The most drifts that are explained; all of them are counted. */
const EXPLAINED = 5;

/** What was served although it was not as recorded. */
function driftNotes({ interactions = [] }: RunResult, { paint }: View): readonly string[] {
  const drifted = interactions.filter(({ verdict }) => verdict === 'differs');
  const more = drifted.length - EXPLAINED;
  return [
    ...drifted.slice(0, EXPLAINED).map(({ number = 0, explanation = '' }) => {
      const [headline = ''] = explanation.split('\n');
      return paint.yellow(escapeInvisible(`request ${number + 1}: ${headline}`));
    }),
    ...(more > 0 ? [paint.yellow(`and ${quantity(more, 'more request')} not as recorded`)] : []),
  ];
}

function failureText({ kind, message, fix, expected, actual }: Failure, { paint, cwd }: View): string {
  // As a user would type them: from the working folder.
  const withShortPaths = (text: string): string => shortened(cwd, escapeInvisible(text));
  const parts = [paint.red(withShortPaths(message))];
  if (kind === 'difference' && expected !== undefined && actual !== undefined) {
    parts.push(indentLines(textDiff(expected, actual, paint), '  '));
  } else if (kind === 'assertion' && actual !== undefined && !message.includes(actual)) {
    parts.push(indentLines(textDiff('', actual, paint), '  '));
  }
  if (fix !== undefined) parts.push(paint.dim(withShortPaths(fix)));
  return parts.join('\n');
}
