import { dirname } from 'node:path';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { type ToolRecording, takesToolResults } from '../../core/cases/toml/writeToolResults';
import { RecordedResults } from '../../core/cases/tools/recordedResults';
import { compactJson, isRecord, type JsonRecord } from '../../core/json/json';
import type { AgentProgram, Case, ToolResult, ToolSource, ToolSpec } from '../../core/model/case';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { readText } from '../files/readFile';
import { McpCaller, type ToolReply } from '../mcpTape/mcpCaller';
import { configuredIn, transportTo, variablesOf } from '../mcpTape/mcpTransports';
import { basicEnvironment } from '../process/basicEnvironment';
import { runProcess } from '../process/runProcess';
import { projectConfig } from '../project/projectConfig';
import type { Recorder } from '../recording/recorder';
import { writeRecorded } from '../recording/writeRecorded';
import { listedVariables } from './external/plan';
import type { ExecuteOptions } from './runnableCase';
import { mockTools, type ToolRunner } from './tools';

type CommandSource = Extract<ToolSource, { kind: 'command' }>;
type McpSource = Extract<ToolSource, { kind: 'mcp' }>;
type Sourced = ToolSpec & { readonly source: ToolSource };

interface LiveToolsOptions extends Pick<ExecuteOptions, 'root' | 'casePath' | 'network' | 'recorder' | 'permitStart'> {
  /** The recorded results are kept: only a call without one is made. */
  readonly keepsResults: boolean;
}

/** The tools of a case in a recording: those with a command or an MCP server are really called, and what they return is kept. */
export class LiveTools {
  readonly #case: Case;
  readonly #options: LiveToolsOptions;
  readonly #mocks: ToolRunner;
  readonly #kept = new Map<string, RecordedResults>();
  readonly #made = new Map<string, ToolResult[]>();
  readonly #callers = new Map<string, Promise<McpCaller>>();
  readonly #permitted = new Set<string>();
  #recorder: Recorder;

  constructor(testCase: Case, options: LiveToolsOptions) {
    this.#case = testCase;
    this.#options = options;
    this.#recorder = options.recorder;
    this.#mocks = mockTools(testCase.tools, testCase.agent.toolTimeoutMs, options.recorder);
    if (options.keepsResults)
      for (const tool of sourced(testCase)) this.#kept.set(tool.name, new RecordedResults(tool));
  }

  readonly run: ToolRunner = async (call, signal) => {
    const tool = sourced(this.#case).find(({ name }) => name === call.name);
    if (tool === undefined || !isRecord(call.arguments)) return this.#mocks(call, signal);
    const kept = this.#kept.get(tool.name)?.take(this.#recorder.value(call.arguments));
    const result = kept ?? { arguments: call.arguments, ...(await this.#call(tool, call.arguments, signal)) };
    const made = this.#made.get(tool.name) ?? [];
    if (kept === undefined) this.#made.set(tool.name, [...made, result]);
    return 'error' in result ? { problem: result.error } : { output: result.output };
  };

  /** Writes what was returned into the case, which has to be as it was when the run began. Resolves to whether that changed it. */
  async save(text: string): Promise<boolean> {
    const { root, casePath, keepsResults } = this.#options;
    const recordings = this.#case.tools.flatMap((tool, index): readonly ToolRecording[] => {
      const made = this.#made.get(tool.name) ?? [];
      if (tool.source === undefined || (keepsResults && made.length === 0)) return [];
      return [{ index, results: keepsResults ? [...(tool.results ?? []), ...made] : made }];
    });
    if ((await readText(casePath, FILE_LIMITS.case)) !== text)
      throw new UserError(
        () => t('the case was changed while it was being recorded, so the results of its tools are not kept'),
        () => t('Record it again.'),
      );
    const content = this.#recorder.caseWithResults(text, recordings);
    if (content.bytes === text) return false;
    await writeRecorded(root, casePath, content);
    return true;
  }

  async close(): Promise<void> {
    const callers = await Promise.allSettled(this.#callers.values());
    await Promise.all(callers.map((caller) => (caller.status === 'fulfilled' ? caller.value.close() : undefined)));
  }

  async #call({ name, source }: Sourced, args: JsonRecord, signal: AbortSignal): Promise<ToolReply> {
    const timeoutMs = this.#case.agent.toolTimeoutMs;
    if (source.kind === 'command') return this.#runCommand(name, source, args, signal);
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const caller = await this.#caller(source, AbortSignal.any([signal, timeout]));
      return await caller.callTool(source.tool, args, AbortSignal.any([signal, timeout]));
    } catch (error) {
      signal.throwIfAborted();
      if (timeout.aborted) return { error: `\`${name}\` timed out after ${timeoutMs} ms` };
      throw error;
    }
  }

  async #runCommand(
    name: string,
    { command, passedVariables }: CommandSource,
    args: JsonRecord,
    signal: AbortSignal,
  ): Promise<ToolReply> {
    const timeoutMs = this.#case.agent.toolTimeoutMs;
    const { cwd, environment } = await this.#start(command, passedVariables);
    const input = `${compactJson(args)}\n`;
    const variables = { ...environment, TAPEDECK_TOOL: name };
    const exit = await runProcess({
      command,
      cwd,
      environment: variables,
      stdio: 'captured',
      input,
      timeoutMs,
      signal,
    });
    signal.throwIfAborted();
    if (exit.timedOut) return { error: `\`${name}\` timed out after ${timeoutMs} ms` };
    if (exit.code === 0) return { output: exit.stdout.replace(/\r?\n$/, '') };
    const how = exit.code === null ? `was ended by ${exit.endedBy}` : `ended with ${exit.code}`;
    return { error: exit.stderr.trim() || exit.stdout.trim() || `\`${name}\` ${how}` };
  }

  #caller(source: McpSource, signal: AbortSignal): Promise<McpCaller> {
    const key = JSON.stringify([source.config, source.server]);
    const caller = this.#callers.get(key) ?? this.#connect(source, signal);
    this.#callers.set(key, caller);
    return caller;
  }

  async #connect({ config, server }: McpSource, signal: AbortSignal): Promise<McpCaller> {
    const { casePath, network, root } = this.#options;
    const configured = await configuredIn(config, server, casePath);
    const own = configured.kind === 'stdio' ? configured.environment : configured.headers;
    this.#recorder = this.#recorder.withEnvironment(own);
    const command = configured.kind === 'stdio' ? configured.command : undefined;
    const { environment } = await this.#start(command, variablesOf(configured));
    const timeoutMs = this.#case.agent.toolTimeoutMs;
    const open = await transportTo(configured, { cwd: root, environment, policy: network, timeoutMs });
    return McpCaller.connect(server, open, signal);
  }

  /** Where a program of the case runs, and with which variables, once it is permitted. */
  async #start(command: readonly string[] | undefined, own: readonly string[] = []) {
    const { root, casePath, network, permitStart } = this.#options;
    network.requireRecording('tool', command?.join(' ') ?? casePath);
    const { passedVariables = [] } = await projectConfig(root);
    const listed = listedVariables([...passedVariables, ...own], 'record', network.keys);
    this.#recorder = this.#recorder.withEnvironment(listed);
    const key = JSON.stringify(command);
    if (command !== undefined && !this.#permitted.has(key)) await permitStart(program(command));
    this.#permitted.add(key);
    return { cwd: dirname(casePath), environment: { ...basicEnvironment(process.env), ...listed } };
  }
}

function program(command: readonly string[]): AgentProgram {
  return { kind: 'program', command, cwd: '.', environment: {}, timeoutMs: 0 };
}

function sourced({ tools }: Case): readonly Sourced[] {
  return tools.flatMap((tool) => (tool.source === undefined ? [] : [{ ...tool, source: tool.source }]));
}

/** The text of a case that is about to be recorded. Rejects with a `UserError` if the results of its tools would have no place. */
export async function textForResults(testCase: Case, casePath: string): Promise<string> {
  const text = await readText(casePath, FILE_LIMITS.case);
  const inline = testCase.tools.find(({ source }, index) => source !== undefined && !takesToolResults(text, index));
  if (inline === undefined) return text;
  throw new UserError(
    () => t('the results of the tool {0} have no place in the case', inline.name),
    () => t('Write the tool as a [[tools]] table of its own.'),
  );
}
