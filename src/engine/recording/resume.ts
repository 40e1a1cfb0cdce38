import type { ChatRequest, ChatResponse } from '../../core/model/message';
import type { ChatProvider } from '../providers/chatProvider';
import type { ReplayProvider } from '../providers/replay';
import type { Recorder } from './recorder';

/** Where a take begins anew: at an interaction, from 0, or where the agent first asks otherwise than was recorded. */
export type ResumeAt = number | 'drift';

/** Answers from the tape up to a place, and from there on asks the model: a new take behind the start of the old one. */
export class ResumeProvider implements ChatProvider {
  readonly #replay: ReplayProvider;
  readonly #recorder: Recorder;
  readonly #at: ResumeAt;
  #replayed = 0;
  #isLive = false;

  constructor(replay: ReplayProvider, recorder: Recorder, at: ResumeAt) {
    this.#replay = replay;
    this.#recorder = recorder;
    this.#at = at;
  }

  get label(): string {
    return `${this.#replay.label}, then ${this.#recorder.label}`;
  }

  /** How many interactions came from the tape: they are its first. */
  get replayed(): number {
    return this.#replayed;
  }

  async chat(request: ChatRequest, signal: AbortSignal): Promise<ChatResponse> {
    this.#isLive ||= this.#at === 'drift' ? !this.#replay.isNext(request) : this.#replayed >= this.#at;
    if (this.#isLive) return this.#recorder.chat(request, signal);
    const response = await this.#replay.chat(request, signal);
    this.#replayed += 1;
    return response;
  }
}
