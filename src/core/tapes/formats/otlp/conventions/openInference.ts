import { asList, asRecord, asString, isBlank, omitKeys } from '../../../../json/fields';
import { isRecord, type Json } from '../../../../json/json';
import { usageFromCounts } from '../../../../wire/shared/usage';
import { readTraceMessages } from '../../shared/traces/messages';
import { readTraceOutput } from '../../shared/traces/output';
import type { ModelCall } from '../../shared/traces/reading';
import { readTraceTools } from '../../shared/traces/tools';
import { SpanAttributes } from '../attributes';
import type { OtelSpan } from '../span';

/** OpenInference's conventions, of Phoenix and Arize: an attribute for each part of a message, or objects of objects. */
export function readOpenInference({ attributes, events }: OtelSpan): ModelCall {
  const params = asRecord(attributes.json('llm.invocation_parameters'));
  const input = messagesBelow(attributes, 'llm.input_messages');
  const output = messagesBelow(attributes, 'llm.output_messages');
  const hasKind = attributes.text('openinference.span.kind') !== undefined;
  const whole = asRecord(hasKind ? attributes.json('input.value') : undefined);
  const tools = readTraceTools(attributes.below('llm.tools'));
  return {
    messages: readTraceMessages(isBlank(input) ? whole.messages : input),
    tools: tools.length > 0 ? tools : readTraceTools(params.tools ?? whole.tools),
    params: omitKeys(params, 'model', 'tools', 'messages'),
    model: asString(params.model) ?? asString(whole.model) ?? attributes.text('llm.model_name'),
    answer: readTraceOutput(isBlank(output) && hasKind ? attributes.json('output.value') : output),
    answeredModel: isBlank(params.model) ? undefined : attributes.text('llm.model_name'),
    usage: tokenCounts(attributes),
    finishReason: attributes.text('llm.finish_reason'),
    firstTokenAt: events.find(({ name }) => name === 'First Token Stream Event')?.time,
  };
}

/** In tables, the messages of a list have names with dots as well. */
function messagesBelow(attributes: SpanAttributes, name: string): readonly Json[] {
  return asList(attributes.below(name)).map((item) =>
    isRecord(item) && item.message === undefined ? (new SpanAttributes(item).below('message') ?? item) : item,
  );
}

function tokenCounts(attributes: SpanAttributes): ModelCall['usage'] {
  const count = (name: string): number | undefined => attributes.number(`llm.token_count.${name}`);
  return usageFromCounts({
    prompt: count('prompt'),
    completion: count('completion'),
    total: count('total'),
    cached: count('prompt_details.cache_read'),
    cacheWrite: count('prompt_details.cache_write'),
    reasoning: count('completion_details.reasoning'),
  });
}
