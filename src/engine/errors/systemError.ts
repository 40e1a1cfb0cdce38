import { message, t } from '../../core/text/l10n';
/** The code of a system error, of the file system or the network, such as "ENOENT". */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Whether this is a system error with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  const code = errorCode(error);
  return code !== undefined && codes.includes(code);
}

/** The result of a file operation; undefined when there is no such file. */
export async function unlessMissing<T>(operation: Promise<T>): Promise<T | undefined> {
  try {
    return await operation;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** The result of reading a file; undefined if the system cannot read it, for whatever reason. */
export async function unlessUnreadable<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

/** An error of the operating system, such as ENOENT; not a bug. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'code' in error && 'syscall' in error;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: message('there is no such file'),
  EEXIST: message('a file or folder already exists there'),
  ENOTDIR: message('part of the path is not a folder'),
  EISDIR: message('this is a folder, not a file'),
  EACCES: message('permission denied'),
  EPERM: message('permission denied'),
  EROFS: message('the file system is read-only'),
  EBUSY: message('another program is using it'),
  ENOSPC: message('the disk is full'),
  EDQUOT: message('the disk quota is used up'),
  ELOOP: message('symbolic links form a loop'),
  ENXIO: message('this is a pipe or a device, not a file'),
};

/** The file that an operation was about; of a renaming, the file to replace. */
export function systemPlace(error: NodeJS.ErrnoException & { readonly dest?: string }): string | undefined {
  return error.dest ?? error.path;
}

/** The reason of a failed file operation, for the user. */
export function systemReason(error: NodeJS.ErrnoException): string {
  // Of a file that is read, the message says how large it may be.
  if (error.code === 'EFBIG' && error.syscall === 'write') return t('the file is larger than this process may write');
  const reason = error.code && REASONS[error.code];
  return reason ? t(reason) : error.message;
}
