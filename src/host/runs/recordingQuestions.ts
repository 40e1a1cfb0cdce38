import * as vscode from 'vscode';
import { formatRetakeCost } from '../../core/prices/formatRetakeCost';
import type { RecordingTarget } from '../../protocol/recordingTargets';
import { oneLine, type Question, type QuestionSection } from '../base/confirm';
import { describeRequests, isNewTarget, type RecordingPlan } from './recordingPlan';

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
      ...targetSections(plans),
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
      ...targetSections([plan]),
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
  const isNew = plans.some(({ targets }) => targets.some(isNewTarget));
  const isShared = plans.some(({ sharedWith }) => sharedWith.length > 0);
  return { action: isNew ? `Allow and ${verb}` : verb, isWarning: isNew || isShared };
}

/** The hosts with their keys: first those that are new in this project, and each once, with the cases that call it. */
function targetSections(plans: readonly RecordingPlan[]): readonly QuestionSection[] {
  const groups = new Map<string, { readonly target: RecordingTarget; readonly cases: Set<string> }>();
  for (const { entry, targets } of plans)
    for (const target of targets) {
      const key = JSON.stringify([target.host, target.variable, target.setBy, isNewTarget(target)]);
      const group = groups.get(key) ?? { target, cases: new Set() };
      groups.set(key, group);
      group.cases.add(oneLine(entry.name));
    }
  const all = [...groups.values()];
  const line = ({ target, cases }: (typeof all)[number]): string =>
    `• ${describeTarget(target)}${plans.length === 1 ? '' : ` — ${[...cases].join(', ')}`}`;
  const section = (title: string, wanted: typeof all): readonly QuestionSection[] =>
    wanted.length === 0 ? [] : [{ title, lines: wanted.map(line) }];
  return [
    ...section(
      'New in this project, to be allowed:',
      all.filter(({ target }) => isNewTarget(target)),
    ),
    ...section(
      'Requests go to:',
      all.filter(({ target }) => !isNewTarget(target)),
    ),
  ];
}

function describeTarget({ host, variable, isSet, setBy }: RecordingTarget): string {
  const key = variable === undefined ? ', without a key' : `, with the value of ${oneLine(variable)}`;
  const missing = variable === undefined || isSet ? '' : ', which is not set';
  if (setBy === 'pass_env') return `${host}${key} (named in ${oneLine(setBy)})`;
  return `${oneLine(host)}${key}${missing} (host set by ${oneLine(setBy)})`;
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
