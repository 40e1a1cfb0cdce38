import { isListOf, isNumber, isShape, isText } from '../rpc/guards';
import type { Guards } from '../rpc/rpc';

/** The calls that the engine makes to the editor while it runs a case whose agent is debugged. */
export type AgentDebugger = {
  /** The command that starts the agent so that it waits for a debugger at the port. Rejects with what is missing for that. */
  debugCommand(params: DebugCommandParams, signal: AbortSignal): Promise<DebugCommand>;
  /** Attaches the debugger, after which the agent runs. */
  attachDebugger(params: AttachParams, signal: AbortSignal): Promise<void>;
};

export interface DebugCommandParams {
  readonly casePath: string;
  readonly command: readonly string[];
  /** Absolute. */
  readonly cwd: string;
  /** Of the loopback address. */
  readonly port: number;
}

export interface DebugCommand {
  readonly command: readonly string[];
  /** Of the debugger, as in a launch configuration. */
  readonly type: string;
}

export interface AttachParams {
  readonly casePath: string;
  readonly type: string;
  readonly port: number;
}

export const agentDebuggerGuards: Guards<AgentDebugger> = {
  debugCommand: isShape<DebugCommandParams>({
    casePath: isText,
    command: isListOf(isText),
    cwd: isText,
    port: isNumber,
  }),
  attachDebugger: isShape<AttachParams>({ casePath: isText, type: isText, port: isNumber }),
};
