import type { AgentDebugger } from '../../../contracts/engine/agentDebugger';
import { UserError } from '../../errors/userError';
import { freePort, untilListening } from '../../network/debugPort';
import { type ProcessCommand, type ProcessExit, runProcess } from '../../process/runProcess';

/** What Node's inspector prints among the agent's own output. */
const INSPECTOR =
  /^(?:Debugger (?:listening on ws:|ending on ws:|attached\.)|For help, see: https:\/\/nodejs\.org|Waiting for the debugger).*\n?/gm;

/**
 * Runs the program of an agent to its end as `runProcess` does, with the editor's debugger attached before its first line. It may take as
 * long as the user looks at it. Rejects with a `UserError` if it cannot be debugged.
 */
export async function runDebugged(
  program: ProcessCommand,
  casePath: string,
  editor: AgentDebugger,
): Promise<ProcessExit> {
  const { signal } = program;
  const port = await freePort();
  const { command, type } = await asUserError(
    editor.debugCommand({ casePath, command: program.command, cwd: program.cwd, port }, signal),
  );
  const failed = new AbortController();
  const ended = new AbortController();
  const whileRunning = AbortSignal.any([signal, ended.signal]);
  const attach = async (): Promise<void> => {
    try {
      await untilListening(port, whileRunning);
      await asUserError(editor.attachDebugger({ casePath, type, port }, whileRunning));
    } catch (error) {
      if (!whileRunning.aborted) failed.abort(error);
    }
  };
  const attaching = attach();
  const { timeoutMs: _, ...untimed } = program;
  try {
    const exit = await runProcess({ ...untimed, command, signal: AbortSignal.any([signal, failed.signal]) });
    failed.signal.throwIfAborted();
    return { ...exit, stderr: exit.stderr.replace(INSPECTOR, '') };
  } finally {
    ended.abort();
    await attaching;
  }
}

/** What the editor rejects with is meant for the user. */
async function asUserError<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw new UserError(error instanceof Error ? error.message : String(error));
  }
}
