import { createHash } from 'node:crypto';
import { basename, join } from 'node:path';
import type { StoredTake } from '../../contracts/engine/comparisons';
import type { TapeParams } from '../../contracts/engine/engineReviews';
import type { ListedTake, TakesApi, TakesParams } from '../../contracts/engine/takes';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { RunRecord } from '../../core/model/runRecord';
import type { Tape } from '../../core/model/tape';
import { runRecordPath, takeTime } from '../../core/project/layout';
import { readRunRecord } from '../../core/runs/runRecordFile';
import { readTape } from '../../core/tapes/readTape';
import { decodeTapeFile } from '../../core/tapes/tapeFile';
import { unlessUnreadable } from '../errors/systemError';
import { fileStatus } from '../files/fileStatus';
import { digestIfThere, readBytes } from '../files/readFile';
import { OwnState } from '../project/ownState';
import { deleteTakes, restoreTake, undoRestore } from './restoreTake';
import { previousTakes } from './takes';

/** The most takes of a tape that are listed. */
const MAX_TAKES = 50;
/** The most bytes that are read for a list; older takes are listed without their models. */
const MAX_READ = 32_000_000;
/** The most models that are named. */
const MAX_MODELS = 3;

/** The takes of tapes, for an editor. */
export const takesApi: TakesApi = {
  takes: listTakes,
  restoreTake,
  undoRestore,
  deleteTakes: ({ root, path, takes }) => deleteTakes(root, path, takes),
};

/** The kept takes of a tape without their content, the latest first. */
export async function storedTakes({ root, path }: TapeParams): Promise<readonly StoredTake[]> {
  const latest = (await previousTakes({ root, tapePath: join(root, path) })).slice(-MAX_TAKES).reverse();
  const found = latest.map(async (file): Promise<readonly StoredTake[]> => {
    const size = (await fileStatus(file))?.size;
    return size === undefined ? [] : [{ take: basename(file), time: takeTime(file), size }];
  });
  return (await Promise.all(found)).flat();
}

/** The kept takes of a tape, the latest first, with facts from their content and the last runs. */
export async function listTakes({ root, path, cases }: TakesParams): Promise<readonly ListedTake[]> {
  const runs = await runsWith(root, path, cases);
  const tape = await digestIfThere(join(root, path), FILE_LIMITS.tape);
  const files = await previousTakes({ root, tapePath: join(root, path) });
  const listed: ListedTake[] = [];
  let left = MAX_READ;
  for (const kept of await storedTakes({ root, path })) {
    const file = files.find((one) => basename(one) === kept.take);
    left -= kept.size;
    const bytes =
      left < 0 || file === undefined ? undefined : await unlessUnreadable(readBytes(file, FILE_LIMITS.tape));
    const digest = bytes && createHash('sha256').update(bytes).digest('hex');
    const verdict = digest && runs.get(digest);
    const models = bytes === undefined ? [] : modelsOf(readTape(decodeTapeFile(path, bytes)));
    listed.push({ ...kept, models, isTape: digest !== undefined && digest === tape, ...(verdict && { verdict }) });
  }
  return listed;
}

/** The outcomes of the last runs of these cases, by the digest of the tape that they ran with. */
async function runsWith(
  root: string,
  path: string,
  cases: readonly string[],
): Promise<ReadonlyMap<string, RunRecord['status']>> {
  const found = new Map<string, RunRecord['status']>();
  const state = new OwnState(root);
  for (const address of cases) {
    const text = await state.readText(runRecordPath(address), FILE_LIMITS.artifact);
    const run = text === undefined ? undefined : readRunRecord(text);
    const ranWith = run?.inputs.find((input) => input.role === 'tape' && input.path === path)?.content?.sha256;
    // If several cases ran with it, a failure counts more.
    if (run !== undefined && ranWith !== undefined && found.get(ranWith) !== 'failed') found.set(ranWith, run.status);
  }
  return found;
}

function modelsOf(tape: Tape | undefined): readonly string[] {
  const models = new Set<string>();
  for (const { request, response } of tape?.interactions ?? []) {
    const model = response?.model ?? request?.model;
    if (model !== undefined && model !== '') models.add(model);
    if (models.size === MAX_MODELS) break;
  }
  return [...models];
}
