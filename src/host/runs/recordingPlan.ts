import * as vscode from 'vscode';
import { recordedByTests } from '../../core/cases/caseKind';
import type { ProviderSpec } from '../../core/model/case';
import type { RetakeCost } from '../../core/model/run';
import { formatRetakeCost } from '../../core/prices/cost';
import { CONFIG_FILE } from '../../core/project/layout';
import { loadCore } from '../../reader/loadCore';
import { HumanError } from '../base/humanError';
import type { CaseEntry } from '../stores/caseEntry';

/** The plan to record one case: the provider that it calls and the tape that it replaces. */
export interface RecordingPlan {
  readonly entry: CaseEntry;
  /** Absent for the user's own agent, which calls its own providers. */
  readonly provider?: ProviderSpec;
  readonly tape: vscode.Uri;
  /** Undefined if there is no tape yet. */
  readonly recordedInteractions: number | undefined;
  /** The calls and their cost, estimated from the existing tape. */
  readonly cost?: RetakeCost;
  /** How many interactions are kept, if only the later ones are recorded. */
  readonly keptInteractions?: number;
}

/** The cases that Tapedeck can record. Throws a `HumanError` if all of them are recorded by their tests instead. */
export function recordableCases(entries: readonly CaseEntry[]): readonly CaseEntry[] {
  const [first] = entries;
  const recordable = entries.filter(({ kind }) => recordedByTests(kind) === undefined);
  if (recordable.length > 0 || first === undefined) return recordable;
  throw new HumanError(
    `${first.name} is recorded by the test that uses it: re-record it from the lens above that test.`,
    {
      title: 'Go to Test',
      run: () => vscode.commands.executeCommand('tapedeck.openTestOfTape', first.file),
    },
  );
}

/** Plans the recording of each case that has a tape to record; the others only run. */
export async function planRecordings(entries: readonly CaseEntry[], from?: number): Promise<readonly RecordingPlan[]> {
  const plans = await Promise.all(entries.map((entry) => planRecording(entry, from)));
  return plans.filter((plan) => plan !== undefined);
}

async function planRecording(entry: CaseEntry, from: number | undefined): Promise<RecordingPlan | undefined> {
  const { recordedTape: tape, provider: own, ownAgent: external } = entry.listed ?? {};
  if (tape === undefined) return undefined;
  const provider = external === undefined ? (own ?? (await projectProvider(entry.folder.uri))) : undefined;
  if (provider === undefined && describeOwnAgent(entry) === undefined) return undefined;
  const uri = vscode.Uri.joinPath(entry.file, '..', tape);
  const text = await readTextFile(uri);
  const { readTape, retakeCost, tapeFileFromText } = await loadCore();
  const recorded = text === undefined ? undefined : readTape(tapeFileFromText(text))?.interactions;
  const cost = recorded && retakeCost(recorded, from ?? 0, provider?.model);
  return {
    entry,
    ...(provider && { provider }),
    tape: uri,
    recordedInteractions: recorded?.length,
    ...(cost && { cost }),
    ...(from !== undefined && cost && { keptInteractions: from }),
  };
}

async function projectProvider(root: vscode.Uri): Promise<ProviderSpec | undefined> {
  const text = await readTextFile(vscode.Uri.joinPath(root, CONFIG_FILE));
  return text === undefined ? undefined : (await loadCore()).readConfig(text).value?.provider;
}

async function readTextFile(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    // Absent or unreadable: the run reports it, with the position.
    return undefined;
  }
}

/** Asks the user to confirm the providers called and the tapes replaced. False when the user declines. */
export async function confirmRecording(plans: readonly RecordingPlan[]): Promise<boolean> {
  const [first] = plans;
  if (first === undefined) return true;
  const message = plans.length === 1 ? `Re-record ${first.entry.name}?` : `Re-record ${plans.length} cases?`;
  const detail = `${plans.slice(0, 5).map(describe).join('\n\n')}${plans.length > 5 ? `\n\n… and ${plans.length - 5} more` : ''}\n\nReplaced tapes are kept in .tapedeck/takes.`;
  return (await vscode.window.showInformationMessage(message, { modal: true, detail }, 'Re-record')) === 'Re-record';
}

function describe(plan: RecordingPlan): string {
  const { entry, tape, recordedInteractions, cost, keptInteractions: kept } = plan;
  const file = vscode.workspace.asRelativePath(tape, false);
  const interactions = `${recordedInteractions} interaction${recordedInteractions === 1 ? '' : 's'}`;
  const outcome = recordedInteractions === undefined ? 'will be created' : `will be replaced: ${interactions}`;
  if (kept !== undefined && cost !== undefined)
    return `${entry.name} ${describeRequests(plan)}.\n${file} keeps its first ${kept} interactions; the rest will be recorded again: ${formatRetakeCost(cost)}.`;
  return `${entry.name} ${describeRequests(plan)}.\n${file} ${outcome}.`;
}

/** The provider or agent that will be called, as a predicate of the case. */
export function describeRequests({ entry, provider }: RecordingPlan): string {
  return describeOwnAgent(entry) ?? (provider ? `calls ${providerLabel(provider)}` : '');
}

/** A predicate about the user's own agent; undefined if the case has none. */
function describeOwnAgent({ listed }: CaseEntry): string | undefined {
  if (listed?.ownAgent !== undefined)
    return `runs ${listed.ownAgent}, which calls its own models; their providers may charge for it`;
  return listed?.asks === undefined ? undefined : `calls ${listed.asks}`;
}

export function providerLabel(provider: ProviderSpec): string {
  if (provider.kind === 'practice') return 'the built-in practice model, which is offline and free';
  if (provider.kind === 'vscode_lm')
    return `${provider.model ?? 'the first model'} of this editor, which asks for your consent; it may count towards your quota`;
  if (provider.kind === 'ollama')
    return `model ${provider.model ?? 'from $OLLAMA_MODEL'}, Ollama at ${provider.baseUrl ?? '$OLLAMA_BASE_URL'}`;
  return `model ${provider.model ?? 'gpt-4o-mini'} at ${provider.baseUrl ?? ''}; the provider may charge for it`;
}
