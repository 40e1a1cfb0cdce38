import { agentResponse, describeResponsePaths, responseAt } from '../../../core/flakestorm/httpAgent';
import type { AgentService, Case } from '../../../core/model/case';
import { ProviderError } from '../../errors/runErrors';
import { fetchErrorReason, fetchFor } from '../../network/outgoing';
import type { ProcessExit } from '../../process/runProcess';

export interface ServiceRequest {
  readonly testCase: Pick<Case, 'name' | 'prompt'>;
  /** Where the files of the run are. */
  readonly workspace: string;
  /** What a program would find in its environment: where its models are. No keys but stand-ins. */
  readonly variables: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const START_SERVICE = 'Start the service, or correct url under [agent].';

/**
 * Asks an agent that runs already: a POST with `{case, prompt, workspace, variables}`, answered with text, or with JSON in
 * which the answer is found. A service that refuses ends with its status for a code and its words on stderr. Rejects with a
 * `ProviderError` where nobody answers, and with the signal's reason.
 */
export async function callService(service: AgentService, request: ServiceRequest): Promise<ProcessExit> {
  const started = performance.now();
  const exchange = await send(service, request);
  const { status, timedOut } = exchange;
  const { answer, complaint } = readReply(exchange, service.responsePath);
  return {
    code: answer === undefined ? status : 0,
    endedBy: null,
    timedOut,
    stdout: answer ?? '',
    stderr: complaint ?? '',
    durationMs: Math.round(performance.now() - started),
  };
}

interface ServiceExchange {
  /** 0 when it timed out. */
  readonly status: number;
  readonly body: string;
  readonly timedOut: boolean;
}

function readReply({ status, body, timedOut }: ServiceExchange, path: string | undefined) {
  if (status >= 400) return { complaint: body };
  if (path === undefined || timedOut) return { answer: agentResponse(body, undefined) };
  const answer = responseAt(body, path);
  if (answer !== undefined) return { answer };
  return { complaint: `response_path \`${path}\` names nothing in it: ${describeResponsePaths(body)}` };
}

async function send(
  { url, timeoutMs }: AgentService,
  { testCase, workspace, variables, signal }: ServiceRequest,
): Promise<ServiceExchange> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetchFor('agent-service')(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/plain' },
      body: JSON.stringify({ case: testCase.name, prompt: testCase.prompt, workspace, variables }),
      signal: AbortSignal.any([signal, limit]),
    });
    return { status: response.status, body: await response.text(), timedOut: false };
  } catch (error) {
    signal.throwIfAborted();
    if (limit.aborted) return { status: 0, body: '', timedOut: true };
    throw new ProviderError(
      'unreachable',
      `the agent at ${url} cannot be reached: ${fetchErrorReason(error)}`,
      START_SERVICE,
    );
  }
}
