import { ContextKey } from '../base/contextKey';
import type { RecordedProgram } from './tapedProgram';

/** The last recording of a command that is no case yet. A notification offers to save it, and goes away; the palette offers it until then. */
export class LastRecording {
  readonly #isThere = new ContextKey<boolean>('tapedeck.hasRecording');
  #recorded: RecordedProgram | undefined;

  get(): RecordedProgram | undefined {
    return this.#recorded;
  }

  keep(recorded: RecordedProgram): void {
    this.#recorded = recorded;
    this.#isThere.set(true);
  }

  /** Forgets this recording, which has become a case or was discarded. */
  forget({ tape }: RecordedProgram): void {
    if (this.#recorded?.tape.toString() !== tape.toString()) return;
    this.#recorded = undefined;
    this.#isThere.set(false);
  }
}
