import type { AgentDebugger } from '../../src/contracts/engine/agentDebugger';

/** For an engine that debugs nothing. */
export const noDebugger: AgentDebugger = {
  debugCommand: () => Promise.reject(new Error('nothing is debugged here')),
  attachDebugger: () => Promise.reject(new Error('nothing is debugged here')),
};
