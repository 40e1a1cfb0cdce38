import { join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { Artifact } from '../../core/model/artifact';
import type { ChangeSet } from '../../core/model/change';
import { Normaliser } from '../../core/review/compare/normaliser';
import { type Measure, runMeasures } from '../../core/review/measures';
import { tapeMeasures } from '../../core/review/tapeMeasures';
import { decodeTapeFile } from '../../core/tapes/tapeFile';
import { readLfsPointer } from '../../core/verify/lfsPointer';
import type { Comparison, ComparisonParams, ComparisonsApi, RecordingSide } from '../../protocol/comparisons';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { readBytes } from '../files/readFile';
import { Repository } from '../git/repository';
import { projectConfig } from '../project/projectConfig';
import { type RecordedFile, recordedFileOf } from '../recording/recordedFile';
import { requireTake } from '../recording/takes';
import { compareRecorded, type NamedRecording, requireWhole } from './compareRecorded';
import { earlierVersions } from './earlierVersions';
import { COMPARED_GZIP, MAX_COMPARED_BYTES } from './fileReview';
import { sentToPage } from './sentToPage';
import { contentDigest } from './stamp';

/** Any two recordings, compared for an editor. The last comparison is kept, because a page asks for its long texts one by one. */
export const comparisonsApi: ComparisonsApi = {
  async comparison(params) {
    const { kind, measures, ...changes } = await compared(params);
    return { kind, measures, ...sentToPage(changes) };
  },
  async comparisonTexts({ id, ...params }) {
    const change = (await compared(params)).changes.find((one) => one.id === id);
    if (change !== undefined) return { before: change.before, after: change.after };
    throw new UserError('one of the two files has changed', 'Open the comparison again.');
  },
  earlierVersions,
};

type WholeComparison = ChangeSet & Pick<Comparison, 'kind'> & { readonly measures: readonly Measure[] };

let last: { readonly key: string; readonly comparison: WholeComparison } | undefined;

async function compared({ before, after }: ComparisonParams): Promise<WholeComparison> {
  const [old, now] = [await bytesOf(before), await bytesOf(after)];
  const config = await projectConfig(after.root);
  const rules = JSON.stringify(config.normalise);
  const key = [before.path, contentDigest(old), after.path, contentDigest(now), rules].join('\0');
  if (last?.key === key) return last.comparison;
  if (old.length + now.length > MAX_COMPARED_BYTES)
    throw new UserError(
      `the two files together are larger than ${MAX_COMPARED_BYTES / 1e6} MB`,
      'Compare them in a terminal: tapedeck diff A B',
    );
  const comparison = compare(recordingOf(before, old), recordingOf(after, now), config);
  last = { key, comparison };
  return comparison;
}

function compare(
  before: NamedRecording,
  after: NamedRecording,
  { normalise, prices }: Awaited<ReturnType<typeof projectConfig>>,
): WholeComparison {
  const { changes, hidden, notices } = compareRecorded(before, after, new Normaliser(normalise));
  const set = { changes, hidden, notices };
  const [old, now] = [before.file, after.file];
  if (old.kind === 'tape' && now.kind === 'tape')
    return { kind: 'tape', ...set, measures: tapeMeasures(old.tape, now.tape, prices) };
  return { kind: 'run', ...set, measures: runMeasures(artifactOf(old), artifactOf(now)) };
}

function artifactOf(file: RecordedFile): Artifact | undefined {
  return file.kind === 'artifact' ? file.artifact : undefined;
}

/** A side that can be read as a whole. Throws a `UserError` for any other. */
function recordingOf(side: RecordingSide, bytes: Buffer): NamedRecording {
  const name = sideName(side);
  if (readLfsPointer(bytes) !== undefined)
    throw new UserError(`${name} is a Git LFS pointer`, 'Fetch its content: git lfs pull');
  const recording = { name, file: recordedFileOf(name, decodeTapeFile(side.path, bytes, COMPARED_GZIP)) };
  requireWhole(recording, 'Open it to see its problems.');
  return recording;
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
    throw new UserError(`${sideName(side)}: ${systemReason(error)}`, 'Choose another one.');
  }
}

function sideName({ path, revision, take }: RecordingSide): string {
  if (revision !== undefined) return `${path} in ${revision.slice(0, 7)}`;
  return take === undefined ? path : `the take ${take} of ${path}`;
}
