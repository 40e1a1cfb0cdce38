import type { ChatResponse } from '../../core/model/message';

const LONGEST = 80;

/** An answer of the model in one short line. */
export function summarise({ content, toolCalls }: ChatResponse): string {
  if (toolCalls.length > 0) return `calls ${toolCalls.map(({ name }) => name).join(', ')}`;
  const line = (content ?? '').replace(/\s+/g, ' ').trim();
  if (line === '') return 'answers with nothing';
  return line.length <= LONGEST ? `answers: ${line}` : `answers: ${line.slice(0, LONGEST)}…`;
}
