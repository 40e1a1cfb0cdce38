import { basename } from 'node:path';
import { t } from '../../core/text/l10n';
import { hasCode, isSystemError, systemReason } from '../errors/systemError';
import { UserError } from '../errors/userError';
import { userStateFile, writeUserState } from '../files/userState';
import type { RecordedContent } from './recordedContent';

/**
 * Runs `write`, which writes a tape. Where its disk is full, the recording is kept in the user's own folder, which may be on another
 * disk, and the error says where.
 */
export async function keepingFromFullDisk<T>(
  tapePath: string,
  content: RecordedContent,
  write: () => Promise<T>,
): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isSystemError(error) || !hasCode(error, 'ENOSPC', 'EDQUOT')) throw error;
    const name = `recordings/${new Date().toISOString().replaceAll(':', '-')}-${basename(tapePath)}`;
    const kept = await writeUserState(name, content.bytes).catch(() => error);
    if (kept === error) throw error;
    throw new UserError(
      () =>
        t(
          '{0} cannot be written: {1}. The recording is kept in {2}',
          tapePath,
          systemReason(error),
          userStateFile(name),
        ),
      () => t('Free some space, and move that file to {0}.', tapePath),
    );
  }
}
