import * as vscode from 'vscode';
import type { RetakeCost } from '../../core/model/run';
import { formatDatedCost, formatRetakeCost } from '../../core/prices/formatRetakeCost';
import { repeatedCost, sumCosts } from '../../core/prices/retakeCostSums';
import { plural } from '../../core/text/counts';
import { oneLine, type Question, type QuestionSection } from '../base/confirm';
import { type Caller, recordAction, targetSections } from '../engine/recordingTargets';
import { describeRequests, type RecordingPlan } from './recordingPlan';

/** The question about the recording of cases. */
export function recordingQuestion(plans: readonly RecordingPlan[]): Question {
  const [first] = plans;
  const what = plans.length === 1 && first ? oneLine(first.entry.name) : `${plans.length} cases`;
  const isFirst = plans.every(({ replaced }) => replaced === undefined);
  const verb = isFirst ? 'Record' : 'Re-record';
  return {
    title: `${verb} ${what}?`,
    ...riskOf(plans, verb),
    sections: [
      ...(plans.length === 1 ? [requestSection(plans)] : []),
      ...targetSections(plans.map(callerOf)),
      ...(plans.length === 1 ? [] : [requestSection(plans)]),
      { title: 'Tapes:', lines: sharedFirst(plans).flatMap((plan) => tapeLines(plan, plans.length === 1)) },
      ...totalSection(plans),
      ...(isFirst ? [] : [{ lines: ['Replaced tapes are kept in .tapedeck/takes.'] }]),
    ],
  };
}

/** The question about recording one case several times, which replaces no tape. */
export function stabilityQuestion(plan: RecordingPlan, times: number): Question {
  const { cost } = plan;
  const price = cost?.calls ? formatDatedCost(repeatedCost(cost, times)) : `${times} runs${withoutTape(plan)}`;
  const { action, isWarning } = riskOf([{ ...plan, sharedWith: [] }], 'Record');
  const name = oneLine(plan.entry.name);
  return {
    title: `Record ${name} ${times} times?`,
    action,
    isWarning,
    sections: [
      { lines: [`${name} ${oneLine(describeRequests(plan))}.`, `That is ${oneLine(price)}.`] },
      ...targetSections([callerOf(plan)]),
      { lines: ['The takes are saved in .tapedeck/stability.'] },
    ],
  };
}

/** The practice model is free, as is said of it. */
function withoutTape({ provider, rate }: RecordingPlan): string {
  if (provider?.kind === 'practice') return '';
  return `; without a recording the cost cannot be estimated${rate === undefined ? '' : ` (${oneLine(rate)})`}`;
}

/** What several recordings cost together, and of which day the prices are. */
function totalSection(plans: readonly RecordingPlan[]): readonly QuestionSection[] {
  const total = sumCosts(plans.flatMap(({ cost }) => cost ?? []));
  if (plans.length === 1 || total.calls === 0) return [];
  const unknown = plans.filter(({ cost }) => cost === undefined).length;
  const rest = unknown === 0 ? '' : `, and ${plural(unknown, 'first recording')}, whose cost is not known`;
  return [{ lines: [`Together: ${oneLine(formatDatedCost(total))}${rest}.`] }];
}

/** The question about recording cases with other models, which replaces no tape. `lines` say what of each model is recorded. */
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
    'Record',
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
          'Samples are saved in .tapedeck/trials. Tapes and baselines stay as they are.',
        ],
      },
    ],
  };
}

export interface ForkFacts {
  readonly shared: number;
  readonly cost: RetakeCost;
  readonly model?: string;
  /** From the root of the project. */
  readonly tape: string;
  readonly target: string;
}

/** The question about recording a fork, which replaces no tape. */
export function forkQuestion(plan: RecordingPlan, { shared, cost, model, tape, target }: ForkFacts): Question {
  const { action, isWarning } = riskOf([{ ...plan, sharedWith: [] }], 'Record');
  const name = oneLine(plan.entry.name);
  const calls =
    model === undefined ? describeRequests(plan) : `${describeRequests(plan)}; from the fork on with ${model}`;
  return {
    title: `Fork ${oneLine(tape)}?`,
    action,
    isWarning,
    sections: [
      {
        lines: [`${name} ${oneLine(calls)}.`, `From the fork on, as the tape goes: ${oneLine(formatDatedCost(cost))}.`],
      },
      ...targetSections([callerOf(plan)]),
      {
        lines: [
          `${oneLine(target)} will be created, with ${plural(shared, 'interaction')} of ${oneLine(tape)}, which stays as it is.`,
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
    cases.length === 1 ? `${cases.join()} ${request}.` : `Each ${request}: ${cases.join(', ')}.`,
  );
  return { ...(plans.length > 1 && { title: 'Calls:' }), lines };
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
      ? `will be created${withoutTape(plan)}`
      : kept === undefined
        ? `will be replaced: ${oneLine(replaced)}${price}`
        : `keeps its first ${kept} interactions; the rest will be recorded again${price}. It has ${oneLine(replaced)}`;
  const warning = `⚠ ${file} is also the tape of ${sharedWith.map(oneLine).join(', ')}, which will replay the new recording.`;
  return [`${file} ${outcome}.`, ...(sharedWith.length > 0 ? [warning] : [])];
}
