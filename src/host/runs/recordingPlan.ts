import * as vscode from 'vscode';
import { recordedByTests } from '../../core/cases/caseKind';
import type { ProviderSpec } from '../../core/model/case';
import type { RetakeCost } from '../../core/model/run';
import { formatRetakeCost } from '../../core/prices/cost';
import { CONFIG_FILE } from '../../core/project/layout';
import { loadCore } from '../../reader/loadCore';
import { HumanError } from '../base/humanError';
import type { CaseEntry } from '../stores/caseEntry';

/** What re-recording one case will do: whom it asks, and which tape it replaces. */
export interface RecordingPlan {
  readonly entry: CaseEntry;
  /** Absent where the user's own agent asks its own. */
  readonly provider?: ProviderSpec;
  readonly tape: vscode.Uri;
  /** Undefined where there is no tape yet. */
  readonly recordedInteractions: number | undefined;
  /** What is recorded, going by the tape that is there. */
  readonly cost?: RetakeCost;
  /** Where only the end is recorded: how many interactions stay. */
  readonly keptInteractions?: number;
}

/** The cases that Tapedeck records; others are recorded by their tests. Throws a `HumanError` where there are only those. */
export function recordableCases(entries: readonly CaseEntry[]): readonly CaseEntry[] {
  const [first] = entries;
  const recordable = entries.filter(({ kind }) => recordedByTests(kind) === undefined);
  if (recordable.length > 0 || first === undefined) return recordable;
  throw new HumanError(
    `${first.name} is recorded by the test that uses it: re-record it from the lens above that test.`,
    {
      title: 'Go to the Test',
      run: () => vscode.commands.executeCommand('tapedeck.openTestOfTape', first.file),
    },
  );
}

/** The plans of those cases that have something to record; the others just run. */
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
    // Absent or unreadable: the run itself says so, with the place.
    return undefined;
  }
}

/** Says who will be asked and what will be replaced, before anything is spent. False when the user declines. */
export async function confirmRecording(plans: readonly RecordingPlan[]): Promise<boolean> {
  const [first] = plans;
  if (first === undefined) return true;
  const message = plans.length === 1 ? `Re-record ${first.entry.name}?` : `Re-record ${plans.length} cases?`;
  const detail = `${plans.slice(0, 5).map(describe).join('\n\n')}${plans.length > 5 ? `\n\n… and ${plans.length - 5} more` : ''}\n\nWhat is replaced stays in .tapedeck/takes.`;
  return (await vscode.window.showInformationMessage(message, { modal: true, detail }, 'Re-record')) === 'Re-record';
}

function describe(plan: RecordingPlan): string {
  const { entry, tape, recordedInteractions, cost, keptInteractions: kept } = plan;
  const file = vscode.workspace.asRelativePath(tape, false);
  const interactions = `${recordedInteractions} interaction${recordedInteractions === 1 ? '' : 's'}`;
  const outcome = recordedInteractions === undefined ? 'is a new tape' : `is replaced: ${interactions}`;
  if (kept !== undefined && cost !== undefined)
    return `${entry.name} ${describeRequests(plan)}.\n${file} keeps its first ${kept} interactions; the rest is recorded again: ${formatRetakeCost(cost)}.`;
  return `${entry.name} ${describeRequests(plan)}.\n${file} ${outcome}.`;
}

/** Who is asked, as the rest of a sentence about the case. */
export function describeRequests({ entry, provider }: RecordingPlan): string {
  return describeOwnAgent(entry) ?? (provider ? `asks ${providerLabel(provider)}` : '');
}

/** What the user's own agent does, where the case has one. */
function describeOwnAgent({ listed }: CaseEntry): string | undefined {
  if (listed?.ownAgent !== undefined)
    return `runs ${listed.ownAgent}, which asks its own models; their providers may charge for it`;
  return listed?.asks === undefined ? undefined : `asks ${listed.asks}`;
}

export function providerLabel(provider: ProviderSpec): string {
  if (provider.kind === 'practice') return 'the practice model, built in and offline: it costs nothing';
  if (provider.kind === 'vscode_lm')
    return `${provider.model ?? 'the first model'} of this editor, which asks for your consent; its provider may count it`;
  if (provider.kind === 'ollama')
    return `model ${provider.model ?? 'of $OLLAMA_MODEL'}, Ollama at ${provider.baseUrl ?? '$OLLAMA_BASE_URL'}`;
  return `model ${provider.model ?? 'gpt-4o-mini'} at ${provider.baseUrl ?? ''}; the provider may charge for it`;
}
