import { asRecord, asRecords, asString } from '../../../json/fields';
import type { Json, JsonRecord } from '../../../json/json';
import type { Usage } from '../../../model/usage';
import { usageFromCounts } from '../../../wire/shared/usage';
import { type ConversationDescription, errorText } from '../shared/conversationFormat';
import { toolUse } from './codex';

/** What `opencode export` writes: a session with the parts of its messages. */
export const opencodeSession: ConversationDescription = {
  id: 'opencode-session',
  label: 'OpenCode session',
  files: ['json'],
  lists: ['messages'],
  marks: ['info.id', 'messages[].info.role', 'messages[].parts'],
  about: ({ info }) => ({ name: asString(asRecord(info).title), version: asString(asRecord(info).version) }),
  says({ info: about, parts }) {
    const { role, modelID, model, tokens, error, time } = asRecord(about);
    if (role !== 'user' && role !== 'assistant') return undefined;
    const isUser = role === 'user';
    const said = asRecords(parts).flatMap((part) => (isUser ? userPart(part) : partSays(part)));
    return {
      messages: isUser ? [{ role, content: said }] : said,
      model: asString(modelID ?? asRecord(model).modelID),
      usage: isUser ? undefined : usageOf(asRecord(tokens)),
      error: errorText(asRecord(error).data) ?? asString(asRecord(error).name),
      at: timeOf(asRecord(time).completed ?? asRecord(time).created),
    };
  },
};

function userPart(part: JsonRecord): Json[] {
  if (part.type === 'file') return [{ type: 'text', text: asString(part.filename) ?? asString(part.url) ?? '' }];
  return typeof part.text === 'string' ? [{ type: 'text', text: part.text }] : [];
}

function partSays(part: JsonRecord): readonly Json[] {
  const { type, text, tool, callID, state } = part;
  if (type === 'text' && text !== '') return [{ role: 'assistant', content: [{ type: 'text', text: text ?? '' }] }];
  if (type === 'reasoning' && text !== '')
    return [{ role: 'assistant', content: [{ type: 'reasoning', text: text ?? '' }] }];
  if (type !== 'tool') return [];
  const { input, output, error, status } = asRecord(state);
  const result = output ?? error;
  return toolUse({
    id: asString(callID) ?? '',
    name: asString(tool) ?? '',
    args: input ?? {},
    result,
    isFailed: status === 'error',
  });
}

function usageOf({ input, output, reasoning, cache }: JsonRecord): Usage | undefined {
  const { read, write } = asRecord(cache);
  const usage = usageFromCounts({
    prompt: input,
    completion: output,
    cached: read,
    cacheWrite: write,
    reasoning,
    besidePrompt: [read, write],
    besideCompletion: [reasoning],
  });
  return usage?.totalTokens === 0 ? undefined : usage;
}

function timeOf(time: Json | undefined): string | undefined {
  return typeof time === 'number' && Math.abs(time) < 8.64e15 ? new Date(time).toISOString() : undefined;
}

/** What `opencode run --format json` prints. The prompt is not in it. */
export const opencodeStream: ConversationDescription = {
  id: 'opencode-stream',
  label: 'OpenCode stream',
  files: ['jsonl', 'ndjson'],
  lines: 'records',
  firstLines: 2,
  marks: ['type', 'sessionID', 'timestamp', 'part.type'],
  says({ type, sessionID, part, error, timestamp }) {
    const name = asString(sessionID);
    if (type === 'error') return { name, error: errorText(asRecord(error).data) ?? errorText(error) };
    if (type === 'step_start') return { name };
    if (type === 'step_finish') return { name, usage: usageOf(asRecord(asRecord(part).tokens)) };
    if (type !== 'text' && type !== 'reasoning' && type !== 'tool_use') return undefined;
    return { name, messages: partSays(asRecord(part)), at: timeOf(timestamp) };
  },
};
