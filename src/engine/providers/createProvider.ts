import type { Case, ProviderSpec, ScriptStep } from '../../core/model/case';
import type { ChatResponse } from '../../core/model/message';
import { counted } from '../../core/text/counts';
import { t } from '../../core/text/l10n';
import type { Words } from '../../core/text/notice';
import { ProviderError } from '../errors/runErrors';
import type { NetworkPolicy } from '../network/policy';
import type { Recorder } from '../recording/recorder';
import { ChatCompletionsProvider } from './chatCompletions';
import type { ChatProvider } from './chatProvider';
import { type AskEditor, EditorModelProvider } from './editorModel';
import { resolveEndpoint } from './endpoint';
import { PracticeProvider } from './practice';

/** Plays the steps of a script, in order. After the last one it fails, where MoFA has a stock response. */
class ScriptedProvider implements ChatProvider {
  readonly label = 'script';
  readonly #steps: readonly ScriptStep[];
  #next = 0;
  #toolCalls = 0;

  constructor(steps: readonly ScriptStep[]) {
    this.#steps = steps;
  }

  async chat(_request: unknown, signal: AbortSignal): Promise<ChatResponse> {
    signal.throwIfAborted();
    const step = this.#steps[this.#next];
    if (step !== undefined) {
      this.#next += 1;
      return this.#play(step);
    }
    const count = this.#steps.length;
    throw new ProviderError(
      'replay',
      () => counted(count, 'script exhausted after {0} response', 'script exhausted after {0} responses'),
      () => t('Add the missing response to [[llm.steps]] or `responses`.'),
    );
  }

  #play(step: ScriptStep): ChatResponse {
    if (step.type === 'text') return { content: step.content, toolCalls: [] };
    this.#toolCalls += 1;
    const call = { id: `call_${this.#toolCalls}`, name: step.tool, arguments: step.arguments };
    return { content: step.content ?? null, toolCalls: [call] };
  }
}

interface LiveOptions {
  readonly network: NetworkPolicy;
  readonly recorder: Recorder;
  /** Chooses the phrasing of the practice provider, unless the case has a seed. */
  readonly seed: number;
  /** Called before the wait that precedes another attempt, with one line for the user. */
  onRetry?(notice: Words): void;
  /** Sends a request to a model of the editor, where the engine runs in one. */
  readonly askEditor?: AskEditor;
}

/** The provider that plays the case's `[llm] steps` or `responses`; a case without them has an empty script. */
export function createScripted(testCase: Case): ChatProvider {
  return new ScriptedProvider(testCase.llm.script ?? []);
}

/**
 * The provider for a model, or for the practice model. Rejects with a `ProviderError` when its settings are incomplete, and
 * with a `UserError` for a key that may not go to it.
 */
export async function createLive(
  spec: ProviderSpec,
  { network, recorder, seed, onRetry, askEditor }: LiveOptions,
): Promise<ChatProvider> {
  if (spec.kind === 'vscode_lm') return new EditorModelProvider(network, askEditor, spec.model);
  if (spec.kind === 'practice') return new PracticeProvider(spec.seed ?? seed);
  return new ChatCompletionsProvider(await resolveEndpoint(spec, network.keys), network, recorder, onRetry);
}
