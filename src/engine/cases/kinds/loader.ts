import { basename } from 'node:path';
import { fileStem } from '../../../core/cases/caseKind';
import { type LoaderScenario, readLoaderScenario } from '../../../core/cases/loader/loaderScenario';
import { type Json, jsonEqual } from '../../../core/json/json';
import type { Message } from '../../../core/model/message';
import { t } from '../../../core/text/l10n';
import { noticeOf } from '../../../core/text/notice';
import type { AgentRun } from '../../execution/agentRun';
import { buildArtifact, writeArtifactMessage } from '../../execution/buildArtifact';
import { runAgent } from '../../execution/runAgent';
import type { CaseFile, RunnableCase } from '../../execution/runnableCase';
import { type Judgement, requireValid, syntheticCase, withJudgements } from '../../execution/syntheticCase';
import { LoaderBackend, type LoaderEvent, LoaderTools } from './loaderTools';

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
