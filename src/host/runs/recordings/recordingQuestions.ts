import * as vscode from 'vscode';
import type { RetakeCost } from '../../../core/model/run';
import { formatDatedCost, formatRetakeCost } from '../../../core/prices/formatRetakeCost';
import { repeatedCost, sumCosts } from '../../../core/prices/retakeCostSums';
import { counted, plural } from '../../../core/text/counts';
import { t } from '../../../core/text/l10n';
import { oneLine, type Question, type QuestionSection } from '../../base/confirm';
import { type Caller, recordAction, targetSections } from '../../engine/recordingTargets';
import { describeRequests, type RecordingPlan } from './recordingPlan';

/** The question about the recording of cases. */
export function recordingQuestion(plans: readonly RecordingPlan[]): Question {
  const [first] = plans;
  const what = plans.length === 1 && first ? oneLine(first.entry.name) : plural(plans.length, 'case');
  const isFirst = plans.every(({ replaced }) => replaced === undefined);
  const verb = isFirst ? t('Record') : t('Re-record');
  return {
    title: isFirst ? t('Record {0}?', what) : t('Re-record {0}?', what),
    ...riskOf(plans, verb),
    sections: [
      ...(plans.length === 1 ? [requestSection(plans)] : []),
      ...targetSections(plans.map(callerOf)),
      ...(plans.length === 1 ? [] : [requestSection(plans)]),
      { title: t('Tapes:'), lines: sharedFirst(plans).flatMap((plan) => tapeLines(plan, plans.length === 1)) },
      ...totalSection(plans),
      ...(isFirst ? [] : [{ lines: [t('Replaced tapes are kept in .tapedeck/takes.')] }]),
    ],
  };
}

/** The question about recording one case several times, which replaces no tape. */
export function stabilityQuestion(plan: RecordingPlan, times: number): Question {
  const { cost } = plan;
  const price = cost?.calls ? formatDatedCost(repeatedCost(cost, times)) : t('{0} runs{1}', times, withoutTape(plan));
  const { action, isWarning } = riskOf([{ ...plan, sharedWith: [] }], t('Record'));
  const name = oneLine(plan.entry.name);
  return {
    title: t('Record {0} {1} times?', name, times),
    action,
    isWarning,
    sections: [
      { lines: [`${name} ${oneLine(describeRequests(plan))}.`, t('That is {0}.', oneLine(price))] },
      ...targetSections([callerOf(plan)]),
      { lines: [t('The takes are saved in .tapedeck/stability.')] },
    ],
  };
}

/** The practice model is free, and its description says so. */
function withoutTape({ provider, rate }: RecordingPlan): string {
  if (provider?.kind === 'practice') return '';
  return rate === undefined
    ? t('; without a recording the cost cannot be estimated')
    : t('; without a recording the cost cannot be estimated ({0})', oneLine(rate));
}

/** What several recordings cost together, and the date of the prices. */
function totalSection(plans: readonly RecordingPlan[]): readonly QuestionSection[] {
  const total = sumCosts(plans.flatMap(({ cost }) => cost ?? []));
  if (plans.length === 1 || total.calls === 0) return [];
  const unknown = plans.filter(({ cost }) => cost === undefined).length;
  const cost = oneLine(formatDatedCost(total));
  const line =
    unknown === 0
      ? t('Together: {0}.', cost)
      : t('Together: {0}, and {1}, whose cost is unknown.', cost, plural(unknown, 'first recording'));
  return [{ lines: [line] }];
}

/** The question before a trial, which replaces no tape. `lines` describe the recordings of each model. */
export function trialQuestion(
  plans: readonly RecordingPlan[],
  {
    title,
    lines,
    notices,
  }: { readonly title: string; readonly lines: readonly string[]; readonly notices: readonly string[] },
): Question {
  const own = plans.filter(({ entry }) => entry.listed?.ownAgent !== undefined);
  const { action, isWarning } = riskOf(
    plans.map((plan) => ({ ...plan, sharedWith: [] })),
    t('Record'),
  );
  return {
    title: oneLine(title),
    action,
    isWarning,
    sections: [
      { lines: lines.map(oneLine) },
      ...(own.length > 0 ? [requestSection(own)] : []),
      ...targetSections(plans.map(callerOf)),
      {
        lines: [
          ...notices.map(oneLine),
          t('Samples are saved in .tapedeck/trials. Tapes and baselines stay as they are.'),
        ],
      },
    ],
  };
}

interface ForkFacts {
  readonly shared: number;
  readonly cost: RetakeCost;
  readonly model?: string;
  /** From the root of the project. */
  readonly tape: string;
  readonly target: string;
}

/** The question before the recording of a fork, which replaces no tape. */
export function forkQuestion(plan: RecordingPlan, { shared, cost, model, tape, target }: ForkFacts): Question {
  const { action, isWarning } = riskOf([{ ...plan, sharedWith: [] }], t('Record'));
  const name = oneLine(plan.entry.name);
  const calls =
    model === undefined ? describeRequests(plan) : t('{0}; from the fork on with {1}', describeRequests(plan), model);
  return {
    title: t('Fork {0}?', oneLine(tape)),
    action,
    isWarning,
    sections: [
      {
        lines: [
          `${name} ${oneLine(calls)}.`,
          t('If the rest goes as on the tape: {0}.', oneLine(formatDatedCost(cost))),
        ],
      },
      ...targetSections([callerOf(plan)]),
      {
        lines: [
          t(
            '{0} will be created, with {1} of {2}, which stays as it is.',
            oneLine(target),
            plural(shared, 'interaction'),
            oneLine(tape),
          ),
        ],
      },
    ],
  };
}

/** What the cases call, each once. */
function requestSection(plans: readonly RecordingPlan[]): QuestionSection {
  const names = new Map<string, string[]>();
  for (const plan of plans) {
    const request = oneLine(describeRequests(plan));
    names.set(request, [...(names.get(request) ?? []), oneLine(plan.entry.name)]);
  }
  const lines = [...names].map(([request, cases]) =>
    cases.length === 1 ? `${cases.join()} ${request}.` : t('Each {0}: {1}.', request, cases.join(', ')),
  );
  return { ...(plans.length > 1 && { title: t('Calls:') }), lines };
}

function sharedFirst(plans: readonly RecordingPlan[]): readonly RecordingPlan[] {
  return [...plans].sort((left, right) => Math.sign(right.sharedWith.length) - Math.sign(left.sharedWith.length));
}

function riskOf(plans: readonly RecordingPlan[], verb: string): Pick<Question, 'action' | 'isWarning'> {
  const { action, isWarning } = recordAction(plans.map(callerOf), verb);
  return { action, isWarning: isWarning || plans.some(({ sharedWith }) => sharedWith.length > 0) };
}

function callerOf({ entry, targets }: RecordingPlan): Caller {
  return { name: entry.name, targets };
}

function tapeLines(plan: RecordingPlan, isAlone: boolean): readonly string[] {
  const { tape, replaced, cost, keptInteractions: kept, sharedWith } = plan;
  const file = oneLine(vscode.workspace.asRelativePath(tape, false));
  const price = cost === undefined ? '' : `; ${oneLine(isAlone ? formatDatedCost(cost) : formatRetakeCost(cost))}`;
  const outcome =
    replaced === undefined
      ? t('{0} will be created{1}.', file, withoutTape(plan))
      : kept === undefined || kept === 0
        ? t('{0} will be replaced: {1}{2}.', file, oneLine(replaced), price)
        : counted(
            kept,
            '{1} keeps its first interaction, and the rest is recorded again{2}. It now has {3}.',
            '{1} keeps its first {0} interactions, and the rest is recorded again{2}. It now has {3}.',
            file,
            price,
            oneLine(replaced),
          );
  const warning = t(
    '⚠ {0} is also the tape of {1}, which will replay the new recording.',
    file,
    sharedWith.map(oneLine).join(', '),
  );
  return [outcome, ...(sharedWith.length > 0 ? [warning] : [])];
}
