import { asRecord, asString } from '../../../json/fields';
import type { Json, JsonRecord } from '../../../json/json';
import { any } from '../../marks';
import { type ConversationDescription, errorText, type Said } from '../shared/conversationFormat';
import { readTraceUsage } from '../shared/traces/usage';

/** What `codex exec --json` prints. The prompt is not in it. */
export const codexStream: ConversationDescription = {
  id: 'codex-stream',
  label: 'Codex stream',
  files: ['jsonl', 'ndjson'],
  lines: 'records',
  marks: [
    'type',
    any(
      ['thread_id', /"type"\s*:\s*"thread\.started"/],
      ['item.type', /"type"\s*:\s*"item\.(?:started|updated|completed)"/],
    ),
  ],
  says({ type, thread_id: thread, item, usage, error, message }) {
    if (type === 'thread.started') return { name: asString(thread) };
    if (type === 'turn.completed') return { usage: readTraceUsage(codexUsage(usage)) };
    if (type === 'turn.failed') return { error: errorText(error) };
    if (type === 'error') return { error: asString(message) };
    if (type === 'turn.started' || type === 'item.started' || type === 'item.updated') return {};
    return type === 'item.completed' ? itemSays(asRecord(item)) : undefined;
  },
};

function codexUsage(usage: Json | undefined): JsonRecord {
  const counts = asRecord(usage);
  return { ...counts, cachedInputTokens: counts.cached_input_tokens ?? null };
}

/** An item is what the model said, or a tool that it called with what came of it. */
function itemSays(item: JsonRecord): Said | undefined {
  const { id, type, text, status } = item;
  const isFailed = status === 'failed' || (typeof item.exit_code === 'number' && item.exit_code !== 0);
  const called = (name: string, args: JsonRecord, result: Json | undefined): Said => ({
    messages: toolUse({ id: asString(id) ?? '', name, args, result: result ?? '', isFailed }),
  });
  switch (type) {
    case 'agent_message':
      return { messages: [{ role: 'assistant', content: text ?? '' }] };
    case 'reasoning':
      return { messages: [{ role: 'assistant', content: [{ type: 'reasoning', text: text ?? '' }] }] };
    case 'command_execution':
      return called('shell', { command: item.command ?? null }, item.aggregated_output);
    case 'file_change':
      return called('apply_patch', { changes: item.changes ?? null }, status);
    case 'mcp_tool_call':
      return called(
        `${asString(item.server) ?? ''}.${asString(item.tool) ?? ''}`,
        asRecord(item.arguments),
        errorText(item.error) ?? asRecord(item.result).content ?? item.result,
      );
    case 'web_search':
      return called('web_search', { query: item.query ?? null }, '');
    case 'todo_list':
      return called('update_plan', { plan: item.items ?? null }, '');
    case 'error':
      return { error: asString(item.message) };
    default:
      return undefined;
  }
}

interface ToolUse {
  readonly id: string;
  readonly name: string;
  readonly args: Json;
  readonly result: Json | undefined;
  readonly isFailed?: boolean;
}

/** The call of a tool, and its result where there is one. */
export function toolUse({ id, name, args, result, isFailed }: ToolUse): readonly Json[] {
  const call = { role: 'assistant', content: null, tool_calls: [{ id, name, args }] };
  return result === undefined || result === null ? [call] : [call, toolResult(id, result, isFailed)];
}

export function toolResult(id: Json | undefined, result: Json, isFailed = false): Json {
  return { role: 'tool', tool_call_id: id ?? '', content: result, ...(isFailed && { status: 'error' }) };
}

/** Rollouts of Codex before 0.32: items of the Responses API, a line each, after one about the session. */
export const codexItems: ConversationDescription = {
  id: 'codex-items',
  label: 'Codex session',
  files: ['jsonl'],
  lines: 'records',
  firstLines: 1,
  marks: ['id', 'timestamp', 'instructions'],
  says(record) {
    const { type, role, record_type: state, id, instructions } = record;
    if (state !== undefined || type === 'ghost_snapshot') return {};
    if (type === undefined && role === undefined)
      return instructions === undefined ? undefined : { name: asString(id), system: instructions ?? undefined };
    const isItem = type === 'message' || type === 'reasoning' || /_call(?:_output)?$/.test(asString(type) ?? '');
    return isItem ? { messages: [record] } : undefined;
  },
};
