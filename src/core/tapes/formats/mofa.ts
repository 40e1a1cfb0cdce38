import { type Json, prettyJson } from '../../json/json';
import { type JsonNode, jsonValue, member, readJson } from '../../json/jsonDocument';
import type { Problem, Span } from '../../text/source';
import type { ChatRequest, ChatResponse, Interaction, Message, Tape, ToolCall, Usage } from '../tape';
import type { TapeFormat } from '../tapeFormat';

/**
 * MoFA tapes, schema version 1 (mofa-org/mofa, pull request 1581, `tests/src/replay.rs`): an ordered list of chat calls.
 * A response is plain text; tool schemas, finish reasons, models and latencies are not stored.
 */
export const mofaFormat: TapeFormat = { id: 'mofa', label: 'MoFA tape', looksLike, read, serialise };

function looksLike(text: string): boolean {
  const head = text.slice(0, 4096);
  return /^\uFEFF?\s*\{/.test(head) && /"interactions"\s*:/.test(text) && /"case_name"\s*:/.test(text);
}

function read(text: string): Tape {
  const { value: root, problems: syntax } = readJson(text);
  const reader = new MofaReader();
  const interactions = root === undefined ? [] : reader.interactions(root);
  const name = member(root, 'case_name');
  const version = member(root, 'version');
  return {
    format: 'mofa',
    ...(name?.type === 'string' ? { name: name.value } : {}),
    ...(version?.type === 'number' ? { version: version.lexeme } : {}),
    interactions,
    // After a syntax error everything that is missing is missing because of it: say the one thing.
    problems: syntax.length > 0 ? syntax : [...reader.problems, ...headProblems(root)],
  };
}

function headProblems(root: JsonNode | undefined): Problem[] {
  if (root?.type !== 'object')
    return [problem(root, 'a MoFA tape is a JSON object', 'Wrap it in { "version": 1, … }.')];
  const problems: Problem[] = [];
  if (member(root, 'version')?.type !== 'number') {
    problems.push(problem(root, 'the tape has no "version" number', 'Add "version": 1.'));
  }
  if (member(root, 'case_name')?.type !== 'string') {
    problems.push(problem(root, 'the tape has no "case_name"', 'Add "case_name" with the name of its case.'));
  }
  return problems;
}

/** Reads interactions one by one; what MoFA would refuse becomes a problem, and reading goes on. */
class MofaReader {
  readonly problems: Problem[] = [];

  interactions(root: JsonNode): Interaction[] {
    const list = member(root, 'interactions');
    if (list?.type !== 'array') {
      if (root.type === 'object')
        this.#report(list ?? root, 'the tape has no "interactions" list', 'Add "interactions": [].');
      return [];
    }
    if (list.items.length === 0) {
      this.problems.push({
        severity: 'warning',
        message: 'tape has no interactions',
        fix: 'A replay of this tape fails; record it again.',
        span: { start: list.start, end: list.end },
      });
    }
    return list.items.map((node, index) => this.#interaction(node, index));
  }

  #interaction(node: JsonNode, index: number): Interaction {
    const request = member(node, 'request');
    return {
      index,
      kind: 'llm',
      ...(request?.type === 'object' ? { request: this.#request(request) } : {}),
      response: this.#response(node),
      source: { start: node.start, end: node.end },
    };
  }

  #request(node: JsonNode): ChatRequest {
    const messages = member(node, 'messages');
    if (messages?.type !== 'array')
      this.#report(messages ?? node, 'the request has no "messages" list', 'Add "messages": [].');
    const model = stringAt(node, 'model');
    const names = member(node, 'tool_names');
    const toolNames = names?.type === 'array' ? names.items : [];
    return {
      ...(model === undefined ? {} : { model }),
      messages: messages?.type === 'array' ? messages.items.map((item) => this.#message(item)) : [],
      tools: toolNames.flatMap((item) => (item.type === 'string' ? [{ name: item.value }] : [])),
      params: paramsOf(node),
    };
  }

  #message(node: JsonNode): Message {
    const role = stringAt(node, 'role');
    if (role === undefined) this.#report(node, 'a message has no "role"', 'Add "role": "user", or the role it had.');
    const toolCallId = stringAt(node, 'tool_call_id');
    return {
      role: role ?? 'unknown',
      content: stringAt(node, 'content') ?? null,
      toolCalls: this.#toolCalls(member(node, 'tool_calls')),
      ...(toolCallId === undefined ? {} : { toolCallId }),
    };
  }

  #response(node: JsonNode): ChatResponse {
    const content = member(node, 'response');
    if (content?.type !== 'string') {
      this.#report(
        content ?? node,
        '"response" must be a string',
        'MoFA stores the answer as plain text; use "" for none.',
      );
    }
    const usage = this.#usage(member(node, 'usage'));
    return {
      content: content?.type === 'string' ? content.value : null,
      toolCalls: this.#toolCalls(member(node, 'tool_calls')),
      ...(usage === undefined ? {} : { usage }),
    };
  }

  #toolCalls(node: JsonNode | undefined): ToolCall[] {
    if (node === undefined) return [];
    if (node.type !== 'array') {
      this.#report(node, '"tool_calls" must be a list', 'Use [] where there are none: MoFA refuses null here.');
      return [];
    }
    return node.items.map((item) => {
      const name = stringAt(item, 'name');
      if (name === undefined) this.#report(item, 'a tool call has no "name"', 'Add the name of the tool.');
      const args = member(item, 'arguments');
      return {
        id: stringAt(item, 'id') ?? '',
        name: name ?? '',
        arguments: args === undefined ? null : jsonValue(args),
      };
    });
  }

  #usage(node: JsonNode | undefined): Usage | undefined {
    if (node === undefined || (node.type === 'literal' && node.value === null)) return undefined;
    const [promptTokens, completionTokens, totalTokens] = ['prompt_tokens', 'completion_tokens', 'total_tokens'].map(
      (key) => countAt(node, key),
    );
    if (promptTokens === undefined || completionTokens === undefined || totalTokens === undefined) {
      this.#report(
        node,
        '"usage" needs prompt_tokens, completion_tokens and total_tokens',
        'Add all three, or use null.',
      );
      return undefined;
    }
    return { promptTokens, completionTokens, totalTokens };
  }

  #report(node: JsonNode, message: string, fix: string): void {
    this.problems.push(problem(node, message, fix));
  }
}

function problem(node: Span | undefined, message: string, fix: string): Problem {
  return { severity: 'error', message, fix, span: { start: node?.start ?? 0, end: node?.end ?? 0 } };
}

function stringAt(node: JsonNode, key: string): string | undefined {
  const found = member(node, key);
  return found?.type === 'string' ? found.value : undefined;
}

function countAt(node: JsonNode, key: string): number | undefined {
  const found = member(node, key);
  return found?.type === 'number' && /^\d+$/.test(found.lexeme) ? Number(found.lexeme) : undefined;
}

function paramsOf(node: JsonNode): Record<string, Json> {
  const params: Record<string, Json> = {};
  for (const key of ['temperature', 'max_tokens']) {
    const found = member(node, key);
    if (found?.type === 'number') params[key] = jsonValue(found);
  }
  return params;
}

/** A whole tape as MoFA's recorder writes it: serde's field order and nulls, and no final newline. */
function serialise(name: string, interactions: readonly Pick<Interaction, 'request' | 'response'>[]): string {
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
