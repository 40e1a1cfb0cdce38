import type { ScriptStep } from '../../core/model/case';
import type { ChatResponse } from '../../core/model/message';
import { counted } from '../../core/text/counts';
import { t } from '../../core/text/l10n';
import { ProviderError } from '../errors/runErrors';
import type { ChatProvider } from './chatProvider';

/** Plays the steps of a script, in order. After the last one it fails, where MoFA has a stock response. */
export class ScriptedProvider implements ChatProvider {
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
