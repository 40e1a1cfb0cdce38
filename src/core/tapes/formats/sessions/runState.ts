import { asRecord, asString, omitUndefined } from '../../../json/fields';
import { any } from '../../marks';
import type { ConversationDescription } from '../shared/conversationFormat';

/** The state of a run of OpenAI's Agents SDK, as it is kept while a person decides on a tool: of Python, or in camel case. */
export const runState: ConversationDescription = {
  id: 'openai-run-state',
  label: 'OpenAI Agents run state',
  files: ['json'],
  lists: ['session_items', 'generated_items', 'generatedItems'],
  marks: ['$schemaVersion', any('generated_items[].raw_item', 'session_items[].raw_item', 'generatedItems[].rawItem')],
  about: ({ $schemaVersion: version, original_input, originalInput, current_agent, currentAgent }) => ({
    version: asString(version),
    name: asString(asRecord(current_agent ?? currentAgent).name),
    asked: original_input ?? originalInput,
  }),
  says({ type, raw_item, rawItem }) {
    // A tool that waits for its approval was called.
    if (type === 'tool_approval_item') return {};
    const { callId, ...item } = asRecord(raw_item ?? rawItem);
    if (Object.keys(item).length === 0) return undefined;
    const isResult = item.type === 'function_call_result';
    return {
      messages: [
        omitUndefined({ ...item, ...(isResult && { type: 'function_call_output' }), call_id: item.call_id ?? callId }),
      ],
    };
  },
};
