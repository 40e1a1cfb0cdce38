import type { CaseParams } from '../../protocol/engine';
import { caseFiles, fromRoot } from '../project/caseFiles';
import { git } from './git';

/** Puts a case's baseline, as it is on disk, into git's index. Rejects with a `UserError` where there is no repository. */
export async function stageBaseline({ root, casePath }: CaseParams): Promise<void> {
  await git(root, ['add', '--', fromRoot(root, caseFiles(root, casePath).baseline)]);
}
