import type { JsonRecord } from '../json/json';
import type { Part } from '../tapes/tape';
import { recordsOf, textOf } from './fields';
import { thinkingText } from './openaiContent';
import { reasoningParts } from './parts';

/**
 * The reasoning in a chat message. OpenAI itself sends none; others do as `reasoning_content` (DeepSeek), `reasoning`
 * (Groq, OpenRouter), `reasoning_details` (OpenRouter, which repeats it there) or `thinking_blocks` (LiteLLM).
 */
export function openaiReasoning(message: JsonRecord): Part[] {
  const details = [...recordsOf(message.reasoning_details), ...recordsOf(message.thinking_blocks)];
  const text =
    thinkingText(message.reasoning_content) || thinkingText(message.reasoning) || details.map(detailText).join('');
  const signature =
    details.map(({ signature }) => textOf(signature)).find(Boolean) ?? textOf(message.reasoning_signature);
  const sealed = details.flatMap(({ data }) => reasoningParts('', textOf(data)));
  return [...reasoningParts(text, signature), ...sealed];
}

function detailText({ text, summary, thinking }: JsonRecord): string {
  return textOf(text) ?? textOf(summary) ?? textOf(thinking) ?? '';
}
