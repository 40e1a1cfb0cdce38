import { isListOf, isShape, isText } from '../rpc/guards';
import type { Guards } from '../rpc/rpc';
import type { RootParams } from './engineReviews';

/** The engine's calls about which cases coding agents may replay: those that start nothing, and those that the user has allowed. */
export type AgentCasesApi = {
  /** What a replay of the case starts or calls, with whether coding agents may replay it; null if it starts nothing. */
  agentCase(params: AgentCaseParams): Promise<AgentCase | null>;
  /**
   * Lets coding agents replay this case until the case or its command changes. Remembered outside of the project, in a file of
   * the user. Rejects when the case is no longer the one with this stamp.
   */
  allowAgentCase(params: AllowAgentCaseParams): Promise<void>;
  /** The addresses of the cases that were allowed in a project, from its root, in order; also of those that changed or are gone. */
  allowedAgentCases(params: RootParams): Promise<readonly string[]>;
  /** Forgets that these cases were allowed. */
  withdrawAgentCases(params: WithdrawAgentCasesParams): Promise<void>;
};

export interface AgentCaseParams extends RootParams {
  /** Absolute, or from the root; with the id of a case in a file of several. */
  readonly casePath: string;
}

export interface AllowAgentCaseParams extends AgentCaseParams {
  readonly stamp: string;
}

export interface WithdrawAgentCasesParams extends RootParams {
  /** As `allowedAgentCases` lists them. */
  readonly cases: readonly string[];
}

/** What a case starts or calls, besides Tapedeck's own agent. The texts are safe to show as they are. */
export interface AgentCase {
  readonly starts: 'program' | 'service';
  /** The whole command, or the address. */
  readonly shown: string;
  /** More lines for whoever decides: the folder, and the variables that the case sets. */
  readonly details: readonly string[];
  /** Identifies the case as written and what it starts. */
  readonly stamp: string;
  readonly isAllowed: boolean;
}

export const agentCasesGuards: Guards<AgentCasesApi> = {
  agentCase: isShape<AgentCaseParams>({ root: isText, casePath: isText }),
  allowAgentCase: isShape<AllowAgentCaseParams>({ root: isText, casePath: isText, stamp: isText }),
  allowedAgentCases: isShape<RootParams>({ root: isText }),
  withdrawAgentCases: isShape<WithdrawAgentCasesParams>({ root: isText, cases: isListOf(isText) }),
};
