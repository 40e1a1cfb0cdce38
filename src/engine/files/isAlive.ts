import { hasCode } from '../errors/systemError';

/** Whether a process with this id is running. One of another user counts: the system refuses to signal it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, 'EPERM');
  }
}
