import type { ChatRequest, Message } from '../model/message';
import { isPartOf } from './subset';

/** Whether a request is one that a rule is for: it contains what the rule names, and comes when the rule says. */
export function fitsRule(rule: ChatRequest, request: ChatRequest): boolean {
  return (
    (rule.model === undefined || rule.model === request.model) &&
    rule.messages.every((message) => fitsMessage(message, request.messages)) &&
    rule.tools.every(({ name }) => request.tools.some((tool) => tool.name === name)) &&
    isPartOf(rule.params, request.params) &&
    comesWhen(rule, request)
  );
}

/** Texts are looked for in the instructions, in what the user said last, and in the last result of a tool. */
function fitsMessage({ role, content, toolCallId }: Message, messages: readonly Message[]): boolean {
  if (role === 'system') return messages.some((one) => isInstruction(one) && contains(one, content));
  const last = messages.findLast((one) => one.role === role);
  if (last === undefined || !contains(last, content)) return false;
  return toolCallId === undefined || last.toolCallId === toolCallId;
}

function isInstruction({ role }: Message): boolean {
  return role === 'system' || role === 'developer';
}

function contains({ content, parts = [] }: Message, text: string | null): boolean {
  if (text === null) return true;
  const said = content ?? parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return said.includes(text);
}

function comesWhen({ when = {} }: ChatRequest, { messages }: ChatRequest): boolean {
  const { turn, hasToolResult } = when;
  if (turn !== undefined && turn !== messages.filter(({ role }) => role === 'assistant').length) return false;
  return hasToolResult === undefined || hasToolResult === messages.some(({ role }) => role === 'tool');
}
