import { asRecord, asRecords, asString, isBlank } from '../../../json/fields';
import type { Json } from '../../../json/json';
import type { ConversationDescription } from '../shared/conversationFormat';
import { readTraceUsage } from '../shared/traces/usage';
import { toolResult } from './codex';

/** Trajectories in the Agent Trajectory Interchange Format of Harbor. */
export const atif: ConversationDescription = {
  id: 'atif',
  label: 'ATIF trajectory',
  files: ['json', 'jsonl'],
  lines: 'conversations',
  lists: ['steps'],
  several: ['', 'trajectories'],
  marks: ['schema_version', 'agent', 'steps', /"schema_version"\s*:\s*"ATIF-/],
  about: ({ schema_version: version, session_id: name, agent }) => {
    const { model_name: model, tool_definitions: tools } = asRecord(agent);
    return { version: asString(version), name: asString(name), model: asString(model), tools };
  },
  says(step) {
    const { source, message, timestamp, model_name: model, metrics } = step;
    const at = asString(timestamp);
    const results = asRecords(asRecord(step.observation).results).map(({ source_call_id: id, content }) =>
      toolResult(id, content ?? ''),
    );
    if (source === 'user' || source === 'system')
      return {
        messages: [
          ...(isBlank(message) && results.length > 0 ? [] : [{ role: source, content: message ?? '' }]),
          ...results,
        ],
        at,
      };
    if (source !== 'agent') return undefined;
    const calls = asRecords(step.tool_calls).map(({ tool_call_id: id, function_name: name, arguments: args }) => ({
      id: id ?? '',
      name: name ?? '',
      args: args ?? {},
    }));
    const reasoning = asString(step.reasoning_content);
    const content: Json[] = [
      ...(reasoning ? [{ type: 'reasoning', text: reasoning }] : []),
      ...(Array.isArray(message) ? message : [{ type: 'text', text: message ?? '' }]),
    ];
    const { prompt_tokens: prompt, completion_tokens: completion, cached_tokens: cached } = asRecord(metrics);
    return {
      messages: [{ role: 'assistant', content, tool_calls: calls }, ...results],
      at,
      model: asString(model),
      usage: readTraceUsage({
        prompt_tokens: prompt ?? null,
        completion_tokens: completion ?? null,
        cachedInputTokens: cached ?? null,
      }),
    };
  },
};
