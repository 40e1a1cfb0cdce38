import { list, shape, text } from '../../core/schema/schema';
import { type Answers, call, type Params, returns } from '../contract';
import { inProject, ROOT } from './project';

/** Absolute, or from the root; with the id of a case in a file of several. */
const CASE = { ...ROOT, casePath: text() };

/** Which cases coding agents may replay: those that start nothing, and those that the user has allowed. */
export const agentCasesCalls = {
  /** What a replay of the case starts or calls, with whether coding agents may replay it; null if it starts nothing. */
  agentCase: call(shape(CASE), returns<AgentCase | null>()),
  /**
   * Lets coding agents replay this case until the case or its command changes. Remembered outside of the project, in a file of
   * the user. Rejects when the case is no longer the one with this stamp.
   */
  allowAgentCase: call(shape({ ...CASE, stamp: text() }), returns<void>()),
  /** The addresses of the cases that were allowed in a project, from its root, in order; also of those that changed or are gone. */
  allowedAgentCases: call(inProject, returns<readonly string[]>()),
  /** Forgets that these cases were allowed, as `allowedAgentCases` lists them. */
  withdrawAgentCases: call(shape({ ...ROOT, cases: list(text()) }), returns<void>()),
};
export type AgentCasesApi = Answers<typeof agentCasesCalls>;
export type AgentCaseParams = Params<typeof agentCasesCalls.agentCase>;
export type AllowAgentCaseParams = Params<typeof agentCasesCalls.allowAgentCase>;
export type WithdrawAgentCasesParams = Params<typeof agentCasesCalls.withdrawAgentCases>;

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
