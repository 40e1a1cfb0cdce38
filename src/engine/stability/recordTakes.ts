import { join } from 'node:path';
import type { Failure } from '../../core/model/run';
import { stabilityFolder } from '../../core/project/layout';
import type { ComparedTake } from '../../core/stability/variation';
import { message, t } from '../../core/text/l10n';
import { openCase } from '../cases/openCase';
import { CaseError, caseFailure, errorFailures } from '../errors/failures';
import { type ExecuteOptions, type PlannedRun, startedByUser } from '../execution/runnableCase';
import { caseFiles } from '../project/caseFiles';
import { loadTapeForReplay, type StoredTape } from '../recording/readTape';
import { removeRecordings } from '../recording/writeRecorded';

export interface TakesOptions
  extends Pick<ExecuteOptions, 'root' | 'signal' | 'recorder' | 'network' | 'askEditor' | 'onNotice'> {
  readonly times: number;
  /** Called when a take begins; counted from 0. */
  onTake?(take: number): void;
}

/** A recording in a folder of its own. */
interface AsideRecording extends ComparedTake {
  readonly path: string;
  readonly stored: StoredTape;
}

interface RecordedTakes {
  readonly name: string;
  readonly takes: readonly AsideRecording[];
  /** Takes that did not finish, counted from 0, each with its cause. */
  readonly failed: readonly { readonly take: number; readonly failure: Failure }[];
}

/**
 * Records a case several times, one after the other, each into a folder of its own under `.tapedeck/stability/`. The tape,
 * the baseline and the last run stay unchanged. Rejects with a `CaseError` for a case that cannot be recorded, and with
 * the signal's reason.
 */
export async function recordTakes(casePath: string, options: TakesOptions): Promise<RecordedTakes> {
  const { root, times, signal, onTake } = options;
  const { name: caseName } = caseFiles(root, casePath);
  const runnable = await openCase(casePath, caseName);
  const plan = await runnable.plan('record', root);
  if (plan.mode !== 'record')
    throw new CaseError([
      caseFailure(
        () => `${caseName}: ${SCRIPTED}`,
        () => t(ADD_PROVIDER),
      ),
    ]);
  const folder = join(root, stabilityFolder(caseName));
  await removeRecordings(root, folder);
  const takes: AsideRecording[] = [];
  const failed: { take: number; failure: Failure }[] = [];
  for (let round = 0; round < times; round += 1) {
    signal.throwIfAborted();
    onTake?.(round);
    const aside = { folder: join(folder, `take-${round + 1}`), round };
    const outcome = await recordOne(plan, casePath, { ...options, aside });
    if ('stored' in outcome) takes.push(outcome);
    else failed.push({ take: round, failure: outcome });
  }
  return { name: runnable.name, takes, failed };
}

const SCRIPTED = message('its responses are in the case, so every run is the same');
const ADD_PROVIDER = message('Only responses from a provider can vary: add [llm.provider] and a tape.');

async function recordOne(
  plan: PlannedRun,
  casePath: string,
  options: TakesOptions & Pick<ExecuteOptions, 'aside'>,
): Promise<AsideRecording | Failure> {
  try {
    const { run, artifact, recording } = await plan.execute({
      ...options,
      permitStart: startedByUser,
      casePath,
    });
    options.signal.throwIfAborted();
    if (run.error !== null) throw run.error;
    if (recording === undefined) return caseFailure(() => t('nothing was recorded: the agent made no model calls'));
    const stored = await loadTapeForReplay(recording.tapePath);
    return { path: recording.tapePath, stored, tape: stored.tape, artifact };
  } catch (error) {
    const [failure] = options.signal.aborted ? [] : (errorFailures(error) ?? []);
    if (failure === undefined) throw error;
    return failure;
  }
}
