import { dirname, resolve } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { ListedCase } from '../../core/cases/caseKind';
import { caseKindOf } from '../../core/cases/registry';
import { findSharedTapes, type TapeUser } from '../../core/cases/sharedTapes';
import { writeCaseAddress } from '../../core/project/caseAddress';
import { mayHoldCases } from '../../core/project/filePatterns';
import { t } from '../../core/text/l10n';
import { CaseError } from '../errors/failures';
import { isSystemError } from '../errors/systemError';
import { fromRoot, withSlashes } from '../files/projectPaths';
import { readTextSync } from '../files/readFile';
import { walkFiles } from '../files/walkFiles';
import { projectProvider } from '../project/projectConfig';

/** The users of each tape of a project that one of them records, by the absolute path of the tape. */
export async function sharedTapesIn(root: string): Promise<ReadonlyMap<string, readonly TapeUser[]>> {
  return findSharedTapes(await tapeUsersIn(root));
}

/** The cases of a project, with the tapes that they name. */
export async function tapeUsersIn(root: string): Promise<readonly TapeUser[]> {
  const hasProvider = (await providerOf(root)) !== undefined;
  const { paths } = walkFiles([root], {
    isWanted: (path) => mayHoldCases(withSlashes(path)),
    rootOf: () => root,
    fix: t('Name a folder that exists.'),
  });
  return paths.flatMap((path) => casesIn(path).map((listed) => tapeUser(root, path, listed, hasProvider)));
}

/** The provider of `tapedeck.toml`; undefined if that file is invalid, which others report. */
async function providerOf(root: string): Promise<unknown> {
  try {
    return await projectProvider(root);
  } catch (error) {
    if (error instanceof CaseError) return undefined;
    throw error;
  }
}

/** The cases that a file lists. A tape that is a case by itself uses no other. */
function casesIn(path: string): readonly ListedCase[] {
  try {
    const text = readTextSync(path, FILE_LIMITS.case);
    const kind = caseKindOf(text, withSlashes(path));
    return kind === undefined || 'format' in kind ? [] : kind.list(text, withSlashes(path)).cases;
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

function tapeUser(root: string, file: string, listed: ListedCase, hasProvider: boolean): TapeUser {
  const { id, tapes, recordedTape, provider, ownAgent, asks } = listed;
  const fromCase = (tape: string): string => resolve(dirname(file), tape);
  const callsSomeone = provider !== undefined || ownAgent !== undefined || asks !== undefined || hasProvider;
  return {
    file,
    label: fromRoot(root, writeCaseAddress({ path: file, ...(id === undefined ? {} : { id }) })),
    tapes: tapes.map(fromCase),
    ...(recordedTape !== undefined && callsSomeone && { records: fromCase(recordedTape) }),
  };
}
