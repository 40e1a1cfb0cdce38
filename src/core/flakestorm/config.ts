import type { JsonNode, JsonObjectNode } from '../json/jsonNode';
import { ARRAY, BOOLEAN, OBJECT, STRING } from '../json/nodeReader';
import { member } from '../json/readJson';
import { readTextDocument, rootObject } from '../syntax/textDocument';
import { type FlakestormSession, FlakestormSessionReader } from '../tapes/formats/flakestorm/session';
import { t } from '../text/l10n';
import type { ParseResult, Problem, Span } from '../text/source';
import type { Chaos } from './chaos';
import { type Contract, ContractReader, type Invariant, objectMember, optional, spanOf } from './contract';
import { type HttpAgent, readHttpAgent } from './httpAgent';
import { DEFAULT_SCORING, isValidScoring, type Scoring } from './score';

/** The parts of `flakestorm.yaml` (`FlakeStormConfig` of flakestorm 2.0) that a run needs. */
export interface FlakestormConfig {
  readonly agent: AgentTarget;
  readonly goldenPrompts: readonly GoldenPrompt[];
  /** The invariants of a run without a contract. */
  readonly invariants: readonly Invariant[];
  readonly chaos?: Chaos;
  readonly contract?: Contract;
  /** Scenarios for a configuration whose contract has none. */
  readonly sessions: readonly ConfiguredSession[];
  readonly sources: readonly LangSmithSource[];
  readonly scoring: Scoring;
  readonly seed?: number;
  readonly span: Span;
}

/** The agent under test. Tapedeck can only call agents over HTTP. */
type AgentTarget =
  | ({ readonly type: 'http' } & HttpAgent)
  | { readonly type: 'python' | 'langchain' | 'unknown'; readonly endpoint: string };

interface GoldenPrompt {
  readonly text: string;
  readonly span: Span;
}

interface ConfiguredSession {
  readonly session: FlakestormSession;
  readonly span: Span;
}

export type LangSmithSource =
  | { readonly type: 'run'; readonly runId: string; readonly span: Span }
  | ({ readonly type: 'project'; readonly autoImport: boolean; readonly span: Span } & LangSmithProject);

export interface LangSmithProject {
  readonly project: string;
  /** `error`, `warning` (runs without an error) or `all`. */
  readonly status: string;
  readonly dateRange?: string;
  readonly minLatencyMs?: number;
}

/** Reads a configuration. There is a value only if there are no problems. */
export function readFlakestormConfig(text: string): ParseResult<FlakestormConfig> {
  const document = readTextDocument(text);
  const root = rootObject(document);
  if (root === undefined || document.problems.length > 0) return { value: undefined, problems: document.problems };
  const reader = new ConfigReader(text, document.syntax);
  const value = reader.config(root);
  const problems = reader.allProblems;
  return { value: problems.some(({ severity }) => severity === 'error') ? undefined : value, problems };
}

/** Reads a contract from a file of its own. */
export function readContractFile(text: string): ParseResult<Contract> {
  const document = readTextDocument(text);
  const root = rootObject(document);
  if (root === undefined || document.problems.length > 0) return { value: undefined, problems: document.problems };
  const reader = new ContractReader();
  const value = reader.contract(root);
  return { value: reader.problems.length === 0 ? value : undefined, problems: reader.problems };
}

class ConfigReader extends ContractReader {
  readonly #sessions: FlakestormSessionReader;

  constructor(text: string, syntax: ReturnType<typeof readTextDocument>['syntax']) {
    super();
    this.#sessions = new FlakestormSessionReader(text, syntax);
  }

  get allProblems(): readonly Problem[] {
    return [...this.problems, ...this.#sessions.problems];
  }

  config(root: JsonObjectNode): FlakestormConfig {
    const agent = this.required(root, 'agent', OBJECT, t('Add `agent:` with the endpoint of your agent.'));
    const chaos = objectMember(root, 'chaos');
    const contract = objectMember(root, 'contract');
    const replays = objectMember(root, 'replays') ?? objectMember(root, 'sessions');
    const advanced = objectMember(root, 'advanced');
    return {
      agent: agent === undefined ? { type: 'unknown', endpoint: '' } : this.#agent(agent),
      goldenPrompts: this.#prompts(root),
      invariants: this.#invariants(root),
      ...optional('chaos', chaos && this.chaos(chaos)),
      ...optional('contract', contract && this.contract(contract)),
      sessions: replays === undefined ? [] : this.#sessionList(replays),
      sources: replays === undefined ? [] : this.#sources(replays),
      scoring: this.#scoring(root),
      ...optional('seed', advanced && this.number(advanced, 'seed')),
      span: spanOf(member(root, 'version') ?? member(root, 'agent') ?? root),
    };
  }

  #agent(node: JsonObjectNode): AgentTarget {
    const endpoint = this.required(node, 'endpoint', STRING, t('Use the URL of the agent.')) ?? '';
    const type = (this.nullable(node, 'type', STRING) ?? 'http').toLowerCase();
    if (type === 'python' || type === 'langchain') return { type, endpoint };
    if (type === 'http') {
      if (!/^https?:\/\/[^/]/.test(endpoint)) {
        const message = t('`endpoint` is not an http(s) address: {0}', endpoint);
        this.report(
          member(node, 'endpoint') ?? node,
          message,
          t('Use the URL of the agent, such as http://127.0.0.1:8000.'),
        );
      }
      return { type, ...readHttpAgent(node, endpoint) };
    }
    this.report(
      member(node, 'type') ?? node,
      t('unknown type of agent: {0}', type),
      t('Use http, python or langchain.'),
    );
    return { type: 'unknown', endpoint };
  }

  #prompts(root: JsonObjectNode): readonly GoldenPrompt[] {
    const fix = t('Add `golden_prompts:` with at least one prompt.');
    const items = this.required(root, 'golden_prompts', ARRAY, fix) ?? [];
    const list = member(root, 'golden_prompts');
    if (list?.type === 'array' && items.length === 0) this.report(list, t('`golden_prompts` is empty'), fix);
    return items.flatMap((node) => {
      const text = this.expect(node, STRING, t('a golden prompt'));
      return text === undefined ? [] : [{ text, span: spanOf(node) }];
    });
  }

  #invariants(root: JsonObjectNode): readonly Invariant[] {
    const found = this.records(root, 'invariants', t('an invariant')).map((node, index) => this.invariant(node, index));
    if (found.length === 0) {
      const message = t('At least 1 invariant is required, but 0 provided.');
      this.report(
        member(root, 'invariants') ?? root,
        message,
        t('Add `invariants:` with at least one invariant, such as `type: valid_json`.'),
      );
    }
    return found;
  }

  #sessionList(replays: JsonObjectNode): readonly ConfiguredSession[] {
    return this.records(replays, 'sessions', t('a replay session')).map((node) => ({
      session: this.#sessions.session(node),
      span: spanOf(member(node, 'id') ?? member(node, 'file') ?? node),
    }));
  }

  #sources(replays: JsonObjectNode): readonly LangSmithSource[] {
    return this.records(replays, 'sources', t('a source of sessions')).flatMap((node): LangSmithSource[] => {
      const span = spanOf(member(node, 'type') ?? node);
      const type = this.required(node, 'type', STRING, t('Use langsmith or langsmith_run.'));
      if (type === 'langsmith_run') {
        const runId = this.required(node, 'run_id', STRING, t('Use the id of a LangSmith run.')) ?? '';
        return [{ type: 'run', runId, span }];
      }
      if (type !== 'langsmith') {
        this.report(
          member(node, 'type') ?? node,
          t('unknown source: {0}', type ?? ''),
          t('Use langsmith or langsmith_run.'),
        );
        return [];
      }
      const filter = objectMember(node, 'filter') ?? node;
      return [
        {
          type: 'project',
          project: this.required(node, 'project', STRING, t('Use the name of a LangSmith project.')) ?? '',
          autoImport: this.nullable(node, 'auto_import', BOOLEAN) ?? false,
          status: this.nullable(filter, 'status', STRING) ?? 'error',
          ...optional('dateRange', this.nullable(filter, 'date_range', STRING)),
          ...optional('minLatencyMs', this.number(filter, 'min_latency_ms')),
          span,
        },
      ];
    });
  }

  #scoring(root: JsonObjectNode): Scoring {
    const node = objectMember(root, 'scoring');
    if (node === undefined) return DEFAULT_SCORING;
    const weight = (key: keyof Scoring): number => this.number(node, key) ?? DEFAULT_SCORING[key];
    const scoring: Scoring = {
      mutation: weight('mutation'),
      chaos: weight('chaos'),
      contract: weight('contract'),
      replay: weight('replay'),
    };
    if (!isValidScoring(scoring)) {
      this.report(
        node as JsonNode,
        t('scoring.weights must sum to 1.0'),
        t('Change the weights so that they add up to 1.'),
      );
    }
    return scoring;
  }
}
