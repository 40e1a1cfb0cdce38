import type { LangSmithProject } from '../../core/flakestorm/config';
import type { LangSmithRun } from '../../core/flakestorm/exportReport';
import type { Json, JsonRecord } from '../../core/json/json';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { parseHttpUrl } from '../network/hosts';
import { fetchFor } from '../network/outgoing';
import type { NetworkPolicy } from '../network/policy';

const PUBLIC_ADDRESS = 'https://api.smith.langchain.com';

/** The most runs of a project that are imported, as in Flakestorm. */
const LIMIT = 200;

type Client = InstanceType<typeof import('langsmith/client')['Client']>;
type Run = Awaited<ReturnType<Client['readRun']>>;

/** Reads runs with LangSmith's own client, loaded on first use. Its address and key are LANGSMITH_ENDPOINT and LANGSMITH_API_KEY. */
export class LangSmith {
  readonly #network: NetworkPolicy;

  constructor(network: NetworkPolicy) {
    this.#network = network;
  }

  async run(id: string): Promise<LangSmithRun> {
    const client = await this.#client();
    return this.#request(async () => runOf(await client.readRun(id, { loadChildRuns: true })), t('the run {0}', id));
  }

  /** The root runs of a project that match its filter, each with its children. */
  async project({ project, status, dateRange, minLatencyMs }: LangSmithProject): Promise<readonly LangSmithRun[]> {
    const client = await this.#client();
    const since = dateRange === undefined ? undefined : startOf(dateRange, new Date());
    const query = {
      projectName: project,
      isRoot: true,
      limit: LIMIT,
      ...(status === 'all' ? {} : { error: status === 'error' }),
      ...(since && { startTime: since }),
      ...(minLatencyMs ? { filter: `gt(latency, ${minLatencyMs / 1000})` } : {}),
    };
    return this.#request(
      async () => {
        const runs: LangSmithRun[] = [];
        for await (const { id } of client.listRuns(query)) {
          runs.push(runOf(await client.readRun(id, { loadChildRuns: true })));
        }
        return runs;
      },
      t('the project {0}', project),
    );
  }

  async #client(): Promise<Client> {
    const { keys } = this.#network;
    const apiUrl = keys.setting('LANGSMITH_ENDPOINT') ?? keys.setting('LANGCHAIN_ENDPOINT') ?? PUBLIC_ADDRESS;
    const url = parseHttpUrl(apiUrl);
    if (url === undefined)
      throw new UserError(
        () => t('LANGSMITH_ENDPOINT is not an http(s) address: {0}', apiUrl),
        () => t('Correct it.'),
      );
    const apiKey = (await keys.keyFor('LANGSMITH_API_KEY', url)) ?? (await keys.keyFor('LANGCHAIN_API_KEY', url));
    if (apiKey === undefined)
      throw new UserError(
        () => t('no LangSmith API key is set'),
        () => t('Set LANGSMITH_API_KEY in the environment.'),
      );
    // The client warns of calls that its next API replaces in 2027; users of an import cannot act on that.
    process.noDeprecation = true;
    const { Client } = await import('langsmith/client');
    return new Client({
      apiKey,
      apiUrl,
      autoBatchTracing: false,
      fetchImplementation: fetchFor(this.#network, 'langsmith'),
    });
  }

  async #request<T>(ask: () => Promise<T>, what: string): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new UserError(
        () => t('LangSmith did not return {0}: {1}', what, reason),
        () => t('Check the id, the key and LANGSMITH_ENDPOINT.'),
      );
    }
  }
}

/** Converts a run of the client, whose values are typed as `any` but are JSON. */
function runOf({ id, name, inputs, child_runs: children = [] }: Run): LangSmithRun {
  return {
    id,
    ...(name && { name }),
    inputs: (inputs ?? {}) as JsonRecord,
    children: (children ?? []).map((child) => ({
      name: child.name ?? '',
      outputs: (child.outputs ?? null) as Json,
      ...(child.error && { error: child.error }),
    })),
  };
}

const HOUR_MS = 60 * 60 * 1000;

/** The start of a range of hours, days or weeks. Flakestorm itself supports `last_7_days`, `last_24_hours` and `last 30 days`. */
export function startOf(dateRange: string, now: Date): Date | undefined {
  const [, count, unit] = /(\d+)[\s_-]*(hour|day|week)/i.exec(dateRange) ?? [];
  const hours = { hour: 1, day: 24, week: 168 }[unit?.toLowerCase() ?? ''];
  return hours === undefined ? undefined : new Date(now.getTime() - Number(count) * hours * HOUR_MS);
}
