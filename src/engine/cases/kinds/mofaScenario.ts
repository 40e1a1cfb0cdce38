import { MockModel, NO_PROMPTS, readScenarioSpec, type ScenarioSpec } from '../../../core/cases/mofa/scenarioSpec';
import type { Json } from '../../../core/json/json';
import type { ChatRequest, ChatResponse } from '../../../core/model/message';
import { t } from '../../../core/text/l10n';
import { noticeOf } from '../../../core/text/notice';
import { CaseError, caseFailure } from '../../errors/failures';
import { ProviderError } from '../../errors/runErrors';
import type { AgentRun } from '../../execution/agentRun';
import { buildArtifact } from '../../execution/buildArtifact';
import { runAgent } from '../../execution/runAgent';
import type { CaseFile, RunnableCase } from '../../execution/runnableCase';
import { type Judgement, requireValid, syntheticCase, withJudgements } from '../../execution/syntheticCase';
import type { ChatProvider } from '../../providers/chatProvider';

/** Opens a scenario spec: the built-in agent with the model and the tools that the file mocks. */
export function openMofaScenario(file: CaseFile): RunnableCase {
  const spec = requireValid(file, () => readScenarioSpec(file.text));
  const [prompt, ...laterPrompts] = spec.prompts;
  if (prompt === undefined) throw new CaseError([caseFailure(() => `${file.name}: ${NO_PROMPTS}`)]);
  const tools = spec.tools.map((tool) => ({ ...tool, delayMs: 0 }));
  const testCase = syntheticCase({ name: spec.name, prompt, laterPrompts, tools });
  return {
    name: spec.name,
    plan: async () => ({
      mode: 'scripted',
      starts: undefined,
      async execute(options) {
        const model = new MockProvider(spec);
        const run = await runAgent(testCase, model, options);
        const artifact = buildArtifact(testCase, run, { mode: 'scripted' });
        const { busMessages } = spec.expectations;
        const notes =
          busMessages === 0
            ? []
            : [noticeOf(() => t('bus message expectations were not checked: Tapedeck does not support a message bus'))];
        return withJudgements({ run, artifact }, () => judgeCounts(spec, model, run), { notes });
      },
    }),
  };
}

class MockProvider implements ChatProvider {
  readonly label = 'scenario';
  readonly #model: MockModel;

  constructor(spec: ScenarioSpec) {
    this.#model = new MockModel(spec);
  }

  get prompts(): readonly string[] {
    return this.#model.prompts;
  }

  async chat({ messages }: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
    signal.throwIfAborted();
    const prompt = messages.findLast(({ role }) => role === 'user')?.content ?? '';
    const response = this.#model.respond(prompt);
    if (response === undefined) {
      const message = () => t('the scenario has no response to {0}', JSON.stringify(prompt));
      throw new ProviderError('replay', message, () => t('Add it to llm.responses, or add llm.fallback.'));
    }
    if ('error' in response)
      throw new ProviderError('provider', response.error, () => t('The scenario makes this call fail.'));
    return { content: response.content, toolCalls: [] };
  }
}

function judgeCounts({ expectations }: ScenarioSpec, model: MockProvider, run: AgentRun): readonly Judgement[] {
  const { inferTotal, promptCounts, toolCalls } = expectations;
  const counted = (kind: string, what: string, expected: number, actual: Json): Judgement => {
    const details = t('expected {0} {1}, counted {2}', expected, what, String(actual));
    return { result: { kind, expected, actual, passed: expected === actual, details } };
  };
  return [
    ...(inferTotal === undefined ? [] : [counted('infer_total', 'model calls', inferTotal, model.prompts.length)]),
    ...promptCounts.map(({ substring, expected }) => {
      const actual = model.prompts.filter((prompt) => prompt.includes(substring)).length;
      return counted('prompt_count', t('prompts containing {0}', JSON.stringify(substring)), expected, actual);
    }),
    ...toolCalls.map(({ name, expected }) => {
      const actual = run.toolCallOrder.filter((tool) => tool === name).length;
      return counted('tool_calls', t('calls to {0}', name), expected, actual);
    }),
  ];
}
