import { list, optional, shape, text, type Value } from '../../core/schema/schema';
import { call, type Params, returns } from '../contract';
import { ROOT } from './project';

/** A host, and the environment variable whose value is sent there; without a variable, the host alone. */
export const keyTarget = shape({
  /**
   * The host of the parsed address: `api.openai.com`, `gateway.example:8443`; where the connection is not encrypted, with
   * `http://` before it. For a host of this machine, without its port. Safe to show as it is.
   */
  host: text(),
  variable: optional(text()),
});
export type KeyTarget = Value<typeof keyTarget>;

/** The engine's calls about where a recording sends requests, and which keys go with them. */
export const recordingTargetsCalls = {
  /**
   * Every host that a recording of these cases would call, by case, then in the order in which the case names them. The editor names
   * the variables whose values it keeps, and would send with `run`.
   */
  recordingTargets: call(
    shape({ ...ROOT, casePaths: list(text()), storedKeys: list(text()) }),
    returns<readonly RecordingTarget[]>(),
  ),
  /** Allows these, for this project, from now on. Remembered outside of the project, in a file of the user. */
  confirmKeys: call(shape({ ...ROOT, targets: list(keyTarget) }), returns<void>()),
};
export type RecordingTargetsParams = Params<typeof recordingTargetsCalls.recordingTargets>;

/** A host that a recording of a case calls, or the program of its agent or of a tool: that gets the variable in its environment. It is to be confirmed unless it is `known` or `confirmed`. */
export interface RecordingTarget extends KeyTarget {
  /** The element of `casePaths`. */
  readonly casePath: string;
  /** The variable belongs to this host, such as OPENAI_API_KEY to api.openai.com, or no key and no confirmation is needed. */
  readonly known: boolean;
  /** The user has confirmed this pair for this project. */
  readonly confirmed: boolean;
  /** Whether the variable has a value, in the environment or among the stored keys. Without a variable: false. */
  readonly isSet: boolean;
  /** Where the address stands, for the user: `the case`, `tapedeck.toml`, `OPENAI_BASE_URL`, `its public address`, and for a program `pass_env` or its MCP configuration. */
  readonly setBy: string;
}
