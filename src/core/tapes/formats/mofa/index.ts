import { asRecord, omitUndefined } from '../../../json/fields';
import { prettyJson } from '../../../json/json';
import type { JsonNode } from '../../../json/jsonNode';
import { ANY_JSON, ARRAY, NodeReader, NUMBER, OBJECT, STRING, UINT32 } from '../../../json/nodeReader';
import { jsonValue, member } from '../../../json/readJson';
import { rememberNumber } from '../../../json/writtenNumbers';
import type { RecordedInteraction } from '../../../model/interaction';
import type { ChatRequest, ChatResponse, Message, ToolCall, ToolDefinition } from '../../../model/message';
import { textMember } from '../../../syntax/replaceText';
import { message, t } from '../../../text/l10n';
import { chatUsage } from '../../../wire/openaiChat/read';
import { reportedCost } from '../../../wire/shared/reportedCost';
import type { InteractionContent } from '../../lazyTape';
import { MODEL_RESPONSES, writeSubset } from '../../writableFormat';
import { type DocumentReading, documentFormat, entriesOf } from '../shared/documentFormat';
import { withoutSurroundings } from './systemPrompt';
import { writeMofaRequest, writeMofaToolCall, writeMofaUsage } from './write';

/**
 * MoFA tapes, schema version 1 (mofa-org/mofa, pull request 1581, `tests/src/replay.rs`): an ordered list of chat
 * calls. A response is plain text; tool schemas, finish reasons, models and latencies are not stored.
 */
export const mofaFormat = documentFormat({
  id: 'mofa',
  label: 'MoFA tape',
  family: 'conversation',
  files: ['json'],
  ownEndings: ['tape.json'],
  syntax: 'json',
  marks: ['case_name', 'interactions'],
  reader: () => new MofaReader(),
  document: (reader, root) => reader.tape(root),
  servesInOrder: true,
  ...writeSubset(MODEL_RESPONSES, serialise),
  storedFields: {
    tools: 'names',
    parts: false,
    params: ['temperature', 'max_tokens'],
    systemPrompt: withoutSurroundings,
  },
  noText: message('The response of this interaction is not a text.'),
  recordsModel: false,
});

const FIX_NULL = message('Use [] for an empty list: MoFA refuses null here.');

/** Reports everything that MoFA refuses as a problem. */
class MofaReader extends NodeReader {
  tape(root: JsonNode): DocumentReading<MofaReader> {
    if (root.type !== 'object') {
      this.report(root, t('a MoFA tape is a JSON object'), t('Wrap it in { "version": 1, … }.'));
      return { entries: [] };
    }
    const version = this.required(root, 'version', UINT32, t('Use "version": 1.'));
    const name = this.required(root, 'case_name', STRING, t('Use "case_name" with the name of its case.'));
    const entries = entriesOf(this.#items(root), (node) => ({
      place: node,
      read: (reader: MofaReader) => reader.interaction(node),
      text: () => textMember(node, 'response'),
    }));
    return { name, version: version === undefined ? undefined : `${version}`, entries };
  }

  #items(root: JsonNode): readonly JsonNode[] {
    const items = this.required(root, 'interactions', ARRAY, t('Use "interactions": [ … ].')) ?? [];
    const list = member(root, 'interactions');
    if (list?.type === 'array' && items.length === 0) {
      this.problems.push({
        severity: 'warning',
        message: t('tape has no interactions'),
        fix: t('A replay of this tape fails; record it again.'),
        span: { start: list.start, end: list.end },
      });
    }
    return items;
  }

  interaction(node: JsonNode): InteractionContent {
    // The placeholder keeps the indexes of the other interactions.
    if (!this.record(node, t('an interaction'))) return { kind: 'llm' };
    const request = this.nullable(node, 'request', OBJECT);
    return {
      kind: 'llm',
      ...(request === undefined ? {} : { request: this.#request(request) }),
      response: this.#response(node),
    };
  }

  #request(node: JsonNode): ChatRequest {
    const messages = this.required(node, 'messages', ARRAY, t('Use "messages": [ … ].')) ?? [];
    const model = this.nullable(node, 'model', STRING);
    const temperature = this.nullable(node, 'temperature', NUMBER);
    const maxTokens = this.nullable(node, 'max_tokens', UINT32);
    const params = {
      ...(temperature === undefined ? {} : { temperature }),
      ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    };
    const written = member(node, 'temperature');
    if (written?.type === 'number' && written.lexeme !== String(temperature))
      rememberNumber(params, 'temperature', written.lexeme);
    return {
      ...(model === undefined ? {} : { model }),
      messages: messages.filter((item) => this.record(item, t('a message'))).map((item) => this.#message(item)),
      tools: (this.optional(node, 'tool_names', ARRAY, t(FIX_NULL)) ?? []).flatMap((item) => this.#tool(item)),
      params,
    };
  }

  #tool(node: JsonNode): ToolDefinition[] {
    const name = STRING.read(node);
    if (name !== undefined) return [{ name }];
    this.report(node, t('a tool name must be a string'), t('MoFA stores the names of the tools only.'));
    return [];
  }

  #message(node: JsonNode): Message {
    const toolCallId = this.nullable(node, 'tool_call_id', STRING);
    return {
      role: this.required(node, 'role', STRING, t('Use "role": "user", or another role.')) ?? 'unknown',
      content: this.nullable(node, 'content', STRING) ?? null,
      toolCalls: this.#toolCalls(node),
      ...(toolCallId === undefined ? {} : { toolCallId }),
    };
  }

  #response(node: JsonNode): ChatResponse {
    const plain = t('MoFA stores the response as plain text; use "" for an empty one.');
    const content = this.required(node, 'response', STRING, plain) ?? null;
    const toolCalls = this.#toolCalls(node);
    const usage = this.nullable(node, 'usage', OBJECT);
    return { content, toolCalls, ...(usage === undefined ? {} : this.#usage(usage)) };
  }

  #toolCalls(node: JsonNode): ToolCall[] {
    const calls = this.records(node, 'tool_calls', t('a tool call'), t(FIX_NULL));
    return calls.map((call) => ({
      id: this.required(call, 'id', STRING, t('Use the id of the call, or "".')) ?? '',
      name: this.required(call, 'name', STRING, t('Use the name of the tool.')) ?? '',
      arguments: this.required(call, 'arguments', ANY_JSON, t('Use {} for a call without arguments.')) ?? null,
    }));
  }

  #usage(node: JsonNode): Pick<ChatResponse, 'usage' | 'reportedCost'> {
    const fix = t('Use whole numbers for all three counts, or null for the whole "usage".');
    const promptTokens = this.required(node, 'prompt_tokens', UINT32, fix);
    const completionTokens = this.required(node, 'completion_tokens', UINT32, fix);
    const totalTokens = this.required(node, 'total_tokens', UINT32, fix);
    if (promptTokens === undefined || completionTokens === undefined || totalTokens === undefined) return {};
    const written = asRecord(jsonValue(node));
    const { cachedTokens, cacheWriteTokens, reasoningTokens } = chatUsage(written) ?? {};
    const details = omitUndefined({ cachedTokens, cacheWriteTokens, reasoningTokens });
    return omitUndefined({
      usage: { promptTokens, completionTokens, totalTokens, ...details },
      reportedCost: reportedCost(written),
    });
  }
}

/** A whole tape as MoFA's recorder writes it: serde's field order and nulls, and no final newline. */
function serialise(name: string, interactions: readonly RecordedInteraction[]): string {
  return prettyJson({
    version: 1,
    case_name: name,
    interactions: interactions.map(({ request, response }) => ({
      request: request === undefined ? null : writeMofaRequest(request),
      response: response?.content ?? '',
      tool_calls: (response?.toolCalls ?? []).map(writeMofaToolCall),
      usage: response?.usage === undefined ? null : writeMofaUsage(response.usage, response.reportedCost),
    })),
  });
}
