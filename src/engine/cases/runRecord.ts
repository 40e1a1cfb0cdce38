import { createHash } from 'node:crypto';
import { extname, join } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import type { ListedCase } from '../../core/cases/caseKind';
import { caseKindOf } from '../../core/cases/registry';
import type { Failure, RunResult } from '../../core/model/run';
import type { FileFingerprint, RunInput, RunRecord, SourcePlace } from '../../core/model/runRecord';
import { parseCaseAddress } from '../../core/project/caseAddress';
import { runRecordPath } from '../../core/project/layout';
import { type CaseInputs, caseInputs, MAX_SOURCE_FILES } from '../../core/runs/caseInputs';
import { storedRunRecord } from '../../core/runs/runRecordFile';
import { t } from '../../core/text/l10n';
import type { Words } from '../../core/text/notice';
import { isSystemError, unlessUnreadable } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { fileStatus } from '../files/fileStatus';
import { fromRoot, isInside, withSlashes } from '../files/projectPaths';
import { readBytes } from '../files/readFile';
import { walkFiles } from '../files/walkFiles';
import type { Recorders } from '../recording/openRecorder';
import { reportContent } from '../recording/reportContent';
import { writeRecorded } from '../recording/writeRecorded';
import { NOT_RUN } from './describeComparison';

/** What a run depends on, as it was when the run began. */
interface RunInputs {
  readonly files: readonly RunInput[];
  readonly sources: readonly SourcePlace[];
  /** The text of the case; undefined if it cannot be read, or is too large to be kept. */
  readonly text?: string | undefined;
}

/** Reads the inputs of a case. Never rejects: a file that cannot be read counts as missing. */
export async function readRunInputs(root: string, casePath: string): Promise<RunInputs> {
  if (!isInside(root, casePath)) return { files: [], sources: [] };
  const { path, id } = parseCaseAddress(casePath);
  const written = await unlessUnreadable(readInput(path));
  const text = written && written.bytes.length <= FILE_LIMITS.case ? written.bytes.toString('utf8') : undefined;
  const listed = text === undefined ? undefined : listCase(path, text, id);
  const { files, sources }: CaseInputs = caseInputs(fromRoot(root, casePath), listed);
  const places = await Promise.all(sources.map((place) => sourceFiles(root, place)));
  const known = new Set(files.map(({ path }) => path));
  const added = [...new Set(places.flat())].filter((path) => !known.has(path)).sort();
  const agent = added.slice(0, MAX_SOURCE_FILES).map((path) => ({ role: 'agent', path }) as const);
  const own = fromRoot(root, path);
  const inputs = [...files, ...agent].map((input) =>
    written !== undefined && input.path === own ? { ...input, content: written.content } : withContent(root, input),
  );
  return { files: await Promise.all(inputs), sources, text };
}

/**
 * Writes the result of a run that was not cancelled, with the inputs that it holds for: those from its beginning, and the tape and the
 * baseline as it has written them. A project that cannot be written to keeps none.
 */
export async function keepRunRecord(
  result: RunResult,
  { files, sources }: RunInputs,
  { root, recorders, onNotice }: { root: string; recorders: Recorders; onNotice?(notice: Words): void },
): Promise<void> {
  const { casePath, name, mode, status, durationMs, failures, compared, said, checkedNothing = false } = result;
  if (status === 'cancelled' || files.length === 0) return;
  const isWritten = ({ role }: RunInput): boolean =>
    (role === 'tape' && result.recording !== undefined) ||
    (role === 'baseline' && result.baselineUpdated === true) ||
    (role === 'case' && result.recording?.wroteResults === true);
  const record: RunRecord = {
    finishedAtMs: Date.now(),
    ...{ name, mode, status, durationMs, compared, checkedNothing, sources },
    ...(said && { said }),
    failures: failures.map((failure) => withShortPath(failure, root)),
    inputs: await Promise.all(files.map((input) => (isWritten(input) ? withContent(root, input) : input))),
  };
  try {
    const path = join(root, runRecordPath(fromRoot(root, casePath)));
    const content = await reportContent(recorders(root), storedRunRecord(record), (problems) =>
      storedRunRecord({ ...record, failures: problems, ...NOT_RUN }),
    );
    await writeRecorded(root, path, content, { durable: false });
  } catch (error) {
    if (!isSystemError(error) && !(error instanceof UserError)) throw error;
    onNotice?.(() => t('the result cannot be kept: {0}', error.message));
  }
}

function listCase(path: string, text: string, id: string | undefined): ListedCase | undefined {
  const slashed = withSlashes(path);
  const { cases = [] } = caseKindOf(text, slashed)?.list(text, slashed) ?? {};
  return cases.find((listed) => listed.id === id);
}

/** The files of a source inside the project, from its root. */
async function sourceFiles(root: string, { path, extension }: SourcePlace): Promise<readonly string[]> {
  const place = join(root, path);
  const status = isInside(root, place) ? await unlessUnreadable(fileStatus(place)) : undefined;
  if (status?.isFile) return extension === undefined ? [path] : [];
  if (!status?.isFolder) return [];
  const isWanted = (file: string): boolean => extension === undefined || extname(file) === `.${extension}`;
  const { paths } = walkFiles([place], { isWanted, rootOf: () => root, fix: '' });
  return paths.map((file) => fromRoot(root, file));
}

async function withContent(root: string, { role, path }: Pick<RunInput, 'role' | 'path'>): Promise<RunInput> {
  const { content } = (await unlessUnreadable(readInput(join(root, path)))) ?? {};
  return { role, path, ...(content && { content }) };
}

interface ReadInput {
  readonly bytes: Buffer;
  readonly content: FileFingerprint;
}

async function readInput(path: string): Promise<ReadInput | undefined> {
  const status = await fileStatus(path);
  if (!status?.isFile) return undefined;
  const bytes = await readBytes(path, FILE_LIMITS.tape);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { bytes, content: { size: bytes.length, modifiedMs: Math.floor(status.modifiedMs), sha256 } };
}

function withShortPath(failure: Failure, root: string): Failure {
  const { miss, step } = failure;
  return {
    ...failure,
    ...(miss && { miss: { ...miss, tapePath: fromRoot(root, miss.tapePath) } }),
    ...(step?.tapePath !== undefined && { step: { ...step, tapePath: fromRoot(root, step.tapePath) } }),
  };
}
