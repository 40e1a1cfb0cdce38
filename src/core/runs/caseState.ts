import type { InputRole, RunInput, RunRecord } from '../model/runRecord';
import { listed } from '../text/counts';
import { message, t } from '../text/l10n';

/** What a case shows in every place at once: lists, lenses, the Test Explorer, the gutter and the status bar. */
export interface CaseState {
  /** `review`: the last run differs from its baseline, and nothing else is wrong; the differences are pending. */
  readonly type: 'invalid' | 'running' | 'unrun' | 'passed' | 'failed' | 'review';
  /** What has changed since the last run, which makes its result outdated. */
  readonly changed: readonly InputRole[];
  /** How many changes against the baseline are pending. */
  readonly pending: number;
  /** Whether the last run passed with nothing to compare it with. */
  readonly checkedNothing: boolean;
}

export interface CaseFacts {
  /** Whether the file of the case cannot be read at present. */
  readonly isBroken: boolean;
  readonly isRunning: boolean;
  /** The last run that was not cancelled. */
  readonly run: RunRecord | undefined;
  /** The current inputs of that run, as SHA-256 by path; null for a file that is gone. */
  readonly now: ReadonlyMap<string, string | null>;
  readonly pending: number;
}

/** The state of a case, from what is known of it. A run that was cancelled is no fact: it changes nothing. */
export function caseState({ isBroken, isRunning, run, now, pending }: CaseFacts): CaseState {
  const changed = run === undefined ? [] : changedInputs(run.inputs, now);
  const checkedNothing = run?.status === 'passed' && run.checkedNothing;
  return { type: typeOf({ isBroken, isRunning, run, pending }), changed, pending, checkedNothing };
}

function typeOf({ isBroken, isRunning, run, pending }: Omit<CaseFacts, 'now'>): CaseState['type'] {
  if (isBroken) return 'invalid';
  if (isRunning) return 'running';
  if (run === undefined) return 'unrun';
  const onlyDiffers = run.failures.every(({ kind }) => kind === 'difference');
  return run.status === 'failed' && onlyDiffers && pending > 0 ? 'review' : run.status;
}

/** Which inputs of a run are not as they were. */
function changedInputs(inputs: readonly RunInput[], now: ReadonlyMap<string, string | null>): readonly InputRole[] {
  const known = new Set(inputs.map(({ path }) => path));
  const changed = inputs.filter(({ path, content }) => now.get(path) !== (content?.sha256 ?? null));
  const isAdded = [...now.keys()].some((path) => !known.has(path));
  return [...new Set([...changed.map(({ role }) => role), ...(isAdded ? (['agent'] as const) : [])])];
}

export function isOutdated({ type, changed }: CaseState): boolean {
  return changed.length > 0 && type !== 'running' && type !== 'unrun' && type !== 'invalid';
}

/** Whether the last run passed, and was compared with nothing. */
export function isUnchecked({ type, checkedNothing }: CaseState): boolean {
  return checkedNothing && type === 'passed';
}

/** Distinguishes a case that was compared with nothing from one that passed. */
export const UNCHECKED_WORDS = message('nothing compared');

const TYPE_WORDS: Record<CaseState['type'], string> = {
  invalid: message('cannot be read'),
  running: message('running'),
  unrun: message('not run yet'),
  passed: message('passed'),
  failed: message('failed'),
  review: '',
};

/** The state in words, such as `passed, outdated` or `3 to review`. */
export function stateWords(state: CaseState): string {
  const { type, pending } = state;
  return [
    type === 'review' ? '' : t(TYPE_WORDS[type]),
    ...(isUnchecked(state) ? [t(UNCHECKED_WORDS)] : []),
    ...(pending > 0 ? [t('{0} to review', pending)] : []),
    ...(isOutdated(state) ? [t('outdated')] : []),
  ]
    .filter((words) => words !== '')
    .join(', ');
}

const ROLE_WORDS: Record<InputRole, string> = {
  case: message('the case'),
  tape: message('the tape'),
  baseline: message('the baseline'),
  agent: message("the agent's source"),
  rules: 'tapedeck.toml',
};

/** Why a result is outdated, as a sentence; undefined for one that is not. */
export function outdatedReason(state: CaseState): string | undefined {
  if (!isOutdated(state)) return undefined;
  const names = state.changed.map((role) => t(ROLE_WORDS[role]));
  const what = listed(names);
  return t('Outdated: {0} changed after the last run.', what);
}
