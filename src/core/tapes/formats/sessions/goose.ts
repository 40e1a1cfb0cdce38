import { asRecord, asRecords, asString } from '../../../json/fields';
import type { Json, JsonRecord } from '../../../json/json';
import { any } from '../../marks';
import { type ConversationDescription, errorText, timeOfSeconds } from '../shared/conversationFormat';
import { toolResult } from './codex';

/** Sessions of Goose before its data base: a line about the session, and a line for each message; and what `goose session export` writes. */
export const gooseSession: ConversationDescription = {
  id: 'goose-session',
  label: 'Goose session',
  files: ['jsonl', 'json'],
  lines: 'records',
  firstLines: 3,
  lists: ['conversation', 'messages'],
  marks: any(
    ['working_dir', any('message_count', 'conversation[].created', 'messages[].created')],
    ['role', 'created', /"type"\s*:\s*"tool(?:Request|Response)"/],
  ),
  about: ({ id, name, description, model_config: model }) => ({
    name: asString(name) ?? asString(description) ?? asString(id),
    model: asString(asRecord(model).model_name),
  }),
  says(record) {
    const { role, content, created, working_dir: place, description } = record;
    if (role === undefined && place !== undefined) return { name: asString(description) };
    if (role !== 'user' && role !== 'assistant') return undefined;
    return { messages: gooseMessages(role, asRecords(content)), at: timeOfSeconds(created) };
  },
};

/** Results are in messages of the user, beside what the user said. */
function gooseMessages(role: string, blocks: readonly JsonRecord[]): readonly Json[] {
  const results = blocks.filter(({ type }) => type === 'toolResponse').map(resultOf);
  const calls = blocks.filter(({ type }) => type === 'toolRequest' || type === 'frontendToolRequest').map(callOf);
  const others = blocks.filter(({ type }) => !/^(?:frontendT|t)ool(?:Request|Response)$/.test(asString(type) ?? ''));
  const said = others.length + calls.length === 0 ? [] : [{ role, content: others, tool_calls: calls }];
  return [...results, ...said];
}

function callOf({ id, toolCall }: JsonRecord): JsonRecord {
  const { name, arguments: args } = asRecord(asRecord(toolCall).value);
  return { id: id ?? '', name: name ?? '', args: args ?? {} };
}

function resultOf({ id, toolResult: outcome }: JsonRecord): Json {
  const { status, value, error } = asRecord(outcome);
  const said = asRecord(value).content ?? value ?? errorText(error) ?? '';
  return toolResult(id, said, status === 'error' || asRecord(value).isError === true);
}
