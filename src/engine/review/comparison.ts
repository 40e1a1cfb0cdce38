import { join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { readArtifact } from '../../core/cases/artifactFile';
import type { ChangeSet } from '../../core/model/change';
import { takesFolder } from '../../core/project/layout';
import { compareRuns } from '../../core/review/compare/compareRuns';
import { compareTapes } from '../../core/review/compare/compareTapes';
import { Normaliser } from '../../core/review/compare/normaliser';
import { clipSide, deferTexts } from '../../core/review/deferTexts';
import { type Measure, runMeasures } from '../../core/review/measures';
import { tapeMeasures } from '../../core/review/tapeMeasures';
import { detectFormat } from '../../core/tapes/readTape';
import { decodeTapeFile } from '../../core/tapes/tapeFile';
import { readLfsPointer } from '../../core/verify/lfsPointer';
import type { Comparison, ComparisonParams, ComparisonsApi, RecordingSide } from '../../protocol/comparisons';
import { isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { readBytes } from '../files/readFile';
import { Repository } from '../git/repository';
import { projectConfig } from '../project/projectConfig';
import { earlierVersions } from './earlierVersions';
import { COMPARED_GZIP, MAX_COMPARED_BYTES } from './fileReview';
import { contentDigest } from './stamp';

/** Any two recordings, compared for an editor. The last comparison is kept, because a page asks for its long texts one by one. */
export const comparisonsApi: ComparisonsApi = {
  async comparison(params) {
    const { kind, changes, hidden, notices, measures } = await compared(params);
    const shown = hidden.slice(0, MAX_HIDDEN);
    return {
      kind,
      changes: deferTexts(changes).map((change) => ({ ...change, repeats: change.repeats.map(() => ({ path: [] })) })),
      hidden: shown.map((one) => ({ ...one, before: clipSide(one.before), after: clipSide(one.after) })),
      notices: shown.length < hidden.length ? [...notices, hiddenNotice(hidden.length)] : notices,
      measures,
    };
  },
  async comparisonTexts({ id, ...params }) {
    const change = (await compared(params)).changes.find((one) => one.id === id);
    if (change !== undefined) return { before: change.before, after: change.after };
    throw new UserError('one of the two files has changed', 'Open the comparison again.');
  },
  earlierVersions,
};

/** The most ignored differences that are sent to a page. */
const MAX_HIDDEN = 500;

function hiddenNotice(count: number): string {
  return `Of ${count} ignored differences, ${MAX_HIDDEN} are listed here; \`tapedeck diff --all\` lists them all.`;
}

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
  old: Recording,
  now: Recording,
  { normalise, prices }: Awaited<ReturnType<typeof projectConfig>>,
): WholeComparison {
  const normaliser = new Normaliser(normalise);
  if (old.kind === 'tape' && now.kind === 'tape') {
    const measures = tapeMeasures(old.tape, now.tape, prices);
    return { kind: 'tape', ...compareTapes(old.tape, now.tape, normaliser), measures };
  }
  if (old.kind === 'run' && now.kind === 'run')
    return {
      kind: 'run',
      ...compareRuns(old.artifact, now.artifact, normaliser),
      measures: runMeasures(old.artifact, now.artifact),
    };
  throw new UserError('one of the two is a tape, the other a run', 'Compare two tapes, or two runs.');
}

type Recording = ReturnType<typeof recordingOf>;

/** A tape, or the artifact or baseline of a run. Throws a `UserError` where it is neither, or can only be read in part. */
function recordingOf(side: RecordingSide, bytes: Buffer) {
  const name = sideName(side);
  if (readLfsPointer(bytes) !== undefined)
    throw new UserError(`${name} is a Git LFS pointer`, 'Fetch its content: git lfs pull');
  const file = decodeTapeFile(side.path, bytes, COMPARED_GZIP);
  const tape = detectFormat(file)?.read(file);
  const problem = tape?.problems.find(({ severity }) => severity === 'error');
  if (problem !== undefined) throw new UserError(`${name}: ${problem.message}`, 'Open it to see its problems.');
  if (tape !== undefined) return { kind: 'tape', tape } as const;
  const { value: artifact } = readArtifact(file.text);
  if (artifact !== undefined) return { kind: 'run', artifact } as const;
  throw new UserError(`${name} is neither a tape nor a run`, 'Choose a tape, or an artifact or baseline.');
}

async function bytesOf(side: RecordingSide): Promise<Buffer> {
  const { root, path, revision, take } = side;
  if (revision !== undefined) {
    const repository = await Repository.require(root);
    return repository.fileAt(revision, await repository.pathOf(root, path));
  }
  try {
    return await readBytes(join(root, take === undefined ? path : join(takesFolder(path), take)), FILE_LIMITS.tape);
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(`${sideName(side)}: ${systemReason(error)}`, 'Choose another one.');
  }
}

function sideName({ path, revision, take }: RecordingSide): string {
  if (revision !== undefined) return `${path} in ${revision.slice(0, 7)}`;
  return take === undefined ? path : `the take ${take} of ${path}`;
}
