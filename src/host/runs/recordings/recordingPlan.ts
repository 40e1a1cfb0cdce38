import * as vscode from 'vscode';
import type { RecordingCostsParams, RecordingEstimate } from '../../../contracts/engine/recordingCosts';
import type { RecordingTarget } from '../../../contracts/engine/recordingTargets';
import { recordedByTests } from '../../../core/cases/caseKind';
import type { ProviderSpec } from '../../../core/model/case';
import type { RetakeCost } from '../../../core/model/run';
import { t } from '../../../core/text/l10n';
import { loadCore } from '../../../reader/loadCore';
import { enginePathOf } from '../../base/caseUri';
import { HumanError } from '../../base/humanError';
import type { EngineClient } from '../../engine/engineClient';
import { newTargets } from '../../engine/recordingTargets';
import type { CaseEntry } from '../../stores/cases/caseEntry';
import type { CaseStore } from '../../stores/cases/caseStore';
import { readProjectProvider } from '../../stores/cases/projectProvider';
import { type EntryTapeUser, readSharedTapes } from '../../stores/cases/sharedTapes';
import type { KeyStore } from './keyStore';

/** The plan to record one case: whom it calls, with which keys, and the tape that it replaces. */
export interface RecordingPlan {
  readonly entry: CaseEntry;
  /** Absent for the user's own agent, which calls its own providers. */
  readonly provider?: ProviderSpec;
  /** Every host that is called, with the key that goes there. */
  readonly targets: readonly RecordingTarget[];
  readonly tape: vscode.Uri;
  /** What the tape has now; undefined if there is no tape yet. */
  readonly replaced?: string;
  /** The paths of the other cases that use the tape. */
  readonly sharedWith: readonly string[];
  /** The calls and their cost, estimated from the existing tape. */
  readonly cost?: RetakeCost;
  /** What the model costs, in words, where there is no tape to estimate from. */
  readonly rate?: string;
  /** How many interactions are kept, if only the later ones are recorded. */
  readonly keptInteractions?: number;
}

/** The cases that Tapedeck can record. Throws a `HumanError` if all of them are recorded by their tests instead. */
export function recordableCases(entries: readonly CaseEntry[]): readonly CaseEntry[] {
  const [first] = entries;
  const recordable = entries.filter(({ kind }) => recordedByTests(kind) === undefined);
  if (recordable.length > 0 || first === undefined) return recordable;
  throw new HumanError(
    t('{0} is recorded by the test that uses it: re-record it from the lens above that test.', first.name),
    {
      title: t('Go to Test'),
      run: () => vscode.commands.executeCommand('tapedeck.openTestOfTape', first.file),
    },
  );
}

/** Plans recordings. The engine says where they send requests, as it is the one that sends them. */
export class RecordingPlanner {
  constructor(
    private readonly engine: Pick<EngineClient, 'call'>,
    private readonly cases: Pick<CaseStore, 'load' | 'all'>,
    private readonly keys: Pick<KeyStore, 'names'>,
  ) {}

  /** Plans the recording of each case that has a tape to record; the others only run. */
  async plan(entries: readonly CaseEntry[], from?: number): Promise<readonly RecordingPlan[]> {
    await this.cases.load();
    const shared = await readSharedTapes(this.cases.all());
    const found = { targets: await this.#targets(entries), estimates: await this.#estimates(entries, from), shared };
    const plans = entries.map((entry) => planRecording(entry, found, from));
    return (await Promise.all(plans)).filter((plan) => plan !== undefined);
  }

  /** Remembers, outside of the project, that the keys of these plans may go to their hosts. */
  async allow(plans: readonly RecordingPlan[]): Promise<void> {
    for (const root of rootsOf(plans.map(({ entry }) => entry))) {
      const targets = plans
        .filter(({ entry }) => entry.folder.uri.fsPath === root)
        .flatMap((plan) => newTargets(plan.targets));
      if (targets.length > 0) await this.engine.call('confirmKeys', { root, targets });
    }
  }

  async #targets(entries: readonly CaseEntry[]): Promise<readonly RecordingTarget[]> {
    const storedKeys = [...this.keys.names()];
    const calls = projectsOf(entries).map((project) =>
      this.engine.call('recordingTargets', { ...project, storedKeys }),
    );
    return (await Promise.all(calls)).flat();
  }

  async #estimates(entries: readonly CaseEntry[], from?: number): Promise<readonly RecordingEstimate[]> {
    const calls = projectsOf(entries).map((project) => this.engine.call('recordingCosts', { ...project, from }));
    return (await Promise.all(calls)).flat();
  }
}

/** The cases of each project, as the engine names them. */
function projectsOf(entries: readonly CaseEntry[]): readonly RecordingCostsParams[] {
  return rootsOf(entries).map((root) => {
    const casePaths = entries.filter(({ folder }) => folder.uri.fsPath === root).map(({ uri }) => enginePathOf(uri));
    return { root, casePaths };
  });
}

function rootsOf(entries: readonly CaseEntry[]): readonly string[] {
  return [...new Set(entries.map(({ folder }) => folder.uri.fsPath))];
}

/** The variables whose values a recording sends to its hosts. */
export function keyVariablesOf({ targets }: RecordingPlan): readonly string[] {
  return targets.flatMap(({ variable }) => variable ?? []);
}

interface FoundForPlans {
  readonly targets: readonly RecordingTarget[];
  readonly estimates: readonly RecordingEstimate[];
  readonly shared: ReadonlyMap<string, readonly EntryTapeUser[]>;
}

async function planRecording(
  entry: CaseEntry,
  { targets, estimates, shared }: FoundForPlans,
  from: number | undefined,
): Promise<RecordingPlan | undefined> {
  const { recordedTape, provider: own, ownAgent } = entry.listed ?? {};
  if (recordedTape === undefined) return undefined;
  const provider = ownAgent === undefined ? (own ?? (await readProjectProvider(entry.folder.uri))) : undefined;
  if (provider === undefined && describeOwnAgent(entry) === undefined) return undefined;
  const tape = vscode.Uri.joinPath(entry.file, '..', recordedTape);
  const replaced = await readTapeToReplace(tape);
  const path = enginePathOf(entry.uri);
  const { cost, rate } = estimates.find(({ casePath }) => casePath === path) ?? {};
  const others = (shared.get(tape.toString()) ?? []).filter(({ file }) => file !== entry.file.toString());
  return {
    entry,
    provider,
    targets: targets.filter(({ casePath }) => casePath === path),
    tape,
    replaced,
    sharedWith: others.map(({ label }) => label),
    cost,
    rate,
    ...(from !== undefined && from > 0 && cost && { keptInteractions: from }),
  };
}

/** What a recording over this file replaces; undefined if there is no file. */
async function readTapeToReplace(uri: vscode.Uri): Promise<string | undefined> {
  const found = await readWithTime(uri);
  if (found === undefined) return undefined;
  const { decodeTapeFile, describeReplacedTape, replacedTape } = await loadCore();
  const replaced = replacedTape(decodeTapeFile(uri.path, found.bytes));
  return replaced === undefined
    ? t('a file that is not a tape')
    : describeReplacedTape(replaced, found.changedAt, Date.now());
}

async function readWithTime(
  uri: vscode.Uri,
): Promise<{ readonly bytes: Uint8Array; readonly changedAt: number } | undefined> {
  try {
    const { mtime } = await vscode.workspace.fs.stat(uri);
    return { bytes: await vscode.workspace.fs.readFile(uri), changedAt: mtime };
  } catch (error) {
    // Absent or unreadable: the run reports it, with the position.
    if (error instanceof vscode.FileSystemError) return undefined;
    throw error;
  }
}

/** The provider or agent that will be called, as a predicate of the case. */
export function describeRequests({ entry, provider }: RecordingPlan): string {
  return describeOwnAgent(entry) ?? (provider ? `calls ${providerLabel(provider)}` : '');
}

/** A predicate about the user's own agent; undefined if the case has none. */
function describeOwnAgent({ listed }: CaseEntry): string | undefined {
  if (listed?.ownAgent !== undefined)
    return t('runs {0}, which calls its own models; their providers may charge for it', listed.ownAgent);
  return listed?.asks === undefined ? undefined : `calls ${listed.asks}`;
}

/** The model of a provider, and what it costs. Its host is one of the targets, as the engine will call it. */
function providerLabel({ kind, model }: ProviderSpec): string {
  if (kind === 'practice') return t('the built-in practice model, which is offline and free');
  if (kind === 'vscode_lm')
    return t(
      '{0} of this editor, which asks for your consent; it may count towards your quota',
      model ?? t('the first model'),
    );
  if (kind === 'ollama') return t('model {0} of Ollama', model ?? t('from $OLLAMA_MODEL'));
  return t('model {0}; the provider may charge for it', model ?? 'gpt-4o-mini');
}
