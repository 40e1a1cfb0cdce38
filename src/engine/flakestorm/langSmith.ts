import type { LangSmithProject } from '../../core/flakestorm/config';
import type { LangSmithRun } from '../../core/flakestorm/exportReport';
import type { Json, JsonRecord } from '../../core/json/json';
import { UserError } from '../errors/userError';
import { fetchFor } from '../network/outgoing';

/** How many runs of a project are imported at most, as in Flakestorm. */
const LIMIT = 200;

type Client = InstanceType<typeof import('langsmith/client')['Client']>;
type Run = Awaited<ReturnType<Client['readRun']>>;

/** Reads runs with LangSmith's own client, which is loaded for it. `env`: LANGSMITH_ENDPOINT and LANGSMITH_API_KEY. */
export class LangSmith {
  readonly #env: (name: string) => string | undefined;

  constructor(env: (name: string) => string | undefined) {
    this.#env = env;
  }

  async run(id: string): Promise<LangSmithRun> {
    const client = await this.#client();
    return this.#asked(async () => runOf(await client.readRun(id, { loadChildRuns: true })), `the run ${id}`);
  }

  /** The root runs of a project that its filter lets through; each is read whole, for its children. */
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
    return this.#asked(async () => {
      const runs: LangSmithRun[] = [];
      for await (const { id } of client.listRuns(query)) {
        runs.push(runOf(await client.readRun(id, { loadChildRuns: true })));
      }
      return runs;
    }, `the project ${project}`);
  }

  async #client(): Promise<Client> {
    const apiUrl = this.#env('LANGSMITH_ENDPOINT') ?? this.#env('LANGCHAIN_ENDPOINT');
    const apiKey = this.#env('LANGSMITH_API_KEY') ?? this.#env('LANGCHAIN_API_KEY');
    if (apiKey === undefined) throw new UserError('LangSmith needs a key', 'Set LANGSMITH_API_KEY in the environment.');
    // The client warns of calls that its next API replaces in 2027: nothing that whoever imports a run can do about.
    process.noDeprecation = true;
    const { Client } = await import('langsmith/client');
    return new Client({
      apiKey,
      ...(apiUrl && { apiUrl }),
      autoBatchTracing: false,
      fetchImplementation: fetchFor('langsmith'),
    });
  }

  async #asked<T>(ask: () => Promise<T>, what: string): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new UserError(
        `LangSmith does not give ${what}: ${reason}`,
        'Check the id, the key and LANGSMITH_ENDPOINT.',
      );
    }
  }
}

/** The client's types say `any`; what crosses here is JSON. */
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

/** `last_7_days`, `last_24_hours`, `last 30 days`: any number of hours or days. Flakestorm knows these three. */
export function startOf(dateRange: string, now: Date): Date | undefined {
  const [, count, unit] = /(\d+)[\s_-]*(hour|day|week)/i.exec(dateRange) ?? [];
  const hours = { hour: 1, day: 24, week: 168 }[unit?.toLowerCase() ?? ''];
  return hours === undefined ? undefined : new Date(now.getTime() - Number(count) * hours * HOUR_MS);
}
