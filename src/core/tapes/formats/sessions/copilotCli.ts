import { asRecord, asRecords, asString } from '../../../json/fields';
import { any } from '../../marks';
import type { ConversationDescription } from '../shared/conversationFormat';
import { readTraceUsage } from '../shared/traces/usage';
import { toolResult } from './codex';

/** Events of a session of the Copilot CLI (`~/.copilot/session-state`). */
export const copilotCli: ConversationDescription = {
  id: 'copilot-cli',
  label: 'Copilot CLI session',
  files: ['jsonl'],
  lines: 'records',
  marks: [
    'type',
    'data',
    'id',
    'timestamp',
    any('data.copilotVersion', 'data.toolRequests', ['data.content', /"type"\s*:\s*"(?:user|assistant)\.message"/]),
  ],
  says({ type, data: payload, timestamp, id }) {
    const data = asRecord(payload);
    const at = asString(timestamp);
    switch (type) {
      case 'session.start':
        return {
          name: asString(data.sessionId),
          version: asString(data.copilotVersion),
          model: asString(data.selectedModel),
        };
      case 'session.model_change':
        return { model: asString(data.newModel) };
      case 'session.error':
        return { error: asString(data.message) };
      case 'session.compaction_complete':
        return asString(data.summaryContent)
          ? { messages: [{ role: 'user', content: data.summaryContent ?? '' }], replaces: true }
          : {};
      case 'system.message':
        return { messages: [{ role: 'system', content: data.content ?? '' }], at };
      case 'user.message':
        // A message of the program itself has no content of its own.
        return {
          messages: [{ role: 'user', content: data.content || data.transformedContent || '' }],
          at,
          id: asString(id),
        };
      case 'assistant.message': {
        const calls = asRecords(data.toolRequests).map((call) => ({
          id: call.toolCallId ?? '',
          name: call.name ?? '',
          args: call.arguments ?? {},
        }));
        const reasoning = asString(data.reasoningText);
        const content = [
          ...(reasoning ? [{ type: 'reasoning', text: reasoning }] : []),
          ...(asString(data.content) ? [{ type: 'text', text: data.content ?? '' }] : []),
        ];
        // An empty message ends a turn in which nothing more was said.
        const isEmpty = content.length === 0 && calls.length === 0 && 'content' in data;
        return { messages: isEmpty ? [] : [{ role: 'assistant', content, tool_calls: calls }], at };
      }
      case 'assistant.usage':
        return {
          model: asString(data.model),
          usage: readTraceUsage({ ...data, cachedInputTokens: data.cacheReadTokens ?? null }),
        };
      case 'tool.execution_complete': {
        const { toolCallId, result, error, success } = data;
        const said = asRecord(result).content ?? asRecord(error).message ?? '';
        return { messages: [toolResult(toolCallId, said, success === false)], at };
      }
      default:
        // Steps of the program, and what it shows while it works.
        return /^(?:session|assistant|tool|hook|subagent|skill|abort|permission|user_input|external_tool|command|pending|elicitation|mcp|system|custom_agents|exit_plan_mode|capabilities)(?:\.|$)/.test(
          asString(type) ?? '',
        )
          ? {}
          : undefined;
    }
  },
};
