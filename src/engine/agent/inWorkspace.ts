import type { WorkspaceSnapshot } from '../../core/model/artifact';
import type { Case } from '../../core/model/case';
import { ProviderError } from '../providers/chatProvider';
import { AgentError } from './agentError';
import { Workspace } from './workspace';

const NO_FILES: WorkspaceSnapshot = { files: [] };

/** What a run left behind in its workspace. */
export interface Place {
  /** What the work ended with, where that is a result of the run. */
  readonly error: ProviderError | AgentError | null;
  readonly before: WorkspaceSnapshot;
  readonly after: WorkspaceSnapshot;
  /** Where it was; empty when none could be made. */
  readonly root: string;
}

/** Gives the work a workspace with the files of the case, and takes it away again, whatever happens. */
export async function inWorkspace(
  { bootstrapFiles }: Pick<Case, 'bootstrapFiles'>,
  work: (root: string) => Promise<void>,
): Promise<Place> {
  let workspace: Workspace | undefined;
  let before = NO_FILES;
  let error: Place['error'] = null;
  try {
    try {
      workspace = await Workspace.create();
      await workspace.write(bootstrapFiles);
      before = await workspace.snapshot();
      await work(workspace.root);
    } catch (thrown) {
      error = expected(thrown);
    }
    return { error, root: workspace?.root ?? '', before, after: (await workspace?.snapshot()) ?? NO_FILES };
  } finally {
    await workspace?.remove();
  }
}

/** The errors that are a run's result. Everything else, a cancellation too, goes on to the caller. */
function expected(thrown: unknown): ProviderError | AgentError {
  if (thrown instanceof ProviderError || thrown instanceof AgentError) return thrown;
  throw thrown;
}
