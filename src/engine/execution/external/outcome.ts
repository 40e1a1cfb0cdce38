import { agentLabel } from '../../../core/cases/toml/externalAgent';
import { onMissHint } from '../../../core/cases/toml/replaySpec';
import { isRecord } from '../../../core/json/json';
import { comparableFromExchange } from '../../../core/match/comparableRequest';
import { comparableMessage } from '../../../core/mcp/message';
import type { InteractionVerdict } from '../../../core/model/artifact';
import type { ExternalAgent, ReplaySpec } from '../../../core/model/case';
import type { Interaction } from '../../../core/model/interaction';
import type { ReplayMiss } from '../../../core/model/run';
import type { PriceTable } from '../../../core/prices/priceTable';
import { retakeCost } from '../../../core/prices/retakeCost';
import { t } from '../../../core/text/l10n';
import { inWords, says, type Words } from '../../../core/text/notice';
import { isExpired } from '../../../core/verify/staleRecordings';
import { AgentError, ProviderError, type RequestTexts, requestTexts } from '../../errors/runErrors';
import type { ProcessExit } from '../../process/runProcess';
import type { OpenProxy } from '../../proxy/openProxy';
import { type InteractionReport, isMiss, type MissedRequest } from '../../proxy/session/report';
import { abandonedAdvice, silenceAdvice } from '../../proxy/silentAgent';
import { loadTape } from '../../recording/readTape';
import type { Recorder } from '../../recording/recorder';

/** The user's own agent after its run. */
interface EndedAgent {
  readonly agent: ExternalAgent;
  readonly exit: ProcessExit;
  /** How each of its requests was handled. */
  readonly reports: readonly InteractionReport[];
  readonly abandoned: OpenProxy['abandoned'];
  readonly tapePath: string;
  readonly recorder: Recorder;
  readonly replay: ReplaySpec;
  /** The project's own. */
  readonly prices?: PriceTable | undefined;
}

/**
 * Rejects with the cause of a failed run: a `ProviderError` for a request without a response, or an `AgentError` for the
 * agent's exit. The request comes first, because an agent that gets no response usually fails too.
 */
export async function requireSuccess(ended: EndedAgent): Promise<void> {
  const { agent, exit, reports, recorder, abandoned } = ended;
  const distrust = () => abandonedAdvice(abandoned);
  const miss = reports.find(isMiss);
  if (miss !== undefined) throw await missError(miss, ended);
  const unreachable = reports.find(({ verdict }) => verdict === 'unreachable');
  if (unreachable?.explanation !== undefined)
    throw new ProviderError('unreachable', explanationOf(unreachable), () =>
      t('Check the address and the connection.'),
    );
  const name = agentLabel(agent);
  if (exit.timedOut)
    throw new AgentError(
      'agent',
      () => t('{0} took longer than {1} ms', name, agent.timeoutMs),
      () => t('Raise timeout_ms under [agent].'),
    );
  if (exit.code === 0) {
    if (reports.length === 0 && agent.allowsNone !== true) throw silentAgent(agent, distrust);
    return;
  }
  const output = recorder.text(exit.stderr.trim()).split('\n').slice(-15).join('\n');
  const silent = () => (agent.kind === 'program' ? t('It wrote nothing to stderr.') : t('Its response has no text.'));
  throw new AgentError(
    'agent',
    () => exitReason(name, agent, exit),
    () => [output === '' ? silent() : output, distrust() ?? []].flat().join('\n'),
  );
}

function silentAgent(agent: ExternalAgent, distrust: () => string | undefined): AgentError {
  const advice = () =>
    agent.kind === 'program'
      ? silenceAdvice(agent.command)
      : t('The service must be started with the base URLs of this proxy: see `proxy_port` under [agent].');
  return new AgentError(
    'agent',
    () => t('{0} sent no requests through Tapedeck', agentLabel(agent)),
    () => distrust() ?? t('{0} If it needs to make none, set allow_none = true under [agent].', advice()),
  );
}

function exitReason(name: string, { kind }: ExternalAgent, { code, endedBy }: ProcessExit): string {
  if (kind === 'service') return t('{0} responded with status {1}', name, String(code));
  return code === null
    ? t('{0} was terminated by {1}', name, String(endedBy))
    : t('{0} exited with code {1}', name, code);
}

/** The error for a request that has no recording, with the ways to continue from there. */
async function missError(
  report: InteractionReport,
  { tapePath, prices, replay }: Pick<EndedAgent, 'tapePath' | 'prices' | 'replay'>,
): Promise<ProviderError> {
  const { number, verdict, missed } = report;
  const lines = () => inWords(explanationOf(report)).split('\n');
  const [headline = ''] = lines();
  const { interactions } = (await loadTape(tapePath)).tape;
  const nearest = missed?.nearest === undefined ? undefined : interactions[missed.nearest];
  const miss: ReplayMiss = {
    tapePath,
    kind: missed?.kind ?? 'missing',
    line: missed?.line ?? headline,
    ...(missed?.said && { said: missed.said }),
    at: number,
    recorded: interactions.length,
    ...(nearest && { nearest: nearest.index }),
    retake: retakeCost(interactions, { from: number, prices }),
    masks: missed?.masks ?? [],
  };
  const requests = nearest && missed && sentTexts(nearest, missed);
  const message = () => t('request {0} {1}: {2}', number + 1, verdict, lines()[0] ?? '');
  return new ProviderError('replay', message, () => [...lines().slice(1), onMissHint(replay) ?? []].flat().join('\n'), {
    miss,
    requests,
  });
}

function explanationOf({ explanation = '', said = explanation }: InteractionReport): Words {
  return () => says(said);
}

function sentTexts({ http, mcp }: Interaction, { sent }: MissedRequest): RequestTexts | undefined {
  if (mcp !== undefined && isRecord(sent)) return requestTexts(comparableMessage(mcp.message), comparableMessage(sent));
  return http && requestTexts(comparableFromExchange(http).body, sent);
}

/**
 * How each request of the user's own agent was replayed, and which recordings were not used. The tape is read only where
 * recordings can expire.
 */
export async function externalVerdicts(
  { tally, unused }: Pick<OpenProxy, 'tally' | 'unused'>,
  tapePath: string,
  maxAgeDays: number | undefined,
): Promise<readonly InteractionVerdict[]> {
  const expired = maxAgeDays === undefined ? new Set<number>() : await expiredOn(tapePath, maxAgeDays);
  const requested = requestVerdicts(tally).map((one): InteractionVerdict => {
    return one.index !== undefined && expired.has(one.index) ? { ...one, verdict: 'expired' } : one;
  });
  return [...requested, ...(await unused()).map((index): InteractionVerdict => ({ verdict: 'unused', index }))];
}

/** How each request was handled, in any mode. */
export function requestVerdicts({ reports }: OpenProxy['tally']): readonly InteractionVerdict[] {
  return reports.map(({ missed: _, said: __, ...verdict }) => verdict);
}

async function expiredOn(tapePath: string, maxAgeDays: number): Promise<ReadonlySet<number>> {
  const { tape } = await loadTape(tapePath);
  const now = new Date();
  return new Set(tape.interactions.filter((one) => isExpired(one, maxAgeDays, now)).map(({ index }) => index));
}
