import * as vscode from 'vscode';
import { confirm, type Question } from '../../base/confirm';
import type { CaseEntry } from '../../stores/cases/caseEntry';
import type { KeyStore } from './keyStore';
import { keyVariablesOf, type RecordingPlan, type RecordingPlanner, recordableCases } from './recordingPlan';
import { recordingQuestion } from './recordingQuestions';

/** What the user has agreed to record. */
export interface PreparedRecording {
  readonly entries: readonly CaseEntry[];
  /** The stored keys that it sends, by their variables. */
  readonly keys: Readonly<Record<string, string>>;
}

/**
 * Plans the recording of the cases, and asks for it. Rejects with `CancellationError` when it is declined, and with a
 * `HumanError` when none of the cases is recorded by Tapedeck.
 */
export async function prepareRecording(
  planner: RecordingPlanner,
  keys: Pick<KeyStore, 'stored'>,
  chosen: readonly CaseEntry[],
  from?: number,
): Promise<PreparedRecording> {
  const entries = recordableCases(chosen);
  const plans = await planner.plan(entries, from);
  if (plans.length === 0) return { entries, keys: {} };
  return { entries, keys: await allowRecording(plans, recordingQuestion(plans), { planner, keys }) };
}

/**
 * Asks whether to record these plans, and remembers which keys may go where. Returns the stored keys that are sent, by their
 * variables. Rejects with `CancellationError` if the user declines.
 */
export async function allowRecording(
  plans: readonly RecordingPlan[],
  question: Question,
  { planner, keys }: { readonly planner: Pick<RecordingPlanner, 'allow'>; readonly keys: Pick<KeyStore, 'stored'> },
): Promise<Readonly<Record<string, string>>> {
  if (!(await confirm(question))) throw new vscode.CancellationError();
  await planner.allow(plans);
  return keys.stored(plans.flatMap(keyVariablesOf));
}
