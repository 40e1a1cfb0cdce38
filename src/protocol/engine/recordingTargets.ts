import { isListOf, isMaybe, isShape, isText } from '../rpc/guards';
import type { Guards } from '../rpc/rpc';
import type { RootParams } from './engineReviews';

/** The engine's calls about where a recording sends requests, and which keys go with them. */
export type RecordingTargetsApi = {
  /** Every host that a recording of these cases would call, by case, then in the order in which the case names them. */
  recordingTargets(params: RecordingTargetsParams): Promise<readonly RecordingTarget[]>;
  /** Allows these, for this project, from now on. Remembered outside of the project, in a file of the user. */
  confirmKeys(params: ConfirmKeysParams): Promise<void>;
};

export interface RecordingTargetsParams extends RootParams {
  /** Absolute, as in `RunParams`. */
  readonly casePaths: readonly string[];
  /** Names of the variables whose values the editor keeps, and would send with `run`. */
  readonly storedKeys: readonly string[];
}

/** A host, and the environment variable whose value is sent there; without a variable, the host alone. */
export interface KeyTarget {
  /**
   * The host of the parsed address: `api.openai.com`, `gateway.example:8443`; where the connection is not encrypted, with
   * `http://` before it. For a host of this machine, without its port. Safe to show as it is.
   */
  readonly host: string;
  readonly variable?: string | undefined;
}

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

export interface ConfirmKeysParams extends RootParams {
  readonly targets: readonly KeyTarget[];
}

export const recordingTargetsGuards: Guards<RecordingTargetsApi> = {
  recordingTargets: isShape<RecordingTargetsParams>({
    root: isText,
    casePaths: isListOf(isText),
    storedKeys: isListOf(isText),
  }),
  confirmKeys: isShape<ConfirmKeysParams>({
    root: isText,
    targets: isListOf(isShape<KeyTarget>({ host: isText, variable: isMaybe(isText) })),
  }),
};
