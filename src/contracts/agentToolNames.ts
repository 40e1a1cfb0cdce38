/** The names of the tools for coding agents, apart from what describes them. */
export const AGENT_TOOL_NAMES = [
  'list_cases',
  'replay_case',
  'explain_drift',
  'read_interaction',
  'propose_acceptance',
] as const;

export type AgentToolName = (typeof AGENT_TOOL_NAMES)[number];
