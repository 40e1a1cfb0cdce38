import * as vscode from 'vscode';
import { formatRetakeCost } from '../../core/prices/formatRetakeCost';
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
      { title: 'Tapes:', lines: sharedFirst(plans).flatMap(tapeLines) },
      ...(isFirst ? [] : [{ lines: ['Replaced tapes are kept in .tapedeck/takes.'] }]),
    ],
  };
}

/** The question about recording one case several times, which replaces no tape. */
export function stabilityQuestion(plan: RecordingPlan, times: number): Question {
  const { calls = 0, dollars } = plan.cost ?? {};
  const all = { calls: calls * times, ...(dollars !== undefined && { dollars: dollars * times }) };
  const price = calls === 0 ? `${times} runs; without a tape the cost cannot be estimated` : formatRetakeCost(all);
  const { action, isWarning } = riskOf([{ ...plan, sharedWith: [] }], 'Record');
  const name = oneLine(plan.entry.name);
  return {
    title: `Record ${name} ${times} times?`,
    action,
    isWarning,
    sections: [
      { lines: [`${name} ${oneLine(describeRequests(plan))}.`, `That is ${price}.`] },
      ...targetSections([callerOf(plan)]),
      { lines: ['The takes are saved in .tapedeck/stability.'] },
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

function tapeLines({ tape, replaced, cost, keptInteractions: kept, sharedWith }: RecordingPlan): readonly string[] {
  const file = oneLine(vscode.workspace.asRelativePath(tape, false));
  const price = cost === undefined ? '' : `; ${formatRetakeCost(cost)}`;
  const outcome =
    replaced === undefined
      ? 'will be created'
      : kept === undefined
        ? `will be replaced: ${oneLine(replaced)}${price}`
        : `keeps its first ${kept} interactions; the rest will be recorded again${price}. It has ${oneLine(replaced)}`;
  const warning = `⚠ ${file} is also the tape of ${sharedWith.map(oneLine).join(', ')}, which will replay the new recording.`;
  return [`${file} ${outcome}.`, ...(sharedWith.length > 0 ? [warning] : [])];
}
