import type { JsonNode, JsonObjectNode } from '../../../json/jsonNode';
import { ARRAY, isNull, NodeReader, OBJECT, STRING } from '../../../json/nodeReader';
import { PYDANTIC_INT } from '../../../json/pydantic';
import { member } from '../../../json/readJson';
import type { Syntax } from '../../../syntax/textDocument';
import { message, t } from '../../../text/l10n';
import { type PyyamlType, pyyamlType } from '../../../yaml/plainScalar';

/** `ReplaySessionConfig` of flakestorm 2.0, `core/config.py`. */
export interface FlakestormSession {
  readonly node: JsonObjectNode;
  readonly id: string;
  readonly name: string | undefined;
  readonly capturedAt: string | undefined;
  readonly input: string;
  readonly context: readonly JsonObjectNode[];
  readonly toolResponses: readonly DeclaredResponse[];
  readonly expectedFailure: string | undefined;
  /** The name of a contract, or the path of its file. */
  readonly contract: string;
  /** The session is in another file. */
  readonly file: string | undefined;
}

/** `ReplayToolResponseConfig`. */
export interface DeclaredResponse {
  readonly node: JsonObjectNode;
  readonly tool: string;
  /** A text or an object. */
  readonly response: JsonNode | undefined;
  /** An HTTP status; 0 for an error. */
  readonly status: number | undefined;
  readonly latencyMs: number | undefined;
}

const IN_YAML_1_1: Readonly<Partial<Record<PyyamlType, string>>> = {
  null: message('nothing'),
  boolean: message('a boolean'),
  integer: message('a number'),
  float: message('a number'),
  date: message('a date'),
};
const FIX_MISSING_TOOL = message('Add it: `tool: NAME`.');

/** Reads sessions as PyYAML and pydantic do, which convert no number, date or boolean to a string. */
export class FlakestormSessionReader extends NodeReader {
  readonly #text: string;
  readonly #syntax: Syntax;

  constructor(text: string, syntax: Syntax) {
    super();
    this.#text = text;
    this.#syntax = syntax;
  }

  session(node: JsonObjectNode): FlakestormSession {
    const session = {
      node,
      id: this.#string(node, 'id') ?? '',
      name: this.#string(node, 'name', 'nullable'),
      capturedAt: this.#string(node, 'captured_at', 'nullable'),
      input: this.#string(node, 'input') ?? '',
      context: this.#context(node),
      toolResponses: this.records(node, 'tool_responses', t('a tool response')).map((item) => this.#toolResponse(item)),
      expectedFailure: this.#string(node, 'expected_failure', 'nullable'),
      contract: this.#string(node, 'contract') ?? 'default',
      file: this.#string(node, 'file', 'nullable'),
    };
    this.#string(node, 'source', 'nullable');
    if (!session.file && (session.id === '' || session.input === '') && this.problems.length === 0) {
      const message = t("Replay session must have either 'file' or inline id and input");
      this.report(node, message, t('Give it an `id` and an `input`.'));
    }
    return session;
  }

  #context(node: JsonObjectNode): readonly JsonObjectNode[] {
    const items = this.nullable(node, 'context', ARRAY) ?? [];
    return items.flatMap((item) => this.expect(item, OBJECT, t('an item of `context`')) ?? []);
  }

  #toolResponse(node: JsonObjectNode): DeclaredResponse {
    if (member(node, 'tool') === undefined) this.report(node, t('missing field `tool`'), t(FIX_MISSING_TOOL));
    const response = member(node, 'response');
    const latency = this.nullable(node, 'latency_ms', PYDANTIC_INT, t('Use whole milliseconds, or leave it out.'));
    const status = this.nullable(node, 'status', PYDANTIC_INT, t('Use an HTTP status, or 0 for an error.'));
    return {
      node,
      tool: this.#string(node, 'tool') ?? '',
      response: response === undefined || isNull(response) ? undefined : this.#responseNode(response),
      status: status === undefined ? undefined : Number(status),
      latencyMs: latency === undefined ? undefined : Number(latency),
    };
  }

  #responseNode(node: JsonNode): JsonNode {
    const type = this.#type(node);
    const isRefused = node.type === 'array' || (node.type !== 'object' && type !== 'string');
    if (isRefused) {
      const what = node.type === 'array' ? t('a list') : t(IN_YAML_1_1[type] ?? message('a value'));
      const refusal = t('`response` must be a string or an object, and this is {0}, which Flakestorm rejects', what);
      this.report(node, refusal, node.type === 'array' ? t('Put the list into an object.') : t('Put it in quotes.'));
    }
    return node;
  }

  /** A string. A value that Python would read as another type is reported, and its text is used. */
  #string(node: JsonObjectNode, key: string, nullable?: 'nullable'): string | undefined {
    const found = member(node, key);
    if (found === undefined) return undefined;
    const type = this.#type(found);
    if (type === 'string') return this.#lexeme(found);
    const isScalar = found.type !== 'object' && found.type !== 'array';
    if (isScalar && type === 'null' && nullable) return undefined;
    const what = IN_YAML_1_1[type];
    if (!isScalar || what === undefined || this.#syntax !== 'yaml') {
      this.read(found, key, STRING, t('Correct the value: flakestorm cannot read the session as it is.'));
      return undefined;
    }
    const message = t(
      '`{0}` must be a string, but unquoted this is {1} in YAML 1.1, which Flakestorm rejects',
      key,
      t(what),
    );
    this.report(found, message, t('Put it in quotes.'));
    return this.#lexeme(found);
  }

  /** The type that Python gives a scalar; `string` for all other nodes. */
  #type(node: JsonNode): PyyamlType {
    if (this.#isPlain(node)) return pyyamlType(this.#text.slice(node.start, node.end));
    if (node.type === 'number') return 'integer';
    if (node.type === 'literal') return node.value === null ? 'null' : 'boolean';
    return node.type === 'string' ? 'string' : 'null';
  }

  #lexeme(node: JsonNode): string {
    return node.type === 'string' ? node.value : this.#text.slice(node.start, node.end);
  }

  /** Whether a node is an unquoted YAML scalar without a tag. */
  #isPlain({ type, start, end }: JsonNode): boolean {
    if (this.#syntax !== 'yaml' || type === 'object' || type === 'array') return false;
    if (/["'|>]/.test(this.#text.charAt(start)) && end > start) return false;
    return !/![^\s]*[ \t]+$/.test(this.#text.slice(Math.max(0, start - 64), start));
  }
}
