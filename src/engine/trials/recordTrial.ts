import { basename, join } from 'node:path';
import type { TrialEvent, TrialParams } from '../../contracts/engine/trials';
import type { Failure } from '../../core/model/run';
import type { Trial, TrialSample } from '../../core/model/trial';
import { LAST_TRIAL_PATH } from '../../core/project/layout';
import { escapeInvisible, escapeInvisibleDeep } from '../../core/text/escapeInvisible';
import { inWords, noticeBeside, noticeFor, type Said } from '../../core/text/notice';
import { type StoredSample, storedSample, storedTrial } from '../../core/trials/storedSample';
import { executionFailures, failuresOf } from '../cases/judgeExecution';
import { failuresText } from '../errors/failures';
import { type ExecuteOptions, type Execution, startedByUser } from '../execution/runnableCase';
import { tryLock } from '../files/lock';
import { pause } from '../process/pause';
import { loadTape } from '../recording/readTape';
import { removeRecordings, writeRecorded } from '../recording/writeRecorded';
import { type OpenedTrial, openTrial, readTrial } from './openTrial';
import { ARTIFACT, callsOn, compareSample, RESULT, type Reference, readKept, referenceOf } from './readSample';
import type { OpenedTrialCase, TrialPlace } from './trialCases';

const BETWEEN_FAILURES = '; ';

/** What all of the failures say, as one text. */
function saidOf(failures: readonly Failure[]): Said {
  const [only = '', ...others] = failures.map(({ message, said }) => said?.message ?? message);
  return others.length === 0 ? only : [only, ...others.flatMap((said) => [BETWEEN_FAILURES, said])];
}

interface TrialOptions extends Pick<ExecuteOptions, 'signal' | 'recorder' | 'network' | 'askEditor' | 'onNotice'> {
  readonly jobs: number;
  readonly again?: 'all' | 'errors' | undefined;
  onEvent?(event: Omit<TrialEvent, 'trialId'>): void;
}

type SampleFailure = Pick<TrialSample, 'failure' | 'said' | 'failureKind'>;

/**
 * Records the samples of a trial that are missing, each in a folder of its own. Tapes, baselines and last runs stay
 * unchanged. Of several processes with the same trial, each records what no other does. Resolves after an abort with what
 * was recorded until then.
 */
export async function recordTrial(params: TrialParams, options: TrialOptions): Promise<Trial> {
  const { root } = params;
  const trial = await openTrial(root, params);
  const casePaths = trial.cases.map(({ casePath }) => casePath);
  const { models, samples } = trial;
  const asked = options.recorder.jsonReport(storedTrial({ casePaths, models, samples }));
  await writeRecorded(root, join(root, LAST_TRIAL_PATH), asked, { durable: false });
  const recording = new TrialRecorder(trial, options);
  await recording.run();
  return readTrial(trial, recording.unkept);
}

/** How often a sample that another process records is checked. */
const WATCH_MS = 200;

class TrialRecorder {
  /** Samples that could not begin, such as for want of a key. */
  readonly unkept = new Map<TrialPlace, TrialSample>();
  readonly #references = new Map<OpenedTrialCase, Promise<Reference | undefined>>();
  readonly #services = new Map<string, Promise<void>>();
  #done = 0;

  constructor(
    private readonly trial: OpenedTrial,
    private readonly options: TrialOptions,
  ) {}

  async run(): Promise<void> {
    const missing: TrialPlace[] = [];
    for (const place of this.trial.places) if (await this.#isMissing(place)) missing.push(place);
    this.#done = this.trial.places.length - missing.length;
    // The first sample of every cell comes before the second of any, so that a stopped trial has results for all of them.
    missing.sort((left, right) => left.sample - right.sample);
    const busy: TrialPlace[] = [];
    await this.#each(missing, async (place) => {
      if (!(await this.#record(place))) busy.push(place);
    });
    await this.#each(busy, async (place) => {
      while (!this.options.signal.aborted && !(await this.#record(place))) await this.#watch();
    });
  }

  async #watch(): Promise<void> {
    // An abort is noticed by the loop around it.
    await pause(WATCH_MS, this.options.signal).catch(() => undefined);
  }

  async #isMissing(place: TrialPlace): Promise<boolean> {
    const { again } = this.options;
    const kept = await readKept(this.trial.root, place);
    return kept === undefined || again === 'all' || (again === 'errors' && kept.verdict === 'error');
  }

  async #each(places: readonly TrialPlace[], work: (place: TrialPlace) => Promise<void>): Promise<void> {
    let next = 0;
    const worker = async (): Promise<void> => {
      for (let place = places[next++]; place !== undefined; place = places[next++]) {
        if (this.options.signal.aborted) return;
        await work(place);
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.options.jobs, places.length) }, worker));
  }

  /** Records a sample; false if another process is recording it. */
  async #record(place: TrialPlace): Promise<boolean> {
    const { root } = this.trial;
    const before = await readKept(root, place);
    const lock = await tryLock(root, join(place.folder, RESULT));
    if (!('release' in lock)) return false;
    try {
      const now = await readKept(root, place);
      // Another process has recorded it in the meantime.
      const isDone = now !== undefined && (before === undefined || !(await this.#isMissing(place)));
      if (isDone) this.#tell(place, now.verdict);
      else await this.#recordLocked(place);
      return true;
    } finally {
      await lock.release();
    }
  }

  async #recordLocked(place: TrialPlace): Promise<void> {
    const { root } = this.trial;
    const refused = this.#refused(place);
    if (refused !== undefined) return this.#leave(place, refused);
    this.#emit(place, { state: 'started' });
    await removeRecordings(root, place.folder);
    try {
      const execution = await this.#execute(place);
      if (this.options.signal.aborted) return await removeRecordings(root, place.folder);
      const kept = await this.#keep(place, execution);
      this.#tell(place, kept.verdict);
    } catch (error) {
      if (this.options.signal.aborted) return await removeRecordings(root, place.folder);
      const failures = failuresOf(error);
      const [failure] = failures;
      const words = () => failuresText(failures);
      const said = noticeBeside(words);
      this.#leave(place, {
        failure: words(),
        ...(said && { said }),
        ...(failure && { failureKind: failure.kind }),
      });
    }
  }

  /** Why an earlier sample of the same case and model could not begin: no other can then. */
  #refused({ trialCase, model }: TrialPlace): SampleFailure | undefined {
    for (const [place, sample] of this.unkept)
      if (place.trialCase === trialCase && place.model === model) return sample;
    return undefined;
  }

  #leave(place: TrialPlace, { failure, said, failureKind }: SampleFailure): void {
    const { sample } = place;
    this.unkept.set(place, {
      sample,
      verdict: 'error',
      durationMs: 0,
      failure,
      ...(said && { said }),
      ...(failureKind && { failureKind }),
    });
    this.#tell(place, 'error');
  }

  /** Runs of a service take turns: it knows the address of one proxy. */
  async #execute(place: TrialPlace): Promise<Execution> {
    const { starts } = place.recording.plan;
    if (starts?.kind !== 'service') return this.#executeNow(place);
    const turn = (this.#services.get(starts.url) ?? Promise.resolve()).then(() => this.#executeNow(place));
    this.#services.set(
      starts.url,
      turn.then(
        () => undefined,
        () => undefined,
      ),
    );
    return turn;
  }

  #executeNow({ trialCase, recording, model, sample, folder }: TrialPlace): Promise<Execution> {
    const { signal, recorder, network, askEditor, onNotice } = this.options;
    return recording.plan.execute({
      root: this.trial.root,
      casePath: trialCase.address,
      signal,
      recorder,
      network,
      model,
      aside: { folder, round: sample - 1 },
      permitStart: startedByUser,
      askEditor,
      onNotice: (notice) => onNotice?.(() => `${trialCase.casePath}, ${model}, sample ${sample}: ${inWords(notice)}`),
    });
  }

  /** Writes the artifact and then the result, with which the sample is complete. */
  async #keep(place: TrialPlace, execution: Execution): Promise<StoredSample> {
    const { root } = this.trial;
    const { recorder } = this.options;
    const { folder } = place;
    const { artifact, recording, run } = execution;
    await writeRecorded(root, join(folder, ARTIFACT), recorder.artifact(artifact), { durable: false });
    const failures = executionFailures(execution, place.trialCase.address);
    const [failure] = failures;
    const text = escapeInvisible(failures.map((one) => one.message).join(BETWEEN_FAILURES));
    const said = noticeFor(text, escapeInvisibleDeep(saidOf(failures)));
    const tape = recording && basename(recording.tapePath);
    const calls = recording === undefined ? [] : callsOn((await loadTape(recording.tapePath)).tape.interactions);
    const verdict = run.error !== null ? 'error' : failure === undefined ? 'passed' : 'failed';
    const compared = await compareSample(await this.#reference(place.trialCase), {
      folder,
      verdict,
      ...(tape && { tape }),
    });
    const kept = storedSample({
      verdict,
      ...(failure && { failure: text, failureKind: failure.kind }),
      ...(said && { said }),
      durationMs: artifact.duration_ms,
      tape,
      calls,
      ...(compared && { compared }),
    });
    await writeRecorded(root, join(folder, RESULT), recorder.jsonReport(kept));
    return kept;
  }

  #reference(trialCase: OpenedTrialCase): Promise<Reference | undefined> {
    const known = this.#references.get(trialCase) ?? referenceOf(this.trial.root, trialCase);
    this.#references.set(trialCase, known);
    return known;
  }

  #tell(place: TrialPlace, verdict: TrialSample['verdict']): void {
    this.#done += 1;
    this.#emit(place, { state: 'finished', verdict });
  }

  #emit({ trialCase, model, sample }: TrialPlace, step: Pick<TrialEvent, 'state' | 'verdict'>): void {
    const { casePath } = trialCase;
    this.options.onEvent?.({ casePath, model, sample, ...step, done: this.#done, of: this.trial.places.length });
  }
}
