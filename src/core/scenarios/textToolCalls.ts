import { isRecord, type Json } from '../json/json';
import type { ToolCall } from '../tapes/tape';

const BRACKETS = /\[calls\s+([\w.-]+)\s+tool with:\s*([\s\S]*?)\]\s*(?=\[calls\s|$)/gi;

/**
 * The tool calls that a model without native tools writes into its text, in the two ways that Loader knows: as raw JSON,
 * `{"name": …, "arguments": …}`, and as `[calls NAME tool with: …]`.
 */
export function textToolCalls(text: string): readonly ToolCall[] {
  const bracketed = Array.from(text.matchAll(BRACKETS), ([, name = '', args = '']) => ({
    name,
    arguments: parsed(args.trim()) ?? fieldsOf(args),
  }));
  const found = bracketed.length > 0 ? bracketed : rawCalls(text.trim());
  return found.map((call, index) => ({ id: `text-${index + 1}`, ...call }));
}

function rawCalls(text: string): readonly Pick<ToolCall, 'name' | 'arguments'>[] {
  const value = parsed(text.replace(/^```(?:json)?\s*|\s*```$/g, ''));
  const calls = Array.isArray(value) ? value : [value ?? null];
  return calls.flatMap((call) =>
    isRecord(call) && typeof call.name === 'string' && call.arguments !== undefined
      ? [{ name: call.name, arguments: call.arguments }]
      : [],
  );
}

/** `key=value, other="…"`. */
function fieldsOf(text: string): Json {
  const pairs = text.matchAll(/([\w.-]+)\s*[=:]\s*(?:"([^"]*)"|'([^']*)'|([^,]+))/g);
  return Object.fromEntries(Array.from(pairs, ([, key = '', a, b, c]) => [key, a ?? b ?? c?.trim() ?? '']));
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
