import { asRecord, asString, isBlank, omitKeys, omitUndefined } from '../../../json/fields';
import type { Json, JsonRecord } from '../../../json/json';
import { message } from '../../../text/l10n';
import { readTraceMessages, textOf } from '../shared/traces/messages';
import { readTraceOutput } from '../shared/traces/output';
import { readTraceTools } from '../shared/traces/tools';
import { type TraceDescription, traceFormat } from '../shared/traces/traceFormat';
import { readTraceUsage } from '../shared/traces/usage';

/** Runs exported from LangSmith: a list of them, a line each, or nested in each other as `child_runs`. */
export const langsmithFormat = traceFormat({
  id: 'langsmith',
  label: 'LangSmith runs',
  files: ['json', 'jsonl'],
  lists: ['runs[]', 'child_runs[]'],
  marks: ['run_type', 'start_time', 'inputs'],
  at: {
    type: 'run_type',
    parent: 'parent_run_id',
    start: 'start_time',
    end: 'end_time',
    firstToken: 'first_token_time',
  },
  kinds: { llm: 'llm', tool: 'tool', embedding: 'embedding' },
  isSpan: ({ run_type: type }) => typeof type === 'string',
  call: readModelRun,
  tool: readToolRun,
  failure: failureOf,
  texts: ['inputs', 'outputs'],
  ifMissing: message(
    'Record the inputs and outputs of runs (LANGSMITH_HIDE_INPUTS, LANGSMITH_HIDE_OUTPUTS), and run it again.',
  ),
});

function readModelRun(run: JsonRecord): ReturnType<TraceDescription['call']> {
  const inputs = asRecord(run.inputs);
  const extra = asRecord(run.extra);
  const metadata = asRecord(extra.metadata);
  const settings = asRecord(extra.invocation_params);
  const params = { ...omitKeys(inputs, ...INPUTS), ...omitKeys(settings, ...SETTINGS) };
  return omitUndefined({
    messages: readTraceMessages(inputs.messages ?? inputs.prompts ?? inputs.input ?? inputs.prompt),
    tools: readTraceTools(isBlank(inputs.tools) ? settings.tools : inputs.tools),
    params: Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null)),
    model: asString(inputs.model ?? settings.model ?? settings.model_name ?? metadata.ls_model_name),
    answer: isBlank(run.outputs) ? undefined : readTraceOutput(run.outputs),
    usage: readTraceUsage(metadata.usage_metadata),
  });
}

const INPUTS = ['messages', 'prompts', 'input', 'prompt', 'tools', 'model'];
const SETTINGS = ['messages', 'tools', 'model', 'model_name', '_type'];

/** The text of an exception, and not where it was thrown. */
function failureOf({ error }: JsonRecord): string | undefined {
  const text = asString(error);
  return text === undefined || text === '' ? undefined : (text.split('\nTraceback ', 1)[0] ?? text).trimEnd();
}

function readToolRun(run: JsonRecord): ReturnType<TraceDescription['tool']> {
  return {
    id: asString(asRecord(asRecord(run.outputs).output).tool_call_id),
    name: asString(run.name) ?? '',
    input: only(run.inputs, 'input') ?? {},
    result: isBlank(run.outputs) ? undefined : { content: resultOf(run.outputs ?? null), toolCalls: [] },
  };
}

/** The value of the only member, if it has this name. */
function only(value: Json | undefined, name: string): Json | undefined {
  const keys = Object.keys(asRecord(value));
  return keys.length === 1 && keys[0] === name ? asRecord(value)[name] : value;
}

/** A tool of LangChain gives a message; its content is the result. */
function resultOf(outputs: Json): string {
  const output = only(outputs, 'output') ?? outputs;
  const [message] =
    asRecord(output).type === 'tool' || asRecord(output).kwargs !== undefined ? readTraceMessages([output]) : [];
  return message?.content ?? textOf(output);
}
