import { basename, dirname, join } from 'node:path';
import { forkName } from '../../core/forks/forkName';
import { type ForkValues, forkValues } from '../../core/forks/forkValues';
import type { RetakeCost } from '../../core/model/run';
import { retakeCost } from '../../core/prices/retakeCost';
import { isRecordable } from '../../core/tapes/writableFormat';
import { t } from '../../core/text/l10n';
import { recordedTape } from '../cases/recordedTape';
import { UserError } from '../errors/userError';
import { pathExists } from '../files/fileStatus';
import { fromRoot } from '../files/projectPaths';
import { projectConfig } from '../project/projectConfig';
import { loadTape, type StoredTape } from '../recording/readTape';

/** The place of a fork: a case, its tape, and an interaction. */
export interface ForkPlace {
  /** The project's root. */
  readonly root: string;
  /** Absolute, with the id of a case in a file of several. */
  readonly casePath: string;
  /** The tape; absolute. By default the one that the case records. */
  readonly tapePath?: string | undefined;
  /** How many interactions are shared, from the first on. */
  readonly shared: number;
}

/** The plan of a fork. */
export interface ForkPlan {
  readonly stored: StoredTape;
  readonly values: ForkValues;
  /** A new file beside the tape; absolute. */
  readonly target: string;
}

/** Rejects with a `UserError` if the tape cannot be forked there. */
export async function planFork({ root, casePath, tapePath, shared }: ForkPlace): Promise<ForkPlan> {
  const path = tapePath ?? (await tapeOf(root, casePath));
  const stored = await loadTape(path);
  const name = fromRoot(root, path);
  if (!isRecordable(stored.format))
    throw new UserError(
      () => t('{0} is a {1}, which Tapedeck reads but does not write', name, stored.format.label),
      () => t('Convert it first: tapedeck convert.'),
    );
  const { interactions } = stored.tape;
  if (shared > interactions.length)
    throw new UserError(
      () => t('{0} has {1} interactions, so it cannot be forked at {2}', name, interactions.length, shared + 1),
      () => t('Choose one of its interactions.'),
    );
  const target = join(
    dirname(path),
    forkName(basename(path), (one) => pathExists(join(dirname(path), one))),
  );
  return { stored, values: forkValues(interactions, shared), target };
}

async function tapeOf(root: string, casePath: string): Promise<string> {
  const found = await recordedTape(casePath);
  if (found !== undefined) return found.tape;
  throw new UserError(
    () => t('{0} has no tape that could be forked', fromRoot(root, casePath)),
    () => t('Add record_tape = "NAME.tape.json" under [llm].'),
  );
}

/** The estimated cost of recording from the fork on, if the rest goes as on the tape; another model at its own price. */
export async function forkCost(
  { root, casePath }: ForkPlace,
  { stored, values }: ForkPlan,
  model: string | undefined,
): Promise<RetakeCost> {
  const { prices, provider } = await projectConfig(root);
  const listed = (await recordedTape(casePath))?.listed;
  const own = listed?.ownAgent === undefined ? (listed?.provider ?? provider) : undefined;
  const called = model === undefined ? own : { kind: own?.kind ?? 'open_ai_compatible', model };
  return retakeCost(stored.tape.interactions, { from: values.shared, provider: called, prices });
}
