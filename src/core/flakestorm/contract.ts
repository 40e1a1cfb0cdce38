import type { JsonNode, JsonObjectNode } from '../json/jsonNode';
import { ARRAY, BOOLEAN, NodeReader, NUMBER, OBJECT, STRING } from '../json/nodeReader';
import { member } from '../json/readJson';
import { t } from '../text/l10n';
import type { Span } from '../text/source';
import { type Chaos, type ChaosScenario, readFaults } from './chaos';

const INVARIANT_SEVERITIES = ['critical', 'high', 'medium', 'low'] as const;
export type InvariantSeverity = (typeof INVARIANT_SEVERITIES)[number];

const WHENS = ['always', 'tool_faults_active', 'llm_faults_active', 'any_chaos_active', 'no_chaos'] as const;
export type When = (typeof WHENS)[number];

const INVARIANT_TYPES = [
  'contains',
  'contains_any',
  'regex',
  'excludes_pattern',
  'latency',
  'valid_json',
  'output_not_empty',
  'completes',
  'excludes_pii',
  'refusal_check',
  'similarity',
  'behavior_unchanged',
] as const;
type InvariantType = (typeof INVARIANT_TYPES)[number];

/** A requirement for a response: `ContractInvariantConfig`, and `InvariantConfig` of a run. */
export interface Invariant {
  readonly id: string;
  readonly type: InvariantType;
  readonly description?: string;
  readonly severity: InvariantSeverity;
  readonly when: When;
  readonly negate: boolean;
  readonly value?: string;
  readonly values: readonly string[];
  readonly pattern?: string;
  readonly patterns: readonly string[];
  /** Milliseconds. */
  readonly maxMs?: number;
  readonly threshold?: number;
  readonly expected?: string;
  readonly baseline?: string;
  readonly similarityThreshold?: number;
  /** Prompts that are sent instead of the golden ones. */
  readonly probes: readonly string[];
  readonly span: Span;
}

/** A behavioural contract: invariants, and the chaos scenarios under which they must hold. */
export interface Contract {
  readonly name: string;
  readonly invariants: readonly Invariant[];
  readonly scenarios: readonly ChaosScenario[];
  readonly span: Span;
}

/** Reads contracts and invariants as flakestorm 2.0 does (`core/config.py`); what it refuses is reported as a problem. */
export class ContractReader extends NodeReader {
  contract(node: JsonObjectNode): Contract {
    const name =
      this.required(node, 'name', STRING, t('Add `name:` to the contract. Sessions refer to it by name.')) ?? '';
    return {
      name,
      invariants: this.records(node, 'invariants', t('an invariant')).map((item) => this.invariant(item)),
      scenarios: this.records(node, 'chaos_matrix', t('a scenario')).map((item) => this.scenario(item)),
      span: spanOf(member(node, 'name') ?? node),
    };
  }

  scenario(node: JsonObjectNode): ChaosScenario {
    const name = this.required(node, 'name', STRING, t('Add `name:` to the scenario.')) ?? '';
    return { name, chaos: this.chaos(node), span: spanOf(member(node, 'name') ?? node) };
  }

  chaos(node: JsonObjectNode): Chaos {
    return readFaults(this, node);
  }

  invariant(node: JsonObjectNode, index = 0): Invariant {
    const written = this.required(node, 'type', STRING, t('Use one of {0}.', INVARIANT_TYPES.join(', ')));
    const type = INVARIANT_TYPES.find((known) => known === written);
    if (written !== undefined && type === undefined) {
      // Flakestorm silently takes such an invariant for a regular expression.
      this.report(
        member(node, 'type') ?? node,
        t('unknown invariant type: {0}', written),
        t('Use one of {0}.', INVARIANT_TYPES.join(', ')),
      );
    }
    const invariant: Invariant = {
      id: this.nullable(node, 'id', STRING) ?? `${type ?? 'invariant'}-${index + 1}`,
      type: type ?? 'completes',
      ...optional('description', this.nullable(node, 'description', STRING)),
      severity: this.#choice(node, 'severity', INVARIANT_SEVERITIES, 'medium'),
      when: this.#choice(node, 'when', WHENS, 'always'),
      negate: this.nullable(node, 'negate', BOOLEAN) ?? false,
      ...optional('value', this.nullable(node, 'value', STRING)),
      values: this.#texts(node, 'values'),
      ...optional('pattern', this.nullable(node, 'pattern', STRING)),
      patterns: this.#texts(node, 'patterns'),
      ...optional('maxMs', this.number(node, 'max_ms')),
      ...optional('threshold', this.number(node, 'threshold')),
      ...optional('expected', this.nullable(node, 'expected', STRING)),
      ...optional('baseline', this.nullable(node, 'baseline', STRING)),
      ...optional('similarityThreshold', this.number(node, 'similarity_threshold')),
      probes: this.#texts(node, 'probes'),
      span: spanOf(member(node, 'id') ?? member(node, 'type') ?? node),
    };
    if (type !== undefined) this.#requireOf(node, invariant);
    return invariant;
  }

  number(node: JsonNode, key: string): number | undefined {
    const value = this.nullable(node, key, NUMBER);
    return value === undefined ? undefined : Number(value);
  }

  /** The required fields of each type. */
  #requireOf(node: JsonObjectNode, { type, value, values, pattern, patterns, maxMs, expected }: Invariant): void {
    const missing: Partial<Record<InvariantType, readonly [key: string, isMissing: boolean]>> = {
      contains: ['value', !value],
      contains_any: ['values', values.length === 0],
      regex: ['pattern', !pattern],
      excludes_pattern: ['patterns', patterns.length === 0],
      latency: ['max_ms', !maxMs],
      similarity: ['expected', !expected],
    };
    const [key, isMissing] = missing[type] ?? ['', false];
    if (isMissing)
      this.report(node, t("'{0}' invariant requires '{1}' field", type, key), t('Add {0}: … to the invariant.', key));
  }

  #texts(node: JsonObjectNode, key: string): readonly string[] {
    const items = this.nullable(node, key, ARRAY) ?? [];
    return items.flatMap((item) => this.expect(item, STRING, t('an item of `{0}`', key)) ?? []);
  }

  #choice<T extends string>(node: JsonObjectNode, key: string, choices: readonly T[], otherwise: T): T {
    const written = this.nullable(node, key, STRING);
    if (written === undefined) return otherwise;
    const choice = choices.find((known) => known === written.toLowerCase());
    if (choice === undefined) {
      this.report(
        member(node, key) ?? node,
        `unknown \`${key}\`: ${written}`,
        t('Use one of {0}.', choices.join(', ')),
      );
    }
    return choice ?? otherwise;
  }
}

export function spanOf({ start, end }: JsonNode): Span {
  return { start, end };
}

/** `{ [key]: value }`, or `{}` for undefined, so that an absent property is absent. */
export function optional<K extends string, V>(key: K, value: V | undefined): { [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { [P in K]?: V });
}

/** A member that is an object; undefined for any other value. */
export function objectMember(node: JsonNode, key: string): JsonObjectNode | undefined {
  const found = member(node, key);
  return found === undefined ? undefined : OBJECT.read(found);
}
