import { type Json, prettyJson } from '../../json/json';
import { type JsonNode, jsonValue, member, readJson } from '../../json/jsonDocument';
import type { Problem } from '../../text/source';
import type { ChatRequest, ChatResponse, Interaction, Message, Tape, ToolCall, ToolDefinition, Usage } from '../tape';
import type { TapeFile } from '../tapeFile';
import type { RecordedInteraction, TapeFormat } from '../tapeFormat';

/**
 * MoFA tapes, schema version 1 (mofa-org/mofa, pull request 1581, `tests/src/replay.rs`): an ordered list of chat calls.
 * A response is plain text; tool schemas, finish reasons, models and latencies are not stored.
 */
export const mofaFormat = { id: 'mofa', label: 'MoFA tape', looksLike, read, serialise } satisfies TapeFormat;

function looksLike({ text }: TapeFile): boolean {
  const head = text.slice(0, 4096);
  return /^\uFEFF?\s*\{/.test(head) && /"interactions"\s*:/.test(text) && /"case_name"\s*:/.test(text);
}

function read({ text }: TapeFile): Tape {
  const { value: root, problems: syntax } = readJson(text);
  const reader = new MofaReader();
  const tape = root === undefined ? EMPTY : reader.tape(root);
  // After a syntax error everything that is missing is missing because of it: say the one thing.
  return { ...tape, problems: syntax.length > 0 ? syntax : reader.problems };
}

const EMPTY: Omit<Tape, 'problems'> = { format: 'mofa', interactions: [] };

/** What a member has to be. */
interface Kind<T> {
  readonly wanted: string;
  /** Undefined when the node is of another kind. */
  read(node: JsonNode): T | undefined;
}

const RECORD: Kind<JsonNode> = { wanted: 'an object', read: (node) => (node.type === 'object' ? node : undefined) };
const LIST: Kind<readonly JsonNode[]> = {
  wanted: 'a list',
  read: (node) => (node.type === 'array' ? node.items : undefined),
};
const TEXT: Kind<string> = { wanted: 'a string', read: (node) => (node.type === 'string' ? node.value : undefined) };
const NUMBER: Kind<Json> = {
  wanted: 'a number',
  read: (node) => (node.type === 'number' ? jsonValue(node) : undefined),
};
const ANYTHING: Kind<Json> = { wanted: 'a JSON value', read: jsonValue };
/** Rust's u32. */
const COUNT: Kind<number> = {
  wanted: 'a whole number',
  read: (node) =>
    node.type === 'number' && /^\d+$/.test(node.lexeme) && Number(node.lexeme) <= 0xffff_ffff
      ? Number(node.lexeme)
      : undefined,
};

/** Reads a tape piece by piece; what MoFA would refuse becomes a problem, and reading goes on. */
class MofaReader {
  readonly problems: Problem[] = [];

  tape(root: JsonNode): Omit<Tape, 'problems'> {
    if (root.type !== 'object') {
      this.#report(root, 'a MoFA tape is a JSON object', 'Wrap it in { "version": 1, … }.');
      return EMPTY;
    }
    const version = this.#required(root, 'version', COUNT, 'Use "version": 1.');
    const name = this.#required(root, 'case_name', TEXT, 'Use "case_name" with the name of its case.');
    return {
      format: 'mofa',
      ...(name === undefined ? {} : { name }),
      ...(version === undefined ? {} : { version: `${version}` }),
      interactions: this.#interactions(root),
    };
  }

  #interactions(root: JsonNode): Interaction[] {
    const items = this.#required(root, 'interactions', LIST, 'Use "interactions": [ … ].') ?? [];
    const list = member(root, 'interactions');
    if (list?.type === 'array' && items.length === 0) {
      this.problems.push({
        severity: 'warning',
        message: 'tape has no interactions',
        fix: 'A replay of this tape fails; record it again.',
        span: { start: list.start, end: list.end },
      });
    }
    return items.map((node, index) => this.#interaction(node, index));
  }

  #interaction(node: JsonNode, index: number): Interaction {
    const source = { start: node.start, end: node.end };
    // A placeholder keeps the indexes of the others.
    if (!this.#expectRecord(node, 'an interaction')) return { index, kind: 'llm', source };
    const request = this.#nullable(node, 'request', RECORD);
    return {
      index,
      kind: 'llm',
      ...(request === undefined ? {} : { request: this.#request(request) }),
      response: this.#response(node),
      source,
    };
  }

  #request(node: JsonNode): ChatRequest {
    const messages = this.#required(node, 'messages', LIST, 'Use "messages": [ … ].') ?? [];
    const model = this.#nullable(node, 'model', TEXT);
    const temperature = this.#nullable(node, 'temperature', NUMBER);
    const maxTokens = this.#nullable(node, 'max_tokens', COUNT);
    return {
      ...(model === undefined ? {} : { model }),
      messages: messages.filter((item) => this.#expectRecord(item, 'a message')).map((item) => this.#message(item)),
      tools: this.#list(node, 'tool_names').flatMap((item) => this.#tool(item)),
      params: {
        ...(temperature === undefined ? {} : { temperature }),
        ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
      },
    };
  }

  #tool(node: JsonNode): ToolDefinition[] {
    const name = TEXT.read(node);
    if (name !== undefined) return [{ name }];
    this.#report(node, 'a tool name must be a string', 'MoFA stores the names of the tools only.');
    return [];
  }

  #message(node: JsonNode): Message {
    const toolCallId = this.#nullable(node, 'tool_call_id', TEXT);
    return {
      role: this.#required(node, 'role', TEXT, 'Use "role": "user", or the role it had.') ?? 'unknown',
      content: this.#nullable(node, 'content', TEXT) ?? null,
      toolCalls: this.#toolCalls(node),
      ...(toolCallId === undefined ? {} : { toolCallId }),
    };
  }

  #response(node: JsonNode): ChatResponse {
    const plain = 'MoFA stores the answer as plain text; use "" for none.';
    const content = this.#required(node, 'response', TEXT, plain) ?? null;
    const toolCalls = this.#toolCalls(node);
    const usage = this.#nullable(node, 'usage', RECORD);
    return { content, toolCalls, ...(usage === undefined ? {} : this.#usage(usage)) };
  }

  #toolCalls(node: JsonNode): ToolCall[] {
    const calls = this.#list(node, 'tool_calls').filter((item) => this.#expectRecord(item, 'a tool call'));
    return calls.map((call) => ({
      id: this.#required(call, 'id', TEXT, 'Use the id of the call, or "".') ?? '',
      name: this.#required(call, 'name', TEXT, 'Use the name of the tool.') ?? '',
      arguments: this.#required(call, 'arguments', ANYTHING, 'Use {} where there are none.') ?? null,
    }));
  }

  #usage(node: JsonNode): { usage?: Usage } {
    const fix = 'Use whole numbers for all three counts, or null for the whole "usage".';
    const promptTokens = this.#required(node, 'prompt_tokens', COUNT, fix);
    const completionTokens = this.#required(node, 'completion_tokens', COUNT, fix);
    const totalTokens = this.#required(node, 'total_tokens', COUNT, fix);
    if (promptTokens === undefined || completionTokens === undefined || totalTokens === undefined) return {};
    return { usage: { promptTokens, completionTokens, totalTokens } };
  }

  #required<T>(node: JsonNode, key: string, kind: Kind<T>, fix: string): T | undefined {
    const found = member(node, key);
    if (found !== undefined) return this.#read(found, key, kind, fix);
    this.#report(node, `missing field \`${key}\``, fix);
    return undefined;
  }

  /** A member that may be absent or null: Rust's `Option`. */
  #nullable<T>(node: JsonNode, key: string, kind: Kind<T>): T | undefined {
    const found = member(node, key);
    if (found === undefined || (found.type === 'literal' && found.value === null)) return undefined;
    return this.#read(found, key, kind, 'Correct it, or use null.');
  }

  /** A list that may be absent but not null. */
  #list(node: JsonNode, key: string): readonly JsonNode[] {
    const found = member(node, key);
    if (found === undefined) return [];
    return this.#read(found, key, LIST, 'Use [] where there are none: MoFA refuses null here.') ?? [];
  }

  #read<T>(node: JsonNode, key: string, { wanted, read }: Kind<T>, fix: string): T | undefined {
    const value = read(node);
    if (value === undefined) this.#report(node, `\`${key}\` must be ${wanted}`, fix);
    return value;
  }

  #expectRecord(node: JsonNode, what: string): boolean {
    if (node.type === 'object') return true;
    this.#report(node, `${what} must be an object`, 'Correct it, or remove it.');
    return false;
  }

  /** A list or object is pointed at by its bracket: underlining all of it would hide what is wrong in it. */
  #report(node: JsonNode, message: string, fix: string): void {
    const end = node.type === 'object' || node.type === 'array' ? node.start + 1 : node.end;
    this.problems.push({ severity: 'error', message, fix, span: { start: node.start, end } });
  }
}

/** A whole tape as MoFA's recorder writes it: serde's field order and nulls, and no final newline. */
function serialise(name: string, interactions: readonly RecordedInteraction[]): string {
  return prettyJson({
    version: 1,
    case_name: name,
    interactions: interactions.map(({ request, response }) => ({
      request: request === undefined ? null : writeRequest(request),
      response: response?.content ?? '',
      tool_calls: (response?.toolCalls ?? []).map(writeToolCall),
      usage: response?.usage === undefined ? null : writeUsage(response.usage),
    })),
  });
}

/** The request object of a tape and of an artifact's `llm_request`. */
export function writeRequest(request: ChatRequest): Json {
  return {
    messages: request.messages.map(writeMessage),
    model: request.model ?? null,
    temperature: request.params.temperature ?? null,
    max_tokens: request.params.max_tokens ?? null,
    tool_names: request.tools.map(({ name }) => name),
  };
}

export function writeMessage(message: Message): Json {
  return {
    role: message.role,
    content: message.content,
    tool_call_id: message.toolCallId ?? null,
    tool_calls: message.toolCalls.map(writeToolCall),
  };
}

export function writeToolCall({ id, name, arguments: args }: ToolCall): Json {
  return { id, name, arguments: args };
}

export function writeUsage(usage: Usage): Json {
  return {
    prompt_tokens: usage.promptTokens,
    completion_tokens: usage.completionTokens,
    total_tokens: usage.totalTokens,
  };
}
