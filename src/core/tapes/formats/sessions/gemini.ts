import { asRecord, asRecords, asString } from '../../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../../json/json';
import { readGeminiUsage } from '../../../wire/gemini/read';
import { usageFromCounts } from '../../../wire/shared/usage';
import { any } from '../../marks';
import { type ConversationDescription, errorText, type Said } from '../shared/conversationFormat';
import { toolResult, toolUse } from './codex';

/** Sessions of the Gemini CLI: one document, or since 0.31 a line for each message, with lines that change what was written before. */
export const geminiSession: ConversationDescription = {
  id: 'gemini-session',
  label: 'Gemini CLI session',
  files: ['json', 'jsonl'],
  lines: 'records',
  firstLines: 1,
  lists: ['messages'],
  marks: ['sessionId', 'projectHash', 'startTime'],
  // A result as the program shows it.
  isBeside: (name) => name === 'resultDisplay',
  about: ({ sessionId }) => ({ name: asString(sessionId) }),
  says(record) {
    const { $set: set, $rewindTo: rewindsTo, sessionId, type, id, timestamp, content } = record;
    if (typeof rewindsTo === 'string') return { rewindsTo };
    if (isRecord(set)) {
      const messages = asRecords(set.messages).flatMap((message) => messagesOf(message) ?? []);
      return messages.length === 0 ? {} : { messages, replaces: true };
    }
    if (type === undefined && sessionId !== undefined) return { name: asString(sessionId) };
    if (type === 'error') return { error: textOf(content) };
    if (type === 'info' || type === 'warning') return {};
    const messages = messagesOf(record);
    if (messages === undefined) return undefined;
    const model = asString(record.model);
    return { messages, id: asString(id), at: asString(timestamp), model, usage: usageOf(asRecord(record.tokens)) };
  },
};

function messagesOf({ type, content, thoughts, toolCalls }: JsonRecord): readonly Json[] | undefined {
  if (type === 'user') return [{ role: 'user', content: content ?? '' }];
  if (type !== 'gemini' && type !== 'qwen') return undefined;
  const calls = asRecords(toolCalls);
  const reasoning = asRecords(thoughts).map(({ subject, description }) => ({
    type: 'reasoning',
    text: [subject, description].flatMap((part) => asString(part) || []).join('\n'),
  }));
  const said = {
    role: 'assistant',
    content: [...reasoning, ...(Array.isArray(content) ? content : [{ type: 'text', text: content ?? '' }])],
    tool_calls: calls.map(({ id, name, args }) => ({ id: id ?? '', name: name ?? '', args: args ?? {} })),
  };
  return [said, ...calls.flatMap(({ id, result, status }) => results(id, result, status))];
}

function results(id: Json | undefined, result: Json | undefined, status: Json | undefined): Json[] {
  if (result === undefined || result === null) return [];
  const responses = asRecords(result).flatMap(({ functionResponse }) => responseIn(functionResponse) ?? []);
  const said = responses.length === 0 ? result : responses;
  const whole = Array.isArray(said) && said.length === 1 ? (said[0] ?? '') : said;
  return [toolResult(id, whole, status === 'error')];
}

function responseIn(functionResponse: Json | undefined): Json | undefined {
  const { response } = asRecord(functionResponse);
  return asRecord(response).output ?? response;
}

function partResult({ functionResponse }: JsonRecord): Json[] {
  const response = responseIn(functionResponse);
  return response === undefined ? [] : [toolResult(asRecord(functionResponse).id, response)];
}

function textOf(content: Json | undefined): string | undefined {
  if (!Array.isArray(content)) return asString(content);
  return asRecords(content)
    .map(({ text }) => asString(text) ?? '')
    .join('');
}

function usageOf({ input, output, cached, thoughts, total }: JsonRecord): Said['usage'] {
  return usageFromCounts({
    prompt: input,
    completion: output,
    total,
    cached,
    reasoning: thoughts,
    besideCompletion: [thoughts],
  });
}

/** What `gemini --output-format stream-json` prints. */
export const geminiStream: ConversationDescription = {
  id: 'gemini-stream',
  label: 'Gemini CLI stream',
  files: ['jsonl', 'ndjson'],
  lines: 'records',
  firstLines: 2,
  marks: [
    'type',
    'timestamp',
    any(
      ['session_id', 'model', /"type"\s*:\s*"init"/],
      ['role', 'content', /"type"\s*:\s*"message"/],
      ['tool_name', 'tool_id'],
    ),
  ],
  says(record) {
    const { type, timestamp, role, content, delta, tool_id: id } = record;
    const at = asString(timestamp);
    switch (type) {
      case 'init':
        return { name: asString(record.session_id), model: asString(record.model) };
      case 'message':
        return { messages: [{ role: role ?? 'user', content: content ?? '' }], isPiece: delta === true, at };
      case 'tool_use': {
        const name = asString(record.tool_name) ?? '';
        return { messages: toolUse({ id: asString(id) ?? '', name, args: record.parameters ?? {}, result: null }), at };
      }
      case 'tool_result': {
        const result = record.output ?? errorText(record.error) ?? '';
        return { messages: [toolResult(id, result, record.status === 'error')], at };
      }
      case 'error':
        return record.severity === 'warning' ? {} : { error: asString(record.message) };
      case 'result': {
        const { input_tokens: prompt, output_tokens: completion, cached } = asRecord(record.stats);
        return { usage: usageFromCounts({ prompt, completion, cached }), error: errorText(record.error) };
      }
      default:
        return undefined;
    }
  },
};

/** Sessions of Qwen Code, a fork of the Gemini CLI, whose lines have the outside of Claude Code's and the messages of Gemini. */
export const qwenCode: ConversationDescription = {
  id: 'qwen-code',
  label: 'Qwen Code session',
  files: ['jsonl'],
  lines: 'records',
  firstLines: 8,
  marks: ['uuid', 'sessionId', 'message.parts'],
  says({ type, sessionId, version, message, model, usageMetadata, timestamp }) {
    if (type === 'system') return {};
    if (type !== 'user' && type !== 'assistant' && type !== 'tool_result') return undefined;
    return {
      name: asString(sessionId),
      version: asString(version),
      messages: type === 'tool_result' ? asRecords(asRecord(message).parts).flatMap(partResult) : [message ?? null],
      at: asString(timestamp),
      model: asString(model),
      usage: readGeminiUsage(usageMetadata),
    };
  },
};
