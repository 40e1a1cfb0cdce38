import { tmpdir } from 'node:os';
import { rustSliceHash } from '../../core/hash/sipHash';
import type { WorkspaceSnapshot } from '../../core/model/artifact';
import type { BootstrapFile, Case } from '../../core/model/case';
import { t } from '../../core/text/l10n';
import { inWords, type Words } from '../../core/text/notice';
import { AgentError, ProviderError } from '../errors/runErrors';
import { errorCode } from '../errors/systemError';
import { TemporaryFolder, unmadeFolder } from '../files/temporaryFolder';

const NO_FILES: WorkspaceSnapshot = { files: [] };

/** The outcome of the work in a workspace. */
export interface WorkspaceOutcome {
  /** The error of the work, where that is a result of the run. */
  readonly error: ProviderError | AgentError | null;
  readonly before: WorkspaceSnapshot;
  readonly after: WorkspaceSnapshot;
  /** Its former path; empty when none could be created. */
  readonly root: string;
}

/** Runs `work`, which needs no workspace. None is made, but it has a path, as every run does. */
export async function withoutWorkspace(work: () => Promise<void>): Promise<WorkspaceOutcome> {
  let error: WorkspaceOutcome['error'] = null;
  try {
    await work();
  } catch (thrown) {
    error = requireRunError(thrown);
  }
  return { error, root: unmadeFolder(), before: NO_FILES, after: NO_FILES };
}

/** Runs `work` in a workspace with the files of the case, which is removed afterwards in any case. */
export async function withWorkspace(
  { bootstrapFiles }: Pick<Case, 'bootstrapFiles'>,
  work: (root: string) => Promise<void>,
): Promise<WorkspaceOutcome> {
  let workspace: TemporaryFolder | undefined;
  let before = NO_FILES;
  let error: WorkspaceOutcome['error'] = null;
  try {
    try {
      workspace = await createWorkspace();
      await writeFiles(workspace, bootstrapFiles);
      before = await snapshot(workspace);
      await work(workspace.root);
    } catch (thrown) {
      error = requireRunError(thrown);
    }
    const after = workspace === undefined ? NO_FILES : await snapshot(workspace);
    return { error, root: workspace?.root ?? '', before, after };
  } finally {
    await workspace?.remove();
  }
}

/** The errors that are a run's result. Throws all others, including a cancellation. */
function requireRunError(thrown: unknown): ProviderError | AgentError {
  if (thrown instanceof ProviderError || thrown instanceof AgentError) return thrown;
  throw thrown;
}

/** Creates an empty workspace. Rejects with an `AgentError` when there is no space for it. */
async function createWorkspace(): Promise<TemporaryFolder> {
  try {
    return await TemporaryFolder.create();
  } catch (error) {
    const message = () => t('no workspace could be created in {0}: {1}', tmpdir(), errorCode(error) ?? '');
    throw new AgentError('agent', message, () => t('Free some space there, or set TMPDIR to another folder.'));
  }
}

/** Writes the case's files. Rejects with an `AgentError` that names the file which cannot be written. */
async function writeFiles(workspace: TemporaryFolder, files: readonly BootstrapFile[]): Promise<void> {
  for (const { path, content } of files) {
    // The reader of cases refuses such paths already; this holds whatever it lets through.
    if (!workspace.contains(path)) throw unwritableFile(path, () => t('it is outside the workspace'));
    try {
      await workspace.write(path, content);
    } catch (error) {
      throw unwritableFile(path, errorCode(error) ?? String(error));
    }
  }
}

function unwritableFile(path: string, reason: Words): AgentError {
  const message = () => t('bootstrap file `{0}` cannot be written: {1}', path, inWords(reason));
  return new AgentError('case', message, () => t('Change its path under [[bootstrap_files]].'));
}

/** The current files, by path. */
export async function snapshot(workspace: TemporaryFolder): Promise<WorkspaceSnapshot> {
  const files: WorkspaceSnapshot['files'][number][] = [];
  for await (const { path, size, modifiedMs, bytes } of workspace.files())
    files.push({ relative_path: path, size_bytes: size, modified_ms: modifiedMs, checksum: rustSliceHash(bytes) });
  return { files: files.sort((a, b) => (a.relative_path < b.relative_path ? -1 : 1)) };
}
