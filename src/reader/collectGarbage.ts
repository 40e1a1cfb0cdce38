import { promisify } from 'node:util';

/**
 * Frees what nothing holds; V8 does so only when about as much again has been allocated, which for a large tape is more than the
 * tape. Takes some ten milliseconds. Never rejects: where Node was built without its inspector, nothing is freed before its time.
 */
export async function collectGarbage(): Promise<void> {
  try {
    const { Session } = await import('node:inspector');
    const session = new Session();
    session.connect();
    await promisify<string, void>(session.post).call(session, 'HeapProfiler.collectGarbage');
    session.disconnect();
  } catch {}
}
