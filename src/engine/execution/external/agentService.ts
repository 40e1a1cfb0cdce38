import { agentResponse, describeResponsePaths, responseAt } from '../../../core/flakestorm/httpAgent';
import type { AgentService, Case } from '../../../core/model/case';
import { message, t } from '../../../core/text/l10n';
import { ProviderError } from '../../errors/runErrors';
import { UserError } from '../../errors/userError';
import { fetchErrorReason, fetchFor } from '../../network/outgoing';
import type { NetworkPolicy } from '../../network/policy';
import type { ProcessExit } from '../../process/runProcess';

interface ServiceRequest {
  readonly testCase: Pick<Case, 'name' | 'prompt'>;
  /** The folder with the files of the run. */
  readonly workspace: string;
  /** The variables that a program would find in its environment: where its models are. No keys except stand-ins. */
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  readonly network: NetworkPolicy;
}

const START_SERVICE = message('Start the service, or correct url under [agent].');

/**
 * Runs an agent that is already listening: a POST with `{case, prompt, workspace, variables}`, whose response is text, or
 * JSON that contains the text. An error status becomes the exit code, with the body as stderr. Rejects with a
 * `ProviderError` where the service cannot be reached, and with the signal's reason.
 */
export async function callService(service: AgentService, request: ServiceRequest): Promise<ProcessExit> {
  const started = performance.now();
  const exchange = await send(service, request);
  const { status, timedOut } = exchange;
  const { output, problem } = readOutput(exchange, service.responsePath);
  return {
    code: output === undefined ? status : 0,
    endedBy: null,
    timedOut,
    stdout: output ?? '',
    stderr: problem ?? '',
    durationMs: Math.round(performance.now() - started),
  };
}

interface ServiceExchange {
  /** 0 when it timed out. */
  readonly status: number;
  readonly body: string;
  readonly timedOut: boolean;
}

function readOutput({ status, body, timedOut }: ServiceExchange, path: string | undefined) {
  if (status >= 400) return { problem: body };
  if (status >= 300) return { problem: t('A redirect is not followed: set url under [agent] to the address itself.') };
  if (path === undefined || timedOut) return { output: agentResponse(body, undefined) };
  const output = responseAt(body, path);
  if (output !== undefined) return { output };
  return { problem: t('response_path `{0}` was not found: {1}', path, describeResponsePaths(body)) };
}

async function send(
  { url, timeoutMs }: AgentService,
  { testCase, workspace, variables, signal, network }: ServiceRequest,
): Promise<ServiceExchange> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetchFor(network, 'agent-service')(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/plain' },
      body: JSON.stringify({ case: testCase.name, prompt: testCase.prompt, workspace, variables }),
      signal: AbortSignal.any([signal, limit]),
    });
    return { status: response.status, body: await response.text(), timedOut: false };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof UserError) throw error;
    if (limit.aborted) return { status: 0, body: '', timedOut: true };
    throw new ProviderError(
      'unreachable',
      () => t('the agent at {0} cannot be reached: {1}', url, fetchErrorReason(error)),
      () => t(START_SERVICE),
    );
  }
}
