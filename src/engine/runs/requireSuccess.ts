import { agentLabel } from '../../core/cases/toml/externalAgent';
import type { ExternalAgent } from '../../core/model/case';
import type { Redactor } from '../../core/secrets/redactor';
import { AgentError } from '../agent/agentError';
import type { AgentEnd } from '../process/agentProcess';
import { ProviderError } from '../providers/chatProvider';
import { type InteractionReport, isMiss } from '../proxy/report';
import { missError } from './externalMiss';

/** An agent of the user's own that is over. */
export interface EndedAgent {
  readonly agent: ExternalAgent;
  readonly end: AgentEnd;
  /** What came of its requests. */
  readonly reports: readonly InteractionReport[];
  readonly tapePath: string;
  readonly redactor: Redactor;
}

/**
 * Throws what made the agent fail: a `ProviderError` for a request without an answer, or an `AgentError` for its own end.
 * The request comes first: an agent that was refused an answer usually fails too.
 */
export async function requireSuccess({ agent, end, reports, tapePath, redactor }: EndedAgent): Promise<void> {
  const miss = reports.find(isMiss);
  if (miss !== undefined) throw await missError(miss, tapePath);
  const unreachable = reports.find(({ verdict }) => verdict === 'unreachable');
  if (unreachable?.explanation !== undefined)
    throw new ProviderError('unreachable', unreachable.explanation, 'Check the address and the connection.');
  const name = agentLabel(agent);
  if (end.timedOut)
    throw new AgentError('agent', `${name} took longer than ${agent.timeoutMs} ms`, 'Raise timeout_ms under [agent].');
  if (end.code === 0) return;
  const said = redactor.text(end.stderr.trim()).split('\n').slice(-15).join('\n');
  const silent = agent.kind === 'program' ? 'It said nothing on stderr.' : 'It said nothing.';
  throw new AgentError('agent', `${name} ${howItEnded(agent, end)}`, said === '' ? silent : said);
}

function howItEnded({ kind }: ExternalAgent, { code, endedBy }: AgentEnd): string {
  if (kind === 'service') return `answered ${code}`;
  return code === null ? `was ended by ${endedBy}` : `ended with code ${code}`;
}
