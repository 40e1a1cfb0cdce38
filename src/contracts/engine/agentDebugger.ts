import { count, list, shape, text } from '../../core/schema/schema';
import { call, type Handlers, type Params, returns } from '../contract';

const CASE = { casePath: text() };

/** What the engine asks of the editor while it runs a case whose agent is debugged. */
export const agentDebuggerCalls = {
  /**
   * The command that starts the agent in the absolute folder `cwd` so that it waits for a debugger at the port of the loopback
   * address. Rejects with what is missing for that.
   */
  debugCommand: call(shape({ ...CASE, command: list(text()), cwd: text(), port: count() }), returns<DebugCommand>()),
  /** Attaches the debugger, after which the agent runs. */
  attachDebugger: call(shape({ ...CASE, type: text(), port: count() }), returns<void>()),
};
export type AgentDebugger = Handlers<typeof agentDebuggerCalls>;
export type DebugCommandParams = Params<typeof agentDebuggerCalls.debugCommand>;
export type AttachParams = Params<typeof agentDebuggerCalls.attachDebugger>;

export interface DebugCommand {
  readonly command: readonly string[];
  /** Of the debugger, as in a launch configuration. */
  readonly type: string;
}
