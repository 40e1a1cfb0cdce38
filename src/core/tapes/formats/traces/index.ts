import { asRecord, asRecords, asString, isBlank, omitKeys, omitUndefined } from '../../../json/fields';
import type { Json, JsonRecord } from '../../../json/json';
import { parseExactJson } from '../../../json/readJson';
import { message } from '../../../text/l10n';
import type { TapeFormat } from '../../format';
import { any, none } from '../../marks';
import { errorText } from '../shared/conversationFormat';
import { inputMessages, inputTools } from '../shared/traces/input';
import { readTraceMessages, textOf } from '../shared/traces/messages';
import { readTraceOutput } from '../shared/traces/output';
import { readTraceTools } from '../shared/traces/tools';
import { type TraceDescription, traceFormat } from '../shared/traces/traceFormat';
import { readTraceUsage } from '../shared/traces/usage';

const IF_MISSING = message('Record inputs and outputs, and do not leave them out of the export.');

/** A call with what SDKs were given and gave back: the arguments of a method, and its result. */
function callOf(
  input: Json | undefined,
  output: Json | undefined,
  more: JsonRecord = {},
): ReturnType<TraceDescription['call']> {
  const { model, tools, ...params } = { ...asRecord(input), ...more };
  return omitUndefined({
    messages: readTraceMessages(inputMessages(input)),
    tools: readTraceTools(inputTools({ tools: tools ?? null, config: params.config ?? null })),
    params: Object.fromEntries(
      Object.entries(omitKeys(params, 'messages', 'input', 'prompt', 'contents')).filter(([, value]) => value !== null),
    ),
    model: asString(model),
    answer: isBlank(output) ? undefined : readTraceOutput(output),
  });
}

function toolOf(
  name: Json | undefined,
  input: Json | undefined,
  output: Json | undefined,
): ReturnType<TraceDescription['tool']> {
  return {
    id: undefined,
    name: asString(name) ?? '',
    input: input ?? {},
    result: output === undefined || output === null ? undefined : { content: textOf(output), toolCalls: [] },
  };
}

/** What is JSON as text, as MLflow and Datadog keep it. */
function parsed(value: Json | undefined): Json | undefined {
  return typeof value === 'string' ? (parseExactJson(value) ?? value) : value;
}

const mlflow = traceFormat({
  id: 'mlflow',
  label: 'MLflow trace',
  files: ['json', 'jsonl'],
  lists: ['data.spans[]', '[].data.spans[]'],
  marks: [
    'name',
    'attributes',
    any('context.span_id', 'span_id'),
    none('resource', 'span_kind'),
    /"mlflow\.span(?:Type|Inputs)"\s*:/,
  ],
  at: { id: 'span_id', parent: 'parent', start: 'start', end: 'end' },
  kinds: { CHAT_MODEL: 'llm', LLM: 'llm', TOOL: 'tool', EMBEDDING: 'embedding' },
  normalised: (span) => ({
    ...span,
    span_id: span.span_id ?? asRecord(span.context).span_id ?? null,
    parent: span.parent_span_id ?? span.parent_id ?? null,
    start: span.start_time_unix_nano ?? span.start_time ?? null,
    end: span.end_time_unix_nano ?? span.end_time ?? null,
  }),
  typeOf: ({ attributes }) => asString(parsed(asRecord(attributes)['mlflow.spanType'])),
  isSpan: ({ attributes, name }) => typeof name === 'string' && attributes !== undefined,
  call({ attributes }) {
    const own = asRecord(attributes);
    const usage = readTraceUsage(parsed(own['mlflow.chat.tokenUsage']));
    const tools = parsed(own['mlflow.chat.tools']);
    const call = callOf(
      parsed(own['mlflow.spanInputs']),
      parsed(own['mlflow.spanOutputs']),
      tools === undefined ? {} : { tools },
    );
    return omitUndefined({ ...call, usage });
  },
  tool({ name, attributes }) {
    const own = asRecord(attributes);
    return toolOf(name, parsed(own['mlflow.spanInputs']), parsed(own['mlflow.spanOutputs']));
  },
  failure: ({ status, status_code, status_message }) =>
    /ERROR/.test(asString(asRecord(status).code ?? status_code) ?? '')
      ? errorText(status) || asString(status_message) || 'the call failed'
      : undefined,
  texts: ['attributes'],
  ifMissing: IF_MISSING,
});

/** Ops of SDKs that call a model, by the name that Weave gives them. */
const MODEL_OP =
  /\/op\/(?:openai|anthropic|google|genai|mistralai|cohere|groq|litellm|bedrock|vertexai|huggingface|nvidia|cerebras|instructor)\b[\w.]*(?:create|parse|complete|chat|generate_content|invoke|completion|converse|stream)\w*/i;

const weave = traceFormat({
  id: 'weave',
  label: 'Weave calls',
  files: ['json', 'jsonl'],
  lists: ['calls[]'],
  marks: ['op_name', 'trace_id', 'started_at', 'inputs'],
  at: { id: 'id', parent: 'parent_id', start: 'started_at', end: 'ended_at' },
  kinds: { llm: 'llm', tool: 'tool', embedding: 'embedding' },
  typeOf: ({ op_name: op, attributes, summary }) => {
    const { kind } = asRecord(asRecord(attributes).weave);
    if (kind === 'llm' || kind === 'tool') return kind;
    if (/embeddings?\b/.test(asString(op) ?? '')) return 'embedding';
    return MODEL_OP.test(asString(op) ?? '') && summary !== undefined ? 'llm' : undefined;
  },
  isSpan: ({ op_name: op }) => typeof op === 'string',
  stepName: ({ display_name: name, op_name: op }) =>
    asString(name) ?? /\/op\/([^:]+)/.exec(asString(op) ?? '')?.[1] ?? asString(op) ?? '',
  call({ inputs, output, summary }) {
    const [usage] = Object.values(asRecord(asRecord(summary).usage));
    return omitUndefined({ ...callOf(omitKeys(asRecord(inputs), 'self'), output), usage: readTraceUsage(usage) });
  },
  tool: ({ op_name: op, inputs, output }) =>
    toolOf(/\/op\/([^:]+)/.exec(asString(op) ?? '')?.[1] ?? op, inputs, output),
  failure: ({ exception }) => asString(exception) || undefined,
  texts: ['inputs', 'output'],
  ifMissing: IF_MISSING,
});

const braintrust = traceFormat({
  id: 'braintrust',
  label: 'Braintrust spans',
  files: ['json', 'jsonl'],
  lists: ['events[]', 'rows[]', 'data[]'],
  marks: ['span_id', 'root_span_id', 'span_attributes'],
  at: {
    id: 'span_id',
    parent: 'span_parents',
    type: 'span_attributes.type',
    name: 'span_attributes.name',
    start: 'metrics.start',
    end: 'metrics.end',
  },
  kinds: { llm: 'llm', tool: 'tool' },
  isSpan: ({ root_span_id: root }) => typeof root === 'string',
  call({ input, output, metadata, metrics }) {
    const { model, tools, ...params } = asRecord(metadata);
    const { prompt_cached_tokens: cached } = asRecord(metrics);
    const usage = readTraceUsage({ ...asRecord(metrics), cachedInputTokens: cached ?? null });
    return omitUndefined({
      ...callOf(input, output, omitUndefined({ model, tools, ...omitKeys(params, 'provider') })),
      usage,
    });
  },
  tool: ({ span_attributes: about, input, output }) => toolOf(asRecord(about).name, input, output),
  failure: ({ error }) => (isBlank(error) ? undefined : (errorText(error) ?? 'the call failed')),
  texts: ['input', 'output'],
  ifMissing: IF_MISSING,
});

const datadog = traceFormat({
  id: 'datadog',
  label: 'Datadog LLM spans',
  files: ['json', 'jsonl'],
  lists: ['spans[]', '[].spans[]', 'data.attributes.spans[]'],
  marks: ['span_id', 'meta', any('start_ns', 'ml_app'), any('meta.input', 'meta.output', 'meta.kind', 'meta.span')],
  at: { id: 'span_id', parent: 'parent_id', start: 'start_ns', duration: 'duration' },
  kinds: { llm: 'llm', tool: 'tool', embedding: 'embedding' },
  typeOf: ({ meta }) =>
    asString(asRecord(meta)['span.kind'] ?? asRecord(asRecord(meta).span).kind ?? asRecord(meta).kind),
  isSpan: ({ span_id: id, meta }) => id !== undefined && meta !== undefined,
  call({ meta, metrics }) {
    const { input, output, metadata, model_name: model, tool_definitions: tools } = asRecord(meta);
    const [asked, answered] = [asRecord(input), asRecord(output)];
    const params = omitUndefined({ ...asRecord(metadata), model, tools });
    return omitUndefined({
      ...callOf({ messages: asked.messages ?? asked.value ?? [] }, datadogOutput(answered), params),
      usage: readTraceUsage(metrics),
    });
  },
  tool: ({ name, meta }) =>
    toolOf(name, parsed(asRecord(asRecord(meta).input).value), parsed(asRecord(asRecord(meta).output).value)),
  failure: ({ status, meta }) =>
    status === 'error'
      ? (errorText(asRecord(meta).error) ?? asString(asRecord(meta)['error.message']) ?? 'the call failed')
      : undefined,
  texts: ['meta.input', 'meta.output'],
  ifMissing: IF_MISSING,
});

/** One message, or several. */
function datadogOutput({ messages, value }: JsonRecord): Json | undefined {
  return asRecords(messages).length > 0 ? messages : value;
}

/** The README says of each where it was seen. */
export const exportedTraceFormats: readonly TapeFormat[] = [mlflow, weave, braintrust, datadog];
