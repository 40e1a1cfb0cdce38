import * as vscode from 'vscode';
import type { AdoptedTrial, TrialParams } from '../../../contracts/engine/trials';
import type { SampleAddress } from '../../../contracts/pages/trialPage';
import type { Trial, TrialSample } from '../../../core/model/trial';
import { plural } from '../../../core/text/counts';
import { t } from '../../../core/text/l10n';
import { askChoices, askText, BACK, type CheckedChoice } from '../../base/askSteps';
import { caseUriIn, enginePathOf } from '../../base/caseUri';
import type { CommandId } from '../../base/commands';
import { confirm, oneLine, type Question } from '../../base/confirm';
import { HumanError, reportError } from '../../base/humanError';
import type { Log } from '../../base/log';
import { withCancellableProgress } from '../../base/progress';
import { requireTrust } from '../../base/trust';
import type { EngineClient } from '../../engine/engineClient';
import type { CaseEntry } from '../../stores/cases/caseEntry';
import type { CaseStore } from '../../stores/cases/caseStore';
import type { KeyStore } from '../recordings/keyStore';
import { allowRecording } from '../recordings/prepareRecording';
import { RecordingPlanner, recordableCases } from '../recordings/recordingPlan';
import { trialQuestion } from '../recordings/recordingQuestions';
import { countProblem, SAMPLE_COUNTS } from '../recordings/sampleCount';
import { saveCases } from '../recordings/saveCases';
import { modelChoices } from './modelChoices';
import { createTrialPanel, keptFolder, type TrialActions, TrialPanel } from './trialPanel';
import { TrialSession } from './trialSession';
import { type AdoptionPreview, againLines, planLines, previewAdoption } from './trialWords';

export interface TrialParts {
  readonly extensionUri: vscode.Uri;
  readonly engine: EngineClient;
  readonly cases: CaseStore;
  readonly keys: KeyStore;
  readonly log: Log;
}

/** How many samples are suggested for the first trial. */
const SAMPLES = 3;

/** Trials of cases with other models, from the question to the page, where a model can be adopted. */
export class Trials implements vscode.Disposable {
  readonly #sessions = new Map<string, TrialSession>();
  #panel: TrialPanel | undefined;

  constructor(private readonly parts: TrialParts) {}

  /** Asks which models to try with these cases, and records them. */
  async start(chosen: readonly CaseEntry[]): Promise<void> {
    requireTrust();
    const entries = recordableCases(chosen);
    const root = rootOf(entries);
    await saveCases(entries);
    const session = this.#session(root);
    const last = session.trial ?? (await session.load());
    const choices = await modelChoices(entries, this.parts.cases.all(), last?.models ?? []);
    const what = entries.length === 1 && entries[0] ? entries[0].name : plural(entries.length, 'case');
    const { models, samples } = await askTrial(what, choices, last?.samples ?? SAMPLES);
    const casePaths = entries.map(({ uri }) => enginePathOf(uri));
    await this.#record(session, entries, { root: root.fsPath, casePaths, models, samples });
  }

  /** Shows the last trial of the project of the active editor, or of the first that has one. */
  async showLast(): Promise<void> {
    requireTrust();
    const active = vscode.window.activeTextEditor?.document.uri;
    const first = active && vscode.workspace.getWorkspaceFolder(active)?.uri;
    const others = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
    for (const root of first === undefined ? others : [first, ...others]) {
      const session = this.#session(root);
      if (await session.load()) return this.#show(session);
    }
    throw new HumanError(t('There is no trial yet. Run “Tapedeck: Try Other Models…” on a case first.'));
  }

  /** Restores the page after the window was reloaded. */
  async restore(panel: vscode.WebviewPanel, kept: unknown): Promise<void> {
    const folder = keptFolder(kept);
    const root = folder && vscode.workspace.getWorkspaceFolder(folder)?.uri;
    if (root === undefined || this.#panel !== undefined) return panel.dispose();
    const session = this.#session(root);
    await this.parts.cases.load();
    await session.load();
    this.#show(session, panel);
  }

  dispose(): void {
    for (const session of this.#sessions.values()) session.dispose();
  }

  async #record(session: TrialSession, entries: readonly CaseEntry[], params: TrialParams): Promise<void> {
    const plan = await this.parts.engine.call('trialPlan', params);
    if (plan.samples === 0) throw new HumanError(t('None of these cases can be recorded. {0}', plan.notices.join(' ')));
    const missing = plan.samples - plan.kept;
    if (missing === 0) return this.#recordAgain(session, entries, params);
    const title = t('Record {0} with {1}?', plural(missing, 'sample'), plural(params.models.length, 'model'));
    const keys = await this.#allow(entries, { title, lines: planLines(plan), notices: plan.notices });
    await this.#run(session, { ...params, keys });
  }

  /** If every sample was recorded, there may be errors to record again. */
  async #recordAgain(session: TrialSession, entries: readonly CaseEntry[], params: TrialParams): Promise<void> {
    // Even with nothing to record, so that the engine knows which trial is the last.
    await session.record({ ...params, keys: {} });
    this.#show(session);
    const { trial } = session;
    if (trial === undefined) return;
    const again = hasErrors(trial) ? 'errors' : 'all';
    const action = again === 'errors' ? t('Record Errors Again…') : t('Record All Again…');
    const text = t('All samples of this trial were already recorded, so nothing was sent.');
    const chosen = await vscode.window.showInformationMessage(text, action);
    if (chosen !== undefined) await this.#again(session, entries, trial, again);
  }

  async #again(
    session: TrialSession,
    entries: readonly CaseEntry[],
    trial: Trial,
    again: 'all' | 'errors',
  ): Promise<void> {
    const lines = againLines(trial, again);
    const title =
      again === 'errors' ? t('Record the samples that ended in an error again?') : t('Record all samples again?');
    const keys = await this.#allow(entries, { title, lines, notices: [] });
    await this.#run(session, { ...paramsOf(session.root, trial), keys, again });
  }

  async #allow(
    entries: readonly CaseEntry[],
    asked: Parameters<typeof trialQuestion>[1],
  ): Promise<Readonly<Record<string, string>>> {
    const { engine, cases, keys } = this.parts;
    const planner = new RecordingPlanner(engine, cases, keys);
    const plans = await planner.plan(entries);
    return allowRecording(plans, trialQuestion(plans, asked), { planner, keys });
  }

  async #run(session: TrialSession, params: Parameters<TrialSession['record']>[0]): Promise<void> {
    const recording = session.record(params);
    this.#show(session);
    await recording;
  }

  #show(session: TrialSession, restored?: vscode.WebviewPanel): void {
    const { extensionUri } = this.parts;
    const onDidDispose = (): void => {
      this.#panel = undefined;
    };
    if (this.#panel !== undefined) this.#panel.show(session);
    else
      this.#panel = new TrialPanel(restored ?? createTrialPanel(), session, this.#actions(), {
        extensionUri,
        onDidDispose,
      });
  }

  #session(root: vscode.Uri): TrialSession {
    const known = this.#sessions.get(root.toString());
    const session = known ?? new TrialSession(root, this.parts.engine);
    this.#sessions.set(root.toString(), session);
    return session;
  }

  #actions(): TrialActions {
    const { log, engine } = this.parts;
    // A failed action of the page reports its error like a command.
    const told =
      <P>(action: (session: TrialSession, params: P) => Promise<void>) =>
      (session: TrialSession, params: P): Promise<void> =>
        action(session, params).catch((error: unknown) => reportError(error, log));
    return {
      openCase: told(async ({ root }, { casePath }) => this.#openCase(root, casePath)),
      compare: told(compareSample),
      openTape: told(openTape),
      adopt: told((session, { model }) => adoptModel(session, model, engine)),
      goOn: told((session) => this.#goOn(session)),
    };
  }

  async #goOn(session: TrialSession): Promise<void> {
    requireTrust();
    const { trial, root } = session;
    if (trial === undefined) return;
    const entries = this.#entries(root, trial);
    await saveCases(entries);
    if (trial.isComplete && hasErrors(trial)) await this.#again(session, entries, trial, 'errors');
    else await this.#record(session, entries, paramsOf(root, trial));
  }

  #entries(root: vscode.Uri, { cases }: Trial): readonly CaseEntry[] {
    return cases.flatMap(({ casePath }) => this.parts.cases.get(caseUriIn(root, casePath)) ?? []);
  }

  async #openCase(root: vscode.Uri, casePath: string): Promise<void> {
    const entry = this.parts.cases.get(caseUriIn(root, casePath));
    if (entry === undefined) throw new HumanError(t('{0} is no longer a case.', casePath));
    const selection = new vscode.Range(entry.headLine, 0, entry.headLine, 0);
    await vscode.commands.executeCommand('vscode.open', entry.file, { selection });
  }
}

/** The project of the cases: a trial has exactly one. */
function rootOf(entries: readonly CaseEntry[]): vscode.Uri {
  const [root, ...others] = new Map(entries.map(({ folder }) => [folder.uri.toString(), folder])).values();
  if (root === undefined) throw new HumanError(t('No case is selected. Open one, or select one in the Tapedeck view.'));
  if (others.length === 0) return root.uri;
  const names = [root, ...others].map(({ name }) => name).join(', ');
  throw new HumanError(t('A trial covers the cases of one workspace folder, and these are in {0}.', names));
}

function paramsOf(root: vscode.Uri, { cases, models, samples }: Trial): TrialParams {
  return { root: root.fsPath, casePaths: cases.map(({ casePath }) => casePath), models, samples };
}

function hasErrors({ cells }: Trial): boolean {
  return cells.some(({ summary }) => summary.errors > 0);
}

async function compareSample(session: TrialSession, address: SampleAddress): Promise<void> {
  const { compared } = sampleAt(session, address);
  if (compared === undefined)
    throw new HumanError(t('This sample was compared with nothing: its case has no tape and no baseline.'));
  const sides = [compared.before, compared.after].map((path) => vscode.Uri.joinPath(session.root, path));
  await vscode.commands.executeCommand('tapedeck.compareSelected' satisfies CommandId, undefined, sides);
}

async function openTape(session: TrialSession, address: SampleAddress): Promise<void> {
  const { tapePath } = sampleAt(session, address);
  if (tapePath === undefined) throw new HumanError(t('Nothing was recorded for this sample.'));
  const tape = vscode.Uri.joinPath(session.root, tapePath);
  await vscode.commands.executeCommand('tapedeck.openTranscript' satisfies CommandId, tape);
}

function sampleAt({ trial }: TrialSession, { casePath, model, sample }: SampleAddress): TrialSample {
  const cell = trial?.cells.find((one) => one.casePath === casePath && one.model === model);
  const found = cell?.samples.find((one) => one.sample === sample);
  if (found === undefined)
    throw new HumanError(t('This sample no longer exists: its case has changed, or it is being recorded again.'));
  return found;
}

interface TrialChoice {
  readonly models: readonly string[];
  readonly samples: number;
}

/** Asks which models to try, and how often. Rejects with `CancellationError` when the user cancels. */
async function askTrial(what: string, models: readonly CheckedChoice[], samples: number): Promise<TrialChoice> {
  const title = t('Try Other Models for {0}', what);
  let offered = models;
  for (;;) {
    const place = { title, step: 1, totalSteps: 2 };
    const chosen = await askChoices(place, t('Check models, or type their names, separated by commas'), offered);
    if (chosen === BACK) continue;
    const count = await askText(
      { title, step: 2, totalSteps: 2 },
      {
        prompt: () => t('How many samples to record of each case with {0}', plural(chosen.length, 'model')),
        placeholder: '',
        value: String(samples),
        validate: (text) => countProblem(text, SAMPLE_COUNTS),
      },
    );
    if (count !== BACK) return { models: chosen, samples: Number(count) };
    offered = withChosen(models, chosen);
  }
}

/** The models again, with those checked that were chosen. */
function withChosen(models: readonly CheckedChoice[], chosen: readonly string[]): readonly CheckedChoice[] {
  const unknown = chosen.filter((name) => models.every(({ label }) => label !== name));
  return [
    ...unknown.map((label) => ({ label, picked: true })),
    ...models.map((item) => ({ ...item, picked: chosen.includes(item.label) })),
  ];
}

/** Makes recordings of a model the tapes of the cases, after asking, and opens the review of the first. */
async function adoptModel(session: TrialSession, model: string, engine: Pick<EngineClient, 'call'>): Promise<void> {
  requireTrust();
  const { trial, root } = session;
  if (trial === undefined) throw new HumanError(t('There is no trial to adopt from.'));
  const preview = previewAdoption(trial, model);
  if (preview.casePaths.length === 0)
    throw new HumanError(t('No case can adopt {0}. {1}', model, preview.left.slice(0, 3).join(' ')));
  if (!(await confirm(adoptionQuestion(model, preview)))) return;
  const outcome = await withCancellableProgress(t('Adopting {0}', model), (_, signal) =>
    engine.call('adoptTrial', { root: root.fsPath, model, casePaths: preview.casePaths }, { signal }),
  );
  await session.load();
  void announce(model, outcome);
  const [first] = outcome.adopted;
  if (first !== undefined) await openReview(vscode.Uri.joinPath(root, first.tapePath));
}

function adoptionQuestion(model: string, { taken, left }: AdoptionPreview): Question {
  return {
    title: t('Adopt {0} in {1}?', oneLine(model), plural(taken.length, 'case')),
    action: t('Adopt'),
    isWarning: false,
    sections: [
      { title: t('Tapes:'), lines: taken.map(oneLine) },
      ...(left.length > 0 ? [{ title: t('These keep their tapes:'), lines: left.map(oneLine) }] : []),
      {
        lines: [
          t('Replaced tapes are kept in .tapedeck/takes. Cases that name another model are changed to this one.'),
          t('You review the changes afterwards, as after any recording.'),
        ],
      },
    ],
  };
}

async function announce(model: string, { adopted, refused }: AdoptedTrial): Promise<void> {
  if (refused.length === 0) return;
  const reasons = refused.map(({ casePath, reason }) => `${casePath}: ${reason}`).join(' ');
  await vscode.window.showWarningMessage(
    t('{0} adopted {1}. These keep their tapes: {2}', plural(adopted.length, 'case'), model, reasons),
  );
}

async function openReview(tape: vscode.Uri): Promise<void> {
  await vscode.commands.executeCommand('tapedeck.refreshReviews' satisfies CommandId);
  await vscode.commands.executeCommand('tapedeck.openReview' satisfies CommandId, tape);
}
