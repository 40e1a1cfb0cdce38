import { dirname } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { ListedCase } from '../../core/cases/caseKind';
import { caseKindOf } from '../../core/cases/registry';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { unlessUnreadable } from '../errors/systemError';
import { pathOfUser } from '../files/pathOfUser';
import { withSlashes } from '../files/projectPaths';
import { readTextIfThere } from '../files/readFile';

/** A case with the absolute path of the tape that a recording of it replaces. */
interface RecordedTape {
  readonly listed: ListedCase;
  readonly tape: string;
}

/** Undefined for a case that has none, and for one that cannot be read, which its run reports. */
export async function recordedTape(casePath: string): Promise<RecordedTape | undefined> {
  const { path, id } = parseCaseAddress(casePath);
  const text = await unlessUnreadable(readTextIfThere(path, FILE_LIMITS.case));
  const cases =
    text === undefined ? [] : (caseKindOf(text, withSlashes(path))?.list(text, withSlashes(path)).cases ?? []);
  const listed = cases.find((one) => one.id === id);
  if (listed?.recordedTape === undefined) return undefined;
  return { listed, tape: pathOfUser(dirname(path), listed.recordedTape) };
}
