import { faultyLlmOutcome, LLM_TIMEOUT, llmTimeout } from '../../core/flakestorm/faults';
import type { ChatRequest, ChatResponse } from '../../core/model/message';
import { ProviderError } from '../errors/runErrors';
import type { ChatProvider } from '../providers/chatProvider';
import type { ChaosClock, ChaosState } from './chaosState';

const FIX = 'The chaos of this run did that: the agent is expected to survive it.';

/** A model under chaos: every answer of it may be struck. */
export class ChaosProvider implements ChatProvider {
  readonly label: string;
  readonly #inner: ChatProvider;
  readonly #trouble: ChaosState;
  readonly #clock: ChaosClock;

  constructor(inner: ChatProvider, trouble: ChaosState, clock: ChaosClock) {
    this.label = inner.label;
    this.#inner = inner;
    this.#trouble = trouble;
    this.#clock = clock;
  }

  async chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
    const { chaos, random, struck } = this.#trouble;
    const number = this.#trouble.nextAnswer();
    const response = await this.#inTime(request, signal, llmTimeout(chaos.llmFaults, number, random));
    const before = response.content ?? '';
    const outcome = faultyLlmOutcome(chaos.llmFaults, before, number, random);
    if (outcome.type === 'error') {
      struck.push(outcome.message);
      throw new ProviderError('provider', outcome.message, FIX);
    }
    if (outcome.text === before) return response;
    struck.push('the answer of the model');
    // What is empty or gibberish calls no tools any more.
    const toolCalls = before === '' ? [] : response.toolCalls;
    return { ...response, content: outcome.text, toolCalls };
  }

  /**
   * Flakestorm lets the agent go on until the time is up, and a recorded answer comes at once: it is in time wherever the
   * limit is above zero, as there.
   */
  async #inTime(request: ChatRequest, signal: AbortSignal, limitMs: number | undefined): Promise<ChatResponse> {
    if (limitMs === undefined) return this.#inner.chat(request, signal);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), limitMs);
    const counted = this.#clock.countedMs;
    try {
      const response = await this.#inner.chat(request, AbortSignal.any([signal, late.signal]));
      if (this.#clock.countedMs - counted > limitMs) throw this.#timeout();
      return response;
    } catch (error) {
      if (late.signal.aborted && !signal.aborted) throw this.#timeout();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #timeout(): ProviderError {
    this.#trouble.struck.push(LLM_TIMEOUT);
    return new ProviderError('provider', LLM_TIMEOUT, FIX);
  }
}
