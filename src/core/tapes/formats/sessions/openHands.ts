import { asList, asRecord, asString, isBlank, omitKeys } from '../../../json/fields';
import type { JsonRecord } from '../../../json/json';
import { any } from '../../marks';
import { type ConversationDescription, errorText, type Said } from '../shared/conversationFormat';
import { readTraceUsage } from '../shared/traces/usage';
import { toolResult, toolUse } from './codex';

/** Events of OpenHands: a trajectory as a list, or the history of an evaluation in each line. */
export const openHands: ConversationDescription = {
  id: 'openhands',
  label: 'OpenHands trajectory',
  files: ['json', 'jsonl'],
  lines: 'conversations',
  lists: ['', 'history', 'trajectory', 'events'],
  marks: any(
    ...['', 'history', 'trajectory', 'events'].flatMap((path) => [
      [`${path}[].source`, `${path}[].timestamp`, `${path}[].action`, `${path}[].args`],
      [
        `${path}[].source`,
        `${path}[].timestamp`,
        `${path}[].kind`,
        any(`${path}[].llm_message`, `${path}[].tool_call`),
      ],
    ]),
  ),
  about: ({ instance_id: name, metadata }) => ({
    name: asString(name),
    model: asString(asRecord(asRecord(metadata).llm_config).model),
  }),
  says: (event) => (event.kind === undefined ? eventSays(event) : sdkEventSays(event)),
};

/** An event of the program: an action of the user or the agent, or what was observed. */
function eventSays(event: JsonRecord): Said | undefined {
  const { source, action, observation, args: given, content, message, timestamp, cause } = event;
  const args = asRecord(given);
  const at = asString(timestamp);
  const metadata = asRecord(event.tool_call_metadata);
  const id = asString(metadata.tool_call_id) ?? `${cause ?? event.id ?? ''}`;
  if (action === 'system') return { messages: [{ role: 'system', content: args.content ?? '' }], at };
  if (action === 'message') {
    const said = { role: source === 'user' ? 'user' : 'assistant', content: args.content ?? '' };
    return { messages: [said], at, ...answeredBy(metadata) };
  }
  if (/^(?:change_agent_state|null|recall|pause|resume|condensation(?:_request)?)$/.test(String(action))) return {};
  if (typeof action === 'string') {
    if (source === 'user') return { messages: [{ role: 'user', content: asString(message) ?? '' }], at };
    const name = asString(metadata.function_name) ?? action;
    const thought = asString(args.thought) || undefined;
    const use = toolUse({ id, name, args: omitKeys(args, 'thought'), result: null });
    const text = thought === undefined ? [] : [{ role: 'assistant', content: thought }];
    return { messages: [...text, ...use], at, ...answeredBy(metadata) };
  }
  if (/^(?:agent_state_changed|null|recall|loop_detection)$/.test(String(observation))) return {};
  if (typeof observation !== 'string') return undefined;
  const { exit_code: code } = asRecord(asRecord(event.extras).metadata);
  const result = toolResult(id, content ?? '', observation === 'error' || (code ?? 0) !== 0);
  return { messages: [result], at, isSilent: content === '' };
}

/** The response that an action is of; with several actions, each of these repeats it. */
function answeredBy({ model_response: response }: JsonRecord): Pick<Said, 'model' | 'usage'> {
  const { model, usage } = asRecord(response);
  return { model: asString(model), usage: readTraceUsage(usage) };
}

/** An event of the Software Agent SDK, on which OpenHands is built since 1.0. */
function sdkEventSays(event: JsonRecord): Said | undefined {
  const { kind, timestamp } = event;
  const at = asString(timestamp);
  const id = asString(event.tool_call_id) ?? '';
  switch (kind) {
    case 'SystemPromptEvent':
      return { system: asRecord(event.system_prompt).text ?? event.system_prompt, tools: event.tools };
    case 'MessageEvent':
      return { messages: [event.llm_message ?? null], at };
    case 'ActionEvent': {
      const reasoning = asString(event.reasoning_content);
      const said = [...(reasoning ? [{ type: 'reasoning', text: reasoning }] : []), ...asList(event.thought)];
      const call = asRecord(event.tool_call);
      const args = call.arguments ?? asRecord(call.function).arguments ?? event.action ?? {};
      const use = toolUse({ id, name: asString(event.tool_name) ?? '', args, result: null });
      return { messages: [...(said.length === 0 ? [] : [{ role: 'assistant', content: said }]), ...use], at };
    }
    case 'ObservationEvent': {
      const seen = asRecord(event.observation);
      const said = seen.content ?? seen.output ?? omitKeys(seen, 'kind');
      return { messages: [toolResult(id, said, seen.is_error === true || !isBlank(seen.error))], at };
    }
    case 'AgentErrorEvent':
    case 'UserRejectObservation':
      return { messages: [toolResult(id, event.error ?? event.rejection_reason ?? '', true)], at };
    case 'ConversationErrorEvent':
      return { error: asString(event.detail) ?? errorText(event.error) };
    case 'CondensationSummaryEvent':
      return { messages: [{ role: 'user', content: event.summary ?? '' }], at };
    default:
      return /^(?:ConversationStateUpdateEvent|PauseEvent|Condensation(?:Request)?|TokenEvent|LLMCompletionLogEvent|StreamingDeltaEvent|InterruptEvent)$/.test(
        asString(kind) ?? '',
      )
        ? {}
        : undefined;
  }
}
