import { asRecord, asRecords, asString } from '../../../../json/fields';
import { isRecord, type Json, type JsonRecord } from '../../../../json/json';
import { parseExactJson } from '../../../../json/readJson';
import { readTraceMessages } from '../../shared/traces/messages';
import { readTraceOutput } from '../../shared/traces/output';
import type { ModelCall } from '../../shared/traces/reading';
import { readTraceTools } from '../../shared/traces/tools';
import { readTraceUsage } from '../../shared/traces/usage';
import type { OtelSpan } from '../span';

/** openllmetry before it wrote messages as OpenTelemetry does: an attribute for each part of a message, with its number in the name. */
export function readOpenllmetry({ attributes }: OtelSpan): ModelCall {
  const [completion] = asRecords(attributes.below('gen_ai.completion') ?? attributes.below('llm.completions'));
  return {
    messages: asRecords(attributes.below('gen_ai.prompt') ?? attributes.below('llm.prompts')).flatMap((prompt) =>
      readTraceMessages([readPrompt(prompt)]),
    ),
    tools: readTraceTools(attributes.below('llm.request.functions')),
    answer: completion && readTraceOutput(readPrompt(completion)),
    finishReason: asString(completion?.finish_reason),
    usage: readTraceUsage(attributes.below('llm.usage')),
    model: attributes.text('llm.request.model'),
  };
}

/** Content of several parts is a text of JSON. */
function readPrompt(prompt: JsonRecord): JsonRecord {
  const { content } = prompt;
  const parts =
    typeof content === 'string' && /^\[\s*\{\s*"type"/.test(content.slice(0, 64)) ? parseExactJson(content) : undefined;
  return { role: 'assistant', content: null, ...prompt, ...(parts === undefined ? {} : { content: parts }) };
}

/** What a decorated function was called with, and gave: arguments by position and by name. */
export function entityInput(input: Json | undefined): Json | undefined {
  const { args, kwargs, inputs } = asRecord(input);
  if (isRecord(kwargs) && Array.isArray(args)) return args.length === 0 ? kwargs : input;
  return inputs !== undefined && Object.keys(asRecord(input)).length <= 4 ? inputs : input;
}
