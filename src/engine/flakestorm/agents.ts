import { dirname, join } from 'node:path';
import { DEFAULT_AGENT_TIMEOUT_MS } from '../../core/cases/toml/externalAgent';
import { faultyToolOutcome } from '../../core/flakestorm/faults';
import { agentResponse, type HttpAgent, httpAgentRequest } from '../../core/flakestorm/httpAgent';
import type { AgentProgram } from '../../core/model/case';
import type { ChatRequest, ChatResponse } from '../../core/model/message';
import { t } from '../../core/text/l10n';
import { ProviderError } from '../errors/runErrors';
import { UserError } from '../errors/userError';
import { pathExists } from '../files/fileStatus';
import { fromRoot } from '../files/projectPaths';
import { fetchErrorReason, fetchFor } from '../network/outgoing';
import type { NetworkPolicy } from '../network/policy';
import type { ChatProvider } from '../providers/chatProvider';
import type { ChaosClock, ChaosState } from './chaosState';

interface HttpAgentOptions {
  readonly network: NetworkPolicy;
  /** Tool faults with `match_url`, or for "*", apply to the request to the agent. */
  readonly chaos: readonly ChaosState[];
  readonly clock: ChaosClock;
}

/** The user's agent behind HTTP: the last message of the user is sent, and the agent's output is the response. */
export class HttpAgentProvider implements ChatProvider {
  readonly label: string;
  readonly #agent: HttpAgent;
  readonly #options: HttpAgentOptions;
  readonly #fetch: typeof fetch;

  constructor(agent: HttpAgent, options: HttpAgentOptions) {
    this.label = `agent ${agent.endpoint}`;
    this.#agent = agent;
    this.#options = options;
    this.#fetch = fetchFor(options.network, 'flakestorm-agent');
  }

  async chat({ messages }: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
    const prompt = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const request = httpAgentRequest(this.#agent, prompt, await this.#values());
    const { status, body } = (await this.#injectedFault(request.url, signal)) ?? (await this.#send(request, signal));
    if (status >= 300) throw this.#refused('provider', () => t('responded with {0}: {1}', status, body.slice(0, 200)));
    return { content: agentResponse(body, this.#agent.responsePath), toolCalls: [] };
  }

  /** Resets the agent; false when it has no way to. */
  async reset(signal: AbortSignal): Promise<boolean> {
    const { resetEndpoint } = this.#agent;
    if (resetEndpoint === undefined) return false;
    const response = await this.#fetch(resetEndpoint, { method: 'POST', signal }).catch(() => undefined);
    return response?.ok ?? false;
  }

  /** The variables in the request, each of which may go to the agent's host. */
  #values(): Promise<ReadonlyMap<string, string>> {
    const { endpoint, queryParams, headers } = this.#agent;
    const texts = [...Object.values(queryParams), ...Object.values(headers)];
    return this.#options.network.keys.valuesFor(endpoint, texts);
  }

  /** The response of a fault, from the outermost chaos inwards, as if each stood in front of the agent. */
  async #injectedFault(url: string, signal: AbortSignal) {
    const { chaos, clock } = this.#options;
    for (const chaosState of chaos.toReversed()) {
      const { toolFaults } = chaosState.chaos;
      const outcome = faultyToolOutcome(toolFaults, { url }, chaosState.nextTool(), chaosState.random);
      await clock.wait(outcome.delayMs, signal);
      if (outcome.type === 'call') continue;
      chaosState.faults.push(outcome.type === 'timeout' ? outcome.message : `${outcome.status} ${outcome.body}`);
      if (outcome.type === 'timeout') throw this.#refused('unreachable', () => outcome.message);
      return { status: outcome.status, body: outcome.body };
    }
    return undefined;
  }

  async #send({ url, method, headers, body }: ReturnType<typeof httpAgentRequest>, signal: AbortSignal) {
    const limit = AbortSignal.timeout(this.#agent.timeoutMs);
    try {
      const init = {
        method,
        headers,
        signal: AbortSignal.any([signal, limit]),
        ...(body === undefined ? {} : { body }),
      };
      const response = await this.#fetch(url, init);
      return { status: response.status, body: await response.text() };
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UserError) throw error;
      const reason = () =>
        limit.aborted
          ? t('did not respond within {0} ms', this.#agent.timeoutMs)
          : t('cannot be reached: {0}', fetchErrorReason(error));
      throw this.#refused('unreachable', reason);
    }
  }

  #refused(kind: 'provider' | 'unreachable', reason: () => string): ProviderError {
    const fix = () => t('Start the agent, or correct agent: endpoint: in flakestorm.yaml.');
    return new ProviderError(kind, () => t('the agent at {0} {1}', this.#agent.endpoint, reason()), fix);
  }
}

/**
 * Calls `MODULE:ATTRIBUTE` with the text on stdin, and prints its output: a function, an object with `invoke`, or a runnable
 * of LangChain, asynchronous or not. Modules are imported from the folder of the configuration.
 */
const CALL_AGENT = `
import asyncio, importlib, inspect, os, sys
sys.path.insert(0, os.getcwd())
module, _, name = sys.argv[1].rpartition(":")
agent = getattr(importlib.import_module(module), name)
text = sys.stdin.read()
async def ask():
    runnable = hasattr(agent, "ainvoke")
    call = next((getattr(agent, way) for way in ("ainvoke", "invoke", "arun", "run") if hasattr(agent, way)), agent)
    given = {"input": text} if runnable or sys.argv[2] == "langchain" and hasattr(agent, "invoke") else text
    output = call(given)
    return await output if inspect.isawaitable(output) else output
output = asyncio.run(ask())
if isinstance(output, dict):
    output = output.get("output") or output.get("text") or output
sys.stdout.write(str(getattr(output, "content", output)))
`;

export interface PythonAgent {
  readonly type: 'python' | 'langchain';
  readonly endpoint: string;
}

/** An agent of `type: python` or `langchain` as a program of the case, run with the Python of the project's own environment. */
export function pythonAgent({ type, endpoint }: PythonAgent, casePath: string, configPath = casePath): AgentProgram {
  const folder = dirname(configPath);
  const own = ['.venv', 'venv']
    .flatMap((name) => [join(folder, name, 'bin/python'), join(folder, name, 'Scripts/python.exe')])
    .find((path) => pathExists(path));
  return {
    kind: 'program',
    command: [own ?? 'python3', '-c', CALL_AGENT, endpoint, type],
    shownCommand: [own ?? 'python3', '-c', `call ${endpoint}`],
    cwd: fromRoot(dirname(casePath), folder) || '.',
    environment: { PYTHONDONTWRITEBYTECODE: '1' },
    // flakestorm.yaml has no key for this, and its agents need not call a model.
    allowsNone: true,
    timeoutMs: DEFAULT_AGENT_TIMEOUT_MS,
  };
}
