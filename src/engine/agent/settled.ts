import { randomUUID } from 'node:crypto';
import type { Case } from '../../core/model/case';
import type { Place } from './inWorkspace';
import type { AgentRun } from './runAgent';
import { DEFAULT_AGENT_NAME } from './systemPrompt';

type Settled = Pick<
  AgentRun,
  'error' | 'workspaceRoot' | 'before' | 'after' | 'executionId' | 'sessionId' | 'agent' | 'startedAtMs'
>;

/** What every run has to say once its workspace is gone, whoever the agent was. */
export function settled({ agent }: Case, { error, root, before, after }: Place, startedAtMs: number): Settled {
  return {
    error,
    workspaceRoot: root,
    before,
    after,
    executionId: randomUUID(),
    sessionId: randomUUID(),
    agent: { id: randomUUID(), name: agent.name ?? DEFAULT_AGENT_NAME },
    startedAtMs,
  };
}
