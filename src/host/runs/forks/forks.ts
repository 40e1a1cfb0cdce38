import * as vscode from 'vscode';
import type { ForkPlanParams, ForkPlanView, ForkView } from '../../../contracts/engine/forks';
import { t } from '../../../core/text/l10n';
import { enginePathOf } from '../../base/caseUri';
import { ContextKey } from '../../base/contextKey';
import { DisposableStore } from '../../base/disposable';
import { HumanError } from '../../base/humanError';
import { withCancellableProgress } from '../../base/progress';
import { requireTrust } from '../../base/trust';
import type { EngineClient } from '../../engine/engineClient';
import { type CaseEntry, tapeUris } from '../../stores/cases/caseEntry';
import type { CaseStore } from '../../stores/cases/caseStore';
import type { KeyStore } from '../recordings/keyStore';
import { allowRecording } from '../recordings/prepareRecording';
import { RecordingPlanner, recordableCases } from '../recordings/recordingPlan';
import { forkQuestion } from '../recordings/recordingQuestions';
import { saveCases } from '../recordings/saveCases';

export interface ForkParts {
  readonly engine: EngineClient;
  readonly cases: CaseStore;
  readonly keys: KeyStore;
}

/** A fork that is being edited, in a document of its own. */
interface OpenFork {
  readonly entry: CaseEntry;
  readonly tape: vscode.Uri;
  readonly place: ForkPlanParams;
}

/** Forks of tapes: the changes are edited in a document, then the fork is recorded and compared. */
export class Forks implements vscode.Disposable {
  readonly #owned = new DisposableStore();
  readonly #open = new Map<string, OpenFork>();
  readonly #hasFork = new ContextKey<boolean>('tapedeck.hasFork');

  constructor(private readonly parts: ForkParts) {
    const isFork = ({ uri }: vscode.TextDocument): boolean => this.#open.has(uri.toString());
    this.#owned.add(
      vscode.languages.registerCodeLensProvider(
        { scheme: 'untitled', language: 'toml' },
        { provideCodeLenses: (document) => (isFork(document) ? lenses() : []) },
      ),
    );
    this.#owned.add(
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#open.delete(uri.toString());
        this.#hasFork.set(this.#open.size > 0);
      }),
    );
  }

  /** Opens the document of a fork that begins with the interactions before this one. */
  async edit(tape: vscode.Uri, interaction: number): Promise<void> {
    requireTrust();
    const entry = await this.#caseOf(tape);
    requireSaved(tape);
    await saveCases([entry]);
    const place: ForkPlanParams = {
      root: entry.folder.uri.fsPath,
      casePath: enginePathOf(entry.uri),
      tapePath: tape.fsPath,
      shared: interaction,
    };
    const { document: content } = await this.parts.engine.call('forkPlan', place);
    const document = await vscode.workspace.openTextDocument({ language: 'toml', content });
    this.#open.set(document.uri.toString(), { entry, tape, place });
    this.#hasFork.set(true);
    await vscode.window.showTextDocument(document);
  }

  /** Records the fork of the active document, and compares it with its tape. */
  async record(): Promise<void> {
    requireTrust();
    const document = vscode.window.activeTextEditor?.document;
    const fork = document && this.#open.get(document.uri.toString());
    if (document === undefined || fork === undefined)
      throw new HumanError(t('Open the document of a fork first: Fork from Here… in a transcript.'));
    const text = document.getText();
    const plan = await this.parts.engine.call('forkPlan', { ...fork.place, document: text });
    requireValid(plan, document);
    const target = await askName(fork, plan.target);
    if (target === undefined) return;
    const keys = await this.#ask(fork, plan, target);
    const recorded = await this.#run(fork, { document: text, target: target.fsPath, keys });
    await closeDocument(document);
    await vscode.commands.executeCommand('tapedeck.compareSelected', undefined, [fork.tape, target]);
    void tell(target, recorded);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  /** The case whose agent records the fork. */
  async #caseOf(tape: vscode.Uri): Promise<CaseEntry> {
    await this.parts.cases.load();
    const users = this.parts.cases
      .all()
      .filter((entry) => tapeUris(entry).some((uri) => uri.toString() === tape.toString()));
    const [user, ...others] = recordableCases(users);
    if (user === undefined)
      throw new HumanError(t('No case uses this tape, so there is no agent to record the fork.'), {
        title: t('New Case for Tape'),
        run: () => vscode.commands.executeCommand('tapedeck.newCaseForTape', tape),
      });
    if (others.length === 0) return user;
    const items = [user, ...others].map((entry) => ({
      label: entry.name,
      description: vscode.workspace.asRelativePath(entry.file),
      entry,
    }));
    const chosen = await vscode.window.showQuickPick(items, {
      title: t('Fork from Here'),
      placeHolder: t('The case whose agent records the fork'),
    });
    if (chosen === undefined) throw new vscode.CancellationError();
    return chosen.entry;
  }

  async #ask(
    { entry, tape, place }: OpenFork,
    plan: ForkPlanView,
    target: vscode.Uri,
  ): Promise<Readonly<Record<string, string>>> {
    const { engine, cases, keys } = this.parts;
    const planner = new RecordingPlanner(engine, cases, keys);
    const [recording] = await planner.plan([entry]);
    if (recording === undefined)
      throw new HumanError(t('{0} calls no model: its responses are in the case.', entry.name));
    const [from, to] = [tape, target].map((uri) => vscode.workspace.asRelativePath(uri, false));
    const facts = { ...plan, shared: place.shared, tape: from ?? '', target: to ?? '' };
    return allowRecording([recording], forkQuestion(recording, facts), { planner, keys });
  }

  async #run(
    { entry, place }: OpenFork,
    what: { document: string; target: string; keys: Readonly<Record<string, string>> },
  ): Promise<ForkView> {
    const { engine } = this.parts;
    const runId = `fork-${crypto.randomUUID()}`;
    return withCancellableProgress(t('Recording a fork with {0}', entry.name), async (progress, signal) => {
      const steps = engine.onRunEvent((event) => {
        if (event.runId === runId && event.type === 'interaction')
          progress.report({ message: `${event.index + 1}: ${event.summary}` });
      });
      try {
        return await engine.call('fork', { ...place, ...what, runId }, { signal });
      } catch (error) {
        if (signal.aborted) throw new vscode.CancellationError();
        throw error instanceof Error ? new HumanError(error.message) : error;
      } finally {
        steps.dispose();
      }
    });
  }
}

function lenses(): vscode.CodeLens[] {
  const place = new vscode.Range(0, 0, 0, 0);
  return [new vscode.CodeLens(place, { title: t('$(record) Record Fork'), command: 'tapedeck.recordFork' })];
}

/** The engine reads the tape from disk. */
function requireSaved(tape: vscode.Uri): void {
  const isOpen = ({ isDirty, uri }: vscode.TextDocument): boolean => isDirty && uri.toString() === tape.toString();
  if (vscode.workspace.textDocuments.some(isOpen))
    throw new HumanError(
      t('{0} has unsaved changes. Save it before you fork it.', vscode.workspace.asRelativePath(tape)),
    );
}

/** Throws, with the place selected, for the first thing that is wrong in the document. */
function requireValid({ problems: [problem] }: ForkPlanView, document: vscode.TextDocument): void {
  if (problem === undefined) return;
  const place = new vscode.Range(document.positionAt(problem.start), document.positionAt(problem.end));
  const editor = vscode.window.visibleTextEditors.find((one) => one.document === document);
  if (editor !== undefined) {
    editor.selection = new vscode.Selection(place.start, place.end);
    editor.revealRange(place);
  }
  throw new HumanError(t('Line {0}: {1}', place.start.line + 1, problem.message));
}

/** A new file; undefined if the user cancels. */
async function askName({ entry }: OpenFork, proposed: string): Promise<vscode.Uri | undefined> {
  const root = entry.folder.uri;
  const name = await vscode.window.showInputBox({
    title: t('Record Fork'),
    prompt: t('The path of the new tape, relative to the project root. The tape that is forked stays as it is.'),
    value: vscode.workspace.asRelativePath(vscode.Uri.file(proposed), false),
    validateInput: async (value) => {
      if (value.trim() === '') return t('Enter a name.');
      return (await exists(vscode.Uri.joinPath(root, value))) ? t('This file already exists.') : undefined;
    },
  });
  return name === undefined ? undefined : vscode.Uri.joinPath(root, name.trim());
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}

/** Closes a document that need not be saved. */
async function closeDocument(document: vscode.TextDocument): Promise<void> {
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
}

async function tell(target: vscode.Uri, { failures, replays }: ForkView): Promise<void> {
  const name = vscode.workspace.asRelativePath(target, false);
  const missed = failures.length === 0 ? '' : t(' Assertions do not hold in it: {0}.', failures.join('; '));
  const text = t('{0} was recorded.{1}{2}', name, missed, replays === undefined ? '' : ` ${replays}`);
  const show = failures.length === 0 ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
  const chosen = await show(text, t('Open Transcript'));
  if (chosen !== undefined) await vscode.commands.executeCommand('tapedeck.openTranscript', target);
}
