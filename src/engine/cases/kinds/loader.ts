import { basename } from 'node:path';
import { fileStem } from '../../../core/cases/caseKind';
import {
  type LoaderScenario,
  type LoaderTool,
  readLoaderScenario,
  textToolCalls,
} from '../../../core/cases/loader/loaderScenario';
import { isRecord, type Json, jsonEqual } from '../../../core/json/json';
import type { ChatRequest, ChatResponse, Message, ToolCall } from '../../../core/model/message';
import { t } from '../../../core/text/l10n';
import { noticeOf } from '../../../core/text/notice';
import { writeChatTool } from '../../../core/wire/openaiChat/write';
import { ProviderError } from '../../errors/runErrors';
import type { AgentRun } from '../../execution/agentRun';
import { buildArtifact, writeArtifactMessage } from '../../execution/buildArtifact';
import { runAgent } from '../../execution/runAgent';
import type { CaseFile, RunnableCase } from '../../execution/runnableCase';
import { type Judgement, requireValid, syntheticCase, withJudgements } from '../../execution/syntheticCase';
import type { ToolCallOutcome, ToolRunner } from '../../execution/tools';
import type { ChatProvider } from '../../providers/chatProvider';

/** An event of a run. */
type LoaderEvent =
  | { readonly type: 'chunk' | 'assistant' | 'response'; readonly content: string }
  | { readonly type: 'tool_call' | 'tool_result' | 'refused'; readonly tool: string }
  | { readonly type: 'confirmation'; readonly tool: string; readonly confirmed: boolean }
  | { readonly type: 'question'; readonly question: string; readonly answer: string };

/** Opens a scripted scenario of Loader: the built-in agent between a scripted backend and a scripted user. */
export function openLoader(file: CaseFile): RunnableCase {
  const scenario = requireValid(file, () => readLoaderScenario(file.text));
  const name = scenario.name || fileStem(basename(file.path));
  const testCase = caseOf(scenario, name);
  return {
    name,
    plan: async () => ({
      mode: 'scripted',
      starts: undefined,
      async execute(options) {
        const events: LoaderEvent[] = [];
        const backend = new LoaderBackend(scenario, events);
        const tools = new LoaderTools(scenario, events);
        const run = await runAgent(testCase, backend, { ...options, tools: tools.run });
        const artifact = buildArtifact(testCase, run, { mode: 'scripted' });
        const { invocations } = backend;
        const details = { events, response: run.outputText, invocations, agent: agentAfter(run) };
        return withJudgements({ run, artifact }, () => judge(scenario, run, events), {
          details,
          notes: [noticeOf(() => unknownText(tools.unknown))],
        });
      },
    }),
  };
}

/** What is left of the agent after the run, for which Loader's tests get the agent itself: its whole conversation. */
function agentAfter({ lastRequest, lastResponse }: AgentRun): { readonly messages: readonly Json[] } {
  const { content = null, toolCalls = [] } = lastResponse ?? {};
  const said: Message[] = lastResponse === null ? [] : [{ role: 'assistant', content, toolCalls }];
  return { messages: [...(lastRequest?.messages ?? []), ...said].map(writeArtifactMessage) };
}

function caseOf({ prompt, files, tools, config }: LoaderScenario, name: string) {
  const base = syntheticCase({
    name,
    prompt,
    bootstrapFiles: Object.entries(files).map(([path, content]) => ({ path, content })),
    tools: tools.map((tool) => ({ ...tool, schema: { type: 'object' }, delayMs: 0 })),
  });
  return { ...base, agent: { ...base.agent, maxIterations: config.maxIterations } };
}

function unknownText(unknown: ReadonlySet<string>): string {
  return unknown.size === 0
    ? ''
    : t(
        'no result is declared for {0}: the call returned an error. Add the tool to "tools", or the file to "files"',
        [...unknown].join(', '),
      );
}

function judge(scenario: LoaderScenario, run: AgentRun, events: readonly LoaderEvent[]): readonly Judgement[] {
  const { expectedEvents, expectedTools, expectedResponse } = scenario;
  const types = events.map(({ type }) => type);
  return [
    ...(expectedEvents === undefined ? [] : [compared('events', expectedEvents, types)]),
    ...(expectedTools === undefined ? [] : [compared('tools', expectedTools, run.toolCallOrder)]),
    ...(expectedResponse === undefined ? [] : [compared('response', [expectedResponse], [run.outputText ?? ''])]),
  ];
}

function compared(kind: string, expected: readonly string[], actual: readonly string[]): Judgement {
  const details = t('expected {0}; got {1}', expected.join(', '), actual.join(', '));
  return { result: { kind, expected, actual, passed: jsonEqual(expected, actual), details } };
}

/** Loader's `ScriptedBackend`: two queues of responses, without matching. Every invocation is kept. */
class LoaderBackend implements ChatProvider {
  readonly label = 'scripted backend';
  readonly invocations: Json[] = [];
  readonly #scenario: LoaderScenario;
  readonly #events: LoaderEvent[];
  #completions = 0;
  #streams = 0;

  constructor(scenario: LoaderScenario, events: LoaderEvent[]) {
    this.#scenario = scenario;
    this.#events = events;
  }

  async chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
    signal.throwIfAborted();
    const { config, nativeTools } = this.#scenario;
    this.invocations.push({
      mode: config.stream ? 'stream' : 'complete',
      messages: request.messages.map(writeArtifactMessage),
      tools: nativeTools ? request.tools.map(writeChatTool) : null,
      temperature: config.temperature,
      max_tokens: config.maxTokens,
    });
    const scripted = config.stream ? this.#stream() : this.#complete();
    const written = scripted.toolCalls.length > 0 ? scripted.toolCalls : textToolCalls(scripted.content ?? '');
    const response = { ...scripted, toolCalls: written };
    const content = response.content ?? '';
    if (written.length > 0 && content !== '') this.#events.push({ type: 'assistant', content });
    if (written.length === 0) this.#events.push({ type: 'response', content });
    return response;
  }

  #complete(): ChatResponse {
    const next = this.#scenario.completions[this.#completions];
    this.#completions += 1;
    return next ?? { content: 'Done.', toolCalls: [] };
  }

  #stream(): ChatResponse {
    const next = this.#scenario.streams[this.#streams];
    this.#streams += 1;
    if (next === undefined) {
      const message = () => t('No scripted stream left for this scenario');
      throw new ProviderError('replay', message, () => t('Add the missing stream to "streams".'));
    }
    for (const { data } of next.chunks ?? []) this.#events.push({ type: 'chunk', content: chunkContent(data) });
    return next;
  }
}

function chunkContent(data: string): string {
  const chunk: unknown = JSON.parse(data);
  return isRecord(chunk) && typeof chunk.content === 'string' ? chunk.content : '';
}

const ASK_USER = /^ask_?user_?question$/i;

const READ: LoaderTool = {
  name: 'read',
  description: 'Reads a file of the scenario.',
  result: null,
  confirm: false,
  writes: false,
};

/** The tools of a scenario: those it declares, `read` for its files, and scripted replies of the user. */
class LoaderTools {
  /** The calls and files for which the scenario declares no result. */
  readonly unknown = new Set<string>();
  readonly #scenario: LoaderScenario;
  readonly #events: LoaderEvent[];
  readonly #declared: ReadonlyMap<string, LoaderTool>;
  readonly #confirmations: boolean[];
  readonly #answers: string[];

  constructor(scenario: LoaderScenario, events: LoaderEvent[]) {
    this.#scenario = scenario;
    this.#events = events;
    this.#declared = new Map([READ, ...scenario.tools].map((tool) => [tool.name, tool]));
    this.#confirmations = [...scenario.confirmations];
    this.#answers = [...scenario.answers];
  }

  readonly run: ToolRunner = async (call) => {
    this.#events.push({ type: 'tool_call', tool: call.name });
    const outcome = ASK_USER.test(call.name) ? this.#askUser(call) : this.#use(call);
    this.#events.push({ type: 'tool_result', tool: call.name });
    return outcome;
  };

  #askUser({ arguments: args }: ToolCall): ToolCallOutcome {
    const answer = this.#answers.shift();
    if (answer === undefined) return { problem: 'the script has no more user answers: add one to "answers"' };
    const question = isRecord(args) && typeof args.question === 'string' ? args.question : JSON.stringify(args);
    this.#events.push({ type: 'question', question, answer });
    return { output: answer };
  }

  #use({ name, arguments: args }: ToolCall): ToolCallOutcome {
    const tool = this.#declared.get(name);
    if (tool === undefined) {
      this.unknown.add(name);
      return { problem: `there is no tool \`${name}\`` };
    }
    if (this.#scenario.config.mode === 'explore' && tool.writes) {
      this.#events.push({ type: 'refused', tool: name });
      return { problem: `\`${name}\` makes changes, which explore mode does not allow` };
    }
    if (tool.confirm && !this.#confirm(name)) return { problem: `the user declined \`${name}\`` };
    return name === 'read' && tool.result === null ? this.#read(args) : { output: tool.result };
  }

  /** The next scripted confirmation; when none is left, the user declines. */
  #confirm(tool: string): boolean {
    const confirmed = this.#confirmations.shift() ?? false;
    this.#events.push({ type: 'confirmation', tool, confirmed });
    return confirmed;
  }

  #read(args: Json): ToolCallOutcome {
    const { files } = this.#scenario;
    const written = isRecord(args) ? String(args.file_path ?? args.path ?? '') : '';
    const path = written.replace(/^\{\{\s*temp_dir\s*\}\}\//, '');
    const content = Object.hasOwn(files, path) ? files[path] : undefined;
    if (content !== undefined) return { output: content };
    this.unknown.add(`read of ${path}`);
    return { problem: `the scenario has no file ${path}: add it to "files"` };
  }
}
