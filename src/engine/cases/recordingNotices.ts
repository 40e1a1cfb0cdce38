import { dirname, resolve } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { ListedCase } from '../../core/cases/caseKind';
import { caseKindOf } from '../../core/cases/registry';
import { describeReplacedTape, replacedTape } from '../../core/cases/replacedTape';
import { describeSharing, type TapeUser } from '../../core/cases/sharedTapes';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { decodeTapeFile } from '../../core/tapes/tapeFile';
import { isSystemError } from '../errors/systemError';
import { fileStatus } from '../files/fileStatus';
import { fromRoot, withSlashes } from '../files/projectPaths';
import { readBytes, readTextIfThere } from '../files/readFile';
import { sharedTapesIn } from './caseTapes';

/** Says what recordings of cases replace. Each project is searched for other users of its tapes once. */
export class RecordingNotices {
  readonly #shared = new Map<string, Promise<ReadonlyMap<string, readonly TapeUser[]>>>();

  /** @param isContinued by `--from`, which replaces the end of the tape whatever the case says about misses */
  constructor(private readonly isContinued: boolean) {}

  /**
   * What a recording of a case replaces or changes, and the other cases that use it; empty for a new tape, for one that stays as
   * it is, and for a case that cannot be read, which its run reports.
   */
  async of(root: string, casePath: string): Promise<readonly string[]> {
    const { tape, onMiss } = await recordedTape(casePath);
    const kept = this.isContinued ? undefined : onMiss;
    if (kept === 'passthrough') return [];
    const replaced = tape === undefined ? undefined : await describeFile(tape);
    if (tape === undefined || replaced === undefined) return [];
    const users = (await this.#sharedIn(root)).get(tape) ?? [];
    const { path } = parseCaseAddress(casePath);
    const self = users.find(({ file }) => file === path);
    const notice = `${kept === 'record' ? 'adds to' : 'replaces'} ${fromRoot(root, tape)}: ${replaced}`;
    return self === undefined ? [notice] : [notice, `warning: ${describeSharing(tape, self, users).message}`];
  }

  #sharedIn(root: string): Promise<ReadonlyMap<string, readonly TapeUser[]>> {
    const known = this.#shared.get(root) ?? sharedTapesIn(root);
    this.#shared.set(root, known);
    return known;
  }
}

interface RecordedTape {
  readonly tape?: string;
  readonly onMiss?: ListedCase['onMiss'] | undefined;
}

async function recordedTape(casePath: string): Promise<RecordedTape> {
  const { path, id } = parseCaseAddress(casePath);
  const text = await orUndefined(() => readTextIfThere(path, FILE_LIMITS.case));
  const cases =
    text === undefined ? [] : (caseKindOf(text, withSlashes(path))?.list(text, withSlashes(path)).cases ?? []);
  const listed = cases.find((one) => one.id === id);
  if (listed?.recordedTape === undefined) return {};
  return { tape: resolve(dirname(path), listed.recordedTape), onMiss: listed.onMiss };
}

async function describeFile(path: string): Promise<string | undefined> {
  return orUndefined(async () => {
    const replaced = replacedTape(decodeTapeFile(path, await readBytes(path, FILE_LIMITS.tape)));
    const changedAt = (await fileStatus(path))?.modifiedMs;
    return replaced === undefined ? 'not a tape' : describeReplacedTape(replaced, changedAt, Date.now());
  });
}

async function orUndefined<T>(read: () => Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
