import { asRecord, asString, omitKeys } from '../../../json/fields';
import type { Json, JsonRecord } from '../../../json/json';
import { any, type Mark, markAt, none } from '../../marks';
import { conversationFormat } from '../shared/conversationFormat';
import { readTraceUsage } from '../shared/traces/usage';

/** Where programs keep the list; the file itself where it is one. */
const LISTS = [
  '',
  'messages',
  'history',
  'traj',
  'trajectory',
  'conversation',
  'conversations',
  'chat_history',
] as const;

/** What SWE-agent did beside the messages of its history, which may lack the last step. */
const STEPS = 'trajectory';

/** A message of OpenAI, Anthropic, Gemini, or the AI SDK; and one of ShareGPT, which is told by its list. */
const MESSAGE: Mark = ['role', any('content', 'tool_calls', 'parts[].text', 'parts[].functionCall', 'parts[].type')];
const SHARE_GPT: Mark = ['conversations[].from', 'conversations[].value'];

/**
 * A conversation as a plain list of messages in the shape of a provider, alone or with little beside it, as agents and benchmarks keep it:
 * each message of the assistant is a response to those before it.
 */
export const chatMessagesFormat = conversationFormat({
  id: 'chat-messages',
  label: 'list of chat messages',
  family: 'conversation',
  // Data for training has the first two; the steps of SWE-agent say once more what its messages do.
  isBeside: (name) => name === 'tools' || name === 'functions' || name === STEPS,
  files: ['json', 'jsonl', 'ndjson', 'traj'],
  ownEndings: ['traj'],
  lines: 'conversations',
  firstLines: 1,
  lists: LISTS,
  steps: STEPS,
  // Results of a benchmark (tau-bench, tau2-bench), and data for fine-tuning as one list.
  several: ['', 'simulations'],
  // The last are logs of LiteLLM and OpenHands, which have a response beside the messages.
  marks: [
    any(...LISTS.map((path) => markAt(`${path}[]`, MESSAGE)), SHARE_GPT),
    none(['call_type', 'response_cost'], ['response.choices', 'kwargs', 'cost']),
  ],
  about: ({ instance_id, task_id, name, id, model, info, tools, system, system_prompt }) => ({
    name: [instance_id, task_id, name, id].map(asString).find((one) => one !== undefined),
    model: asString(model) ?? modelOf(info),
    tools,
    system: system ?? system_prompt,
  }),
  says(message) {
    const { usage, extra, timestamp } = message;
    const counts = usage ?? asRecord(asRecord(extra).response).usage;
    return { messages: [plainMessage(message)], isWhole: true, usage: readTraceUsage(counts), at: asString(timestamp) };
  },
});

/** mini-swe-agent and SWE-agent keep their configuration beside the messages. */
function modelOf(info: Json | undefined): string | undefined {
  const { model, agent } = asRecord(asRecord(info).config);
  return asString(asRecord(model ?? asRecord(agent).model).model_name);
}

const ROLES: Readonly<Record<string, string>> = {
  human: 'user',
  gpt: 'assistant',
  chatgpt: 'assistant',
  bot: 'assistant',
  function_call: 'assistant',
  observation: 'tool',
  function_response: 'tool',
};

/** What messages have of what was said, in the shapes that are known. */
const SAID = ['content', 'contents', 'parts', 'tool_calls', 'toolCalls', 'function_call', 'kwargs', 'data', 'refusal'];

/** A message as it is, or one of ShareGPT. What is known of neither is shown as it is. */
function plainMessage(message: JsonRecord): JsonRecord {
  const { role, from, value } = message;
  if (typeof message.response === 'string' && 'action' in message && role === undefined) return stepMessage(message);
  if (typeof from === 'string' && role === undefined) return { role: ROLES[from] ?? from, content: value ?? '' };
  return SAID.some((name) => name in message) || role === undefined
    ? message
    : { role, content: [omitKeys(message, 'role')] };
}

/** What the model said in a step of SWE-agent: with tools, what it did stands beside it. */
function stepMessage({ response, action }: JsonRecord): JsonRecord {
  const [said, done] = [asString(response) ?? '', asString(action)?.trim() ?? ''];
  return { role: 'assistant', content: said.includes(done) ? said : `${said}\n\n${done}` };
}

export { messageLinesFormat } from './lines';
