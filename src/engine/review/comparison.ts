import { join } from 'node:path';
import type {
  ComparisonParams,
  ComparisonsApi,
  EarlierVersions,
  RecordingSide,
} from '../../contracts/engine/comparisons';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { type ComparedRecordings, compareRecordings, type RecordingBytes } from '../../core/review/compareRecordings';
import { sentToPage } from '../../core/review/sentToPage';
import { t } from '../../core/text/l10n';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { readBytes } from '../files/readFile';
import { Repository } from '../git/repository';
import { projectConfig } from '../project/projectConfig';
import { notRefused } from '../recording/recordedFile';
import { storedTakes } from '../recording/storedTakes';
import { requireTake } from '../recording/takes';
import { ReviewRules } from './reviewRules';
import { contentDigest } from './stamp';

/** The most commits that are offered. */
const MAX_COMMITS = 50;

/** The takes that a tape has replaced and the commits that changed a file, each the latest first. */
async function earlierVersions({ root, path }: RecordingSide): Promise<EarlierVersions> {
  const repository = await Repository.of(root);
  return {
    takes: await storedTakes({ root, path }),
    commits: (await repository?.commitsOf(await repository.pathOf(root, path), MAX_COMMITS)) ?? [],
  };
}

/** Any two recordings, compared for an editor. The last comparison is kept, because a page asks for its long texts one by one. */
export const comparisonsApi: ComparisonsApi = {
  async comparison(params) {
    const { kind, measures, ...changes } = await compared(params);
    return { kind, measures, ...sentToPage(changes) };
  },
  async comparisonTexts({ id, ...params }) {
    const change = (await compared(params)).changes.find((one) => one.id === id);
    if (change !== undefined) return { before: change.before, after: change.after };
    throw new UserError(t('one of the two files has changed'), t('Open the comparison again.'));
  },
  earlierVersions,
};

let last: { readonly key: string; readonly comparison: ComparedRecordings } | undefined;

async function compared({ before, after }: ComparisonParams): Promise<ComparedRecordings> {
  const [old, now] = [await bytesOf(before), await bytesOf(after)];
  const { rules: normalise } = await (await ReviewRules.of(after.root)).between(before.path, after.path);
  const rules = JSON.stringify(normalise);
  const key = [before.path, contentDigest(old), after.path, contentDigest(now), rules].join('\0');
  if (last?.key === key) return last.comparison;
  const [left, right] = [sideOf(before, old), sideOf(after, now)];
  const comparison = notRefused(compareRecordings(left, right, { ...(await projectConfig(after.root)), normalise }));
  last = { key, comparison };
  return comparison;
}

function sideOf(side: RecordingSide, bytes: Uint8Array): RecordingBytes {
  return { name: sideName(side), path: side.path, bytes };
}

async function bytesOf(side: RecordingSide): Promise<Buffer> {
  const { root, path, revision, take } = side;
  if (revision !== undefined) {
    const repository = await Repository.require(root);
    return repository.fileAt(revision, await repository.pathOf(root, path));
  }
  try {
    const file = join(root, path);
    return await readBytes(
      take === undefined ? file : await requireTake({ root, tapePath: file }, take),
      FILE_LIMITS.tape,
    );
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(`${sideName(side)}: ${systemReason(error)}`, t('Choose another one.'));
  }
}

function sideName({ path, revision, take }: RecordingSide): string {
  if (revision !== undefined) return t('{0} in {1}', path, revision.slice(0, 7));
  return take === undefined ? path : t('the take {0} of {1}', take, path);
}
