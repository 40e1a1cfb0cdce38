import { type Json, prettyJson } from '../../json/json';
import type { ChatResponse } from '../tape';
import type { Holding, RecordedInteraction } from '../tapeFormat';

/** Of a turn that nobody answered nothing is demanded. */
export const TURNS: Holding = {
  what: 'turns of a conversation',
  of: (interactions) => interactions.filter(({ kind = 'llm' }) => kind === 'llm' || kind === 'script'),
};

/** An agent scenario, in JSON, that demands of each turn the very answer and the very tool calls that were recorded. */
export function writeAgentScenario(name: string, turns: readonly RecordedInteraction[]): string {
  const system = turns[0]?.request?.messages.find(({ role }) => role === 'system')?.content ?? undefined;
  const tools = new Set(turns.flatMap(({ request }) => request?.tools ?? []).map((tool) => tool.name));
  return `${prettyJson({
    agent_id: name.trim() === '' ? 'agent' : name,
    system_prompt: system,
    tools: [...tools],
    turns: turns.map(({ request, response }) => ({
      user: request?.messages.findLast(({ role }) => role === 'user')?.content ?? '',
      expect: response === undefined ? [] : expectations(response),
    })),
  })}\n`;
}

function expectations({ content, toolCalls }: ChatResponse): Json[] {
  const calls = toolCalls.map((call) => ({ kind: 'call_tool_with', name: call.name, arguments: call.arguments }));
  const isAnswer = content !== null && (content !== '' || calls.length === 0);
  return isAnswer ? [...calls, { kind: 'respond_exact', text: content }] : calls;
}
