import { asList, asRecord, asString, omitUndefined } from '../../../json/fields';
import type { JsonRecord } from '../../../json/json';
import { headLines } from '../../../json/jsonLines';
import { jsonOutline } from '../../../json/jsonOutline';
import type { ToolDefinition } from '../../../model/message';
import type { Tape } from '../../../model/tape';
import { t } from '../../../text/l10n';
import type { Span } from '../../../text/source';
import type { TextParts } from '../../../text/textParts';
import type { TapeFormat } from '../../format';
import type { InteractionReading } from '../../lazyTape';
import { type TapeFile, textParts } from '../../tapeFile';
import { cutFields } from '../shared/traces/cut';
import { readTraceMessages, textOf } from '../shared/traces/messages';
import { readTraceOutput } from '../shared/traces/output';
import {
  type ModelCall,
  missingContent,
  modelContent,
  spanTiming,
  timeOfText,
  toolContent,
} from '../shared/traces/reading';
import { recordAt, visitRecords } from '../shared/traces/spanPlaces';
import { readTraceTools } from '../shared/traces/tools';
import { type TraceSpan, traceTape } from '../shared/traces/traceTape';
import { readTraceUsage } from '../shared/traces/usage';

/** Traces of OpenAI's Agents SDKs: what they send to OpenAI, in a line for each request or span, or in a list. */
export const openaiAgentsFormat = {
  id: 'openai-agents',
  label: 'OpenAI Agents trace',
  family: 'log',
  extensions: ['json', 'jsonl'],
  syntax: 'json',
  looksLike,
  read,
} satisfies TapeFormat;

const OBJECT = /"object"\s*:\s*"trace(?:\.span)?"/;

function looksLike(file: TapeFile): boolean {
  const text = textParts(file);
  const outline = jsonOutline(text);
  if (outline.isWhole && outline.isOnly) {
    const isTrace = ['', '[].', 'data[].'].some(
      (at) => outline.has(`${at}object`) && (outline.has(`${at}span_data`) || outline.has(`${at}workflow_name`)),
    );
    return isTrace && OBJECT.test(file.text);
  }
  const [first = ''] = headLines(text, 1, 64 * 1024);
  return /^\s*\{/.test(first) && OBJECT.test(first) && /"(?:span_data|workflow_name)"\s*:/.test(first);
}

function read(file: TapeFile): Tape {
  const text = textParts(file);
  const spans: TraceSpan[] = [];
  const agents = new AgentTools();
  let name: string | undefined;
  const problems = visitRecords(text, ['data'], ({ place, value }) => {
    if (value.object === 'trace') name ??= asString(value.workflow_name);
    if (value.object === 'trace.span') {
      agents.add(value);
      spans.push(indexSpan(text, place, value, agents));
    }
  });
  return traceTape({ format: 'openai-agents', name, spans, problems });
}

const KINDS: Readonly<Record<string, TraceSpan['kind']>> = { generation: 'llm', response: 'llm', function: 'tool' };

function indexSpan(text: TextParts, place: Span, span: JsonRecord, agents: AgentTools): TraceSpan {
  const data = asRecord(span.span_data);
  const kind = KINDS[asString(data.type) ?? ''] ?? 'step';
  return {
    source: place,
    id: asString(span.id) ?? '',
    parent: asString(span.parent_id),
    name: stepName(data),
    kind,
    start: timeOfText(asString(span.started_at)),
    read: () => readSpan(kind, () => recordAt(text, place), place, agents),
  };
}

/** So many spans are between a call of a model and its agent at most. */
const MAX_STEPS = 8;

/** The names of the tools that agents have: a call of a model does not repeat them. */
class AgentTools {
  readonly #parents = new Map<string, string>();
  readonly #tools = new Map<string, readonly string[]>();

  add({ id, parent_id: parent, span_data: data }: JsonRecord): void {
    const { type, tools } = asRecord(data);
    if (typeof id !== 'string') return;
    if (typeof parent === 'string') this.#parents.set(id, parent);
    if (type === 'agent')
      this.#tools.set(
        id,
        asList(tools).flatMap((name) => asString(name) ?? []),
      );
  }

  around(span: JsonRecord): ToolDefinition[] {
    let id = asString(span.parent_id);
    for (let step = 0; step < MAX_STEPS && id !== undefined; step += 1) {
      const tools = this.#tools.get(id);
      if (tools !== undefined) return tools.map((name) => ({ name }));
      id = this.#parents.get(id);
    }
    return [];
  }
}

/** A handoff has no name, but the agents that it is between. */
function stepName(data: JsonRecord): string {
  if (data.type === 'handoff') return `${asString(data.from_agent) ?? ''} → ${asString(data.to_agent) ?? ''}`;
  const turn = asRecord(data.data).turn;
  return typeof turn === 'number' ? `turn ${turn}` : (asString(data.name) ?? '');
}

function readSpan(kind: TraceSpan['kind'], own: () => JsonRecord, place: Span, agents: AgentTools): InteractionReading {
  const span = own();
  const data = asRecord(span.span_data);
  const timing = spanTiming(timeOfText(asString(span.started_at)), timeOfText(asString(span.ended_at)));
  const error = failureOf(span);
  const cut = cutFields(data, ['input', 'output', 'response'], place);
  if (kind === 'tool') return { content: toolContent({ ...toolUse(data), error, timing }), problems: cut };
  const said = readCall(data);
  const tools = said.tools?.length === 0 ? agents.around(span) : said.tools;
  const call = { ...said, tools, error, timing };
  const how = t(
    'The SDK does not write down what it says to the Responses API. Trace it with OpenTelemetry, or use Chat Completions.',
  );
  return {
    content: modelContent('llm', call, () => readCall(asRecord(own().span_data))),
    problems: [...missingContent(place, call, how), ...cut],
  };
}

function failureOf({ error }: JsonRecord): string | undefined {
  const { message, data } = asRecord(error);
  const detail = asString(asRecord(data).error);
  return asString(message) === undefined ? undefined : [asString(message), detail].filter(Boolean).join(': ');
}

/** A span of the Responses API has its number only, unless another exporter adds what was said. */
function readCall(data: JsonRecord): ModelCall {
  const response = asRecord(data.response);
  const config = Object.entries(asRecord(data.model_config)).filter(
    ([name, value]) => value !== null && name !== 'base_url' && name !== 'model_impl',
  );
  return omitUndefined({
    messages: readTraceMessages(data.input),
    tools: readTraceTools(response.tools),
    params: Object.fromEntries(config),
    model: asString(data.model) ?? asString(response.model),
    answer: readTraceOutput(data.output ?? data.response),
    usage: readTraceUsage(data.usage),
  });
}

function toolUse(data: JsonRecord): Omit<Parameters<typeof toolContent>[0], 'error' | 'timing'> {
  const { output } = data;
  return {
    id: undefined,
    name: asString(data.name) ?? '',
    input: data.input ?? {},
    result: output === undefined || output === null ? undefined : { content: textOf(output), toolCalls: [] },
  };
}
