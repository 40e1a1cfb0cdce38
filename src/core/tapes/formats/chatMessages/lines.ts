import { asRecord, asRecords, asString, isBlank } from '../../../json/fields';
import type { JsonRecord } from '../../../json/json';
import { jsonOutline } from '../../../json/jsonOutline';
import type { TapeFormat } from '../../format';
import { any, none } from '../../marks';
import { textParts } from '../../tapeFile';
import { conversationFormat } from '../shared/conversationFormat';
import { readTraceUsage } from '../shared/traces/usage';

const lines = conversationFormat({
  id: 'message-lines',
  label: 'messages in lines',
  family: 'conversation',
  files: ['jsonl', 'ndjson'],
  lines: 'records',
  isBeside: (name) => name === 'encrypted_content',
  marks: any(
    [
      /"role"\s*:\s*"(?:_?system(?:_prompt)?|developer|user|assistant|tool)"/,
      any(
        ['role', any('content', 'tool_calls', 'message.content'), none('type', 'created')],
        ['type', any('id', 'timestamp'), 'message.role', 'message.content', none('session_id', 'parentUuid')],
      ),
    ],
    ['type', 'content', any('prompt_index', 'model_id')],
  ),
  says(record) {
    const inner = asRecord(record.message);
    const { model = record.model_id ?? record.modelId, usage } = inner;
    const role = asString(inner.role ?? record.role ?? record.type) ?? '';
    if (NOTES.test(role)) return { name: asString(record.title ?? record.id), model: asString(model) };
    if (role === 'compaction') return { messages: [{ role: 'user', content: record.summary ?? '' }], replaces: true };
    const said = ROLES[role];
    if (said === undefined) return undefined;
    const message = isBlank(inner) ? record : inner;
    return {
      messages: [{ ...message, role: said, ...(said === 'tool' ? failure(message) : reasoning(message)) }],
      // Where a type is the role, the lines of a response follow each other.
      isWhole: record.type !== role,
      model: asString(model),
      usage: readTraceUsage(usage ?? record.usage),
      at: asString(record.timestamp),
    };
  },
});

/** One message alone may be anything. */
export const messageLinesFormat: TapeFormat = {
  ...lines,
  // What it has, much else has as well: no other file is said to be nearly this.
  marks: undefined,
  looksLike: (file) => !jsonOutline(textParts(file)).isOnly && lines.looksLike(file),
};

/** What is said of the session, or of the program. */
const NOTES =
  /^(?:session|session_start|model_change|thinking_level_change|todo_state|custom|label|_checkpoint|_usage)$/;

const ROLES: Readonly<Record<string, string>> = {
  _system_prompt: 'system',
  system: 'system',
  developer: 'system',
  user: 'user',
  assistant: 'assistant',
  reasoning: 'assistant',
  tool: 'tool',
  tool_result: 'tool',
  toolResult: 'tool',
};

function failure({ isError }: JsonRecord): JsonRecord {
  return isError === true ? { status: 'error' } : {};
}

/** What a line of the Responses API says of thoughts. */
function reasoning({ summary }: JsonRecord): JsonRecord {
  const thoughts = asRecords(summary).map(({ text }) => ({ type: 'reasoning', text: text ?? '' }));
  return thoughts.length === 0 ? {} : { content: thoughts };
}
