import { isRecord, type Json, type JsonRecord } from '../json/json';
import { jsonValue, member, readJson } from '../json/jsonDocument';
import { loaderFormat } from '../tapes/formats/loader';
import type { ChatResponse } from '../tapes/tape';
import { textFile } from '../tapes/tapeFile';
import type { Problem, Reading, Span } from '../text/source';

/**
 * A scripted scenario of Loader as a file (tenseleyFlow/loader, `tests/helpers/runtime_harness.py`): two queues of
 * answers that are played in order, and what happens around them. All but the prompt and the queues is Tapedeck's.
 */
export interface LoaderScenario {
  readonly name: string;
  readonly span: Span;
  readonly prompt: string;
  readonly nativeTools: boolean;
  readonly completions: readonly ChatResponse[];
  readonly streams: readonly ChatResponse[];
  readonly config: LoaderConfig;
  /** Tools beside the names that the script calls: what they answer, and whether they ask first. */
  readonly tools: readonly LoaderTool[];
  /** Files of the temporary folder that `{{temp_dir}}` stands for, by their path in it. */
  readonly files: Readonly<Record<string, string>>;
  /** The answers to confirmations, in their order. */
  readonly confirmations: readonly boolean[];
  /** The answers to what the agent asks its user, in their order. */
  readonly answers: readonly string[];
  /** The types of the events of the run, in their order; undefined where they are not judged. */
  readonly expectedEvents?: readonly string[];
  /** The names of the tools that are called, in their order; undefined where they are not judged. */
  readonly expectedTools?: readonly string[];
  readonly expectedResponse?: string;
}

export interface LoaderConfig {
  /** Are answers asked for as streams? */
  readonly stream: boolean;
  readonly maxIterations: number;
  /** `explore` refuses every tool that changes something. */
  readonly mode: 'run' | 'explore';
  readonly temperature: number;
  readonly maxTokens: number;
}

export interface LoaderTool {
  readonly name: string;
  readonly description: string;
  readonly result: Json;
  /** Asks the user before it does anything. */
  readonly confirm: boolean;
  /** Changes something: refused in `explore`. */
  readonly writes: boolean;
}

export function readLoaderScenario(text: string): Reading<LoaderScenario> {
  const { interactions, problems } = loaderFormat.read(textFile(text));
  const { value: root } = readJson(text);
  if (root === undefined || problems.some(({ severity }) => severity === 'error'))
    return { value: undefined, problems };
  const value = jsonValue(root);
  if (!isRecord(value)) return { value: undefined, problems };
  const { start, end } = member(root, 'name') ?? member(root, 'prompt') ?? { start: 0, end: 0 };
  const answers = (queue: string): readonly ChatResponse[] =>
    interactions.flatMap(({ id = '', response }) => (id.startsWith(queue) && response ? [response] : []));
  const missing: Problem[] = typeof value.prompt === 'string' ? [] : [noPrompt];
  const scenario = {
    ...scenarioOf(value),
    span: { start, end },
    completions: answers('completion'),
    streams: answers('stream'),
  };
  return { value: missing.length === 0 ? scenario : undefined, problems: [...problems, ...missing] };
}

const noPrompt: Problem = {
  severity: 'error',
  message: 'the scenario has no prompt',
  fix: 'Add "prompt": "what the user says".',
  span: { start: 0, end: 1 },
};

function scenarioOf(root: JsonRecord): Omit<LoaderScenario, 'span' | 'completions' | 'streams'> {
  const config = isRecord(root.config) ? root.config : {};
  const events = root.expected_events;
  const tools = root.expected_tools ?? root.expected_tool_names;
  return {
    name: typeof root.name === 'string' ? root.name : '',
    prompt: typeof root.prompt === 'string' ? root.prompt : '',
    nativeTools: root.supports_native_tools !== false,
    config: {
      stream: config.stream === true,
      maxIterations: typeof config.max_iterations === 'number' ? config.max_iterations : 10,
      mode: config.mode === 'explore' || root.mode === 'explore' ? 'explore' : 'run',
      temperature: typeof config.temperature === 'number' ? config.temperature : 0.7,
      maxTokens: typeof config.max_tokens === 'number' ? config.max_tokens : 4096,
    },
    tools: (Array.isArray(root.tools) ? root.tools.filter(isRecord) : []).map((tool) => ({
      name: String(tool.name ?? ''),
      description: typeof tool.description === 'string' ? tool.description : '',
      result: tool.result ?? null,
      confirm: tool.confirm === true,
      writes: tool.writes === true,
    })),
    files: Object.fromEntries(
      Object.entries(isRecord(root.files) ? root.files : {}).map(([path, content]) => [path, String(content)]),
    ),
    confirmations: (Array.isArray(root.confirmations) ? root.confirmations : []).map((answer) => answer === true),
    answers: (Array.isArray(root.answers) ? root.answers : []).map(String),
    ...(Array.isArray(events) ? { expectedEvents: events.map(String) } : {}),
    ...(Array.isArray(tools) ? { expectedTools: tools.map(String) } : {}),
    ...(typeof root.expected_response === 'string' ? { expectedResponse: root.expected_response } : {}),
  };
}
