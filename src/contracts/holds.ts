import type { DiffPiece } from '../core/diff/diffText';
import { count, flag, list, optional, shape, text, type Value } from '../core/schema/schema';
import type { EditableResponse } from '../core/tapes/edits/editableResponse';
import { type Answers, call, type Params, returns } from './contract';
import { tapeEdit } from './tapeEdit';

/**
 * `continue`: goes on as if it had not been held. `step`: the same, and the next request is held. `ask`: in a recording, the
 * request is sent, and its response held. `respond`: the agent gets the edited response. `stop`: it is refused.
 */
const heldRelease = shape({
  type: text('', { enum: ['continue', 'step', 'ask', 'respond', 'stop'] }),
  /** The changes of the response, in order. */
  edits: optional(list(tapeEdit)),
  /** A whole new body in place of `edits`, of a response that is not streamed. */
  body: optional(text()),
});
export type HeldRelease = Value<typeof heldRelease>;

const SESSION = { session: text() };

/** The engine's calls about requests that a proxy session holds until the user decides. */
export const holdsCalls = {
  /** Replaces the breakpoints of a session, at interactions of the tape; with `next`, the next request is held, whatever it is. Requests that are held already stay so. */
  setHolds: call(shape({ ...SESSION, interactions: list(count()), next: flag() }), returns<void>()),
  /** Decides about the held request of this id. Rejects if it is not held any more, and if an edit is impossible: it stays held then. */
  releaseHeld: call(shape({ ...SESSION, held: count(), release: heldRelease }), returns<void>()),
};
export type HoldsApi = Answers<typeof holdsCalls>;
export type SetHoldsParams = Params<typeof holdsCalls.setHolds>;
export type ReleaseHeldParams = Params<typeof holdsCalls.releaseHeld>;

/** A request that waits, or in a recording also a response. It has no secrets. */
export interface HeldRequest {
  /** Unique in its session. */
  readonly id: number;
  readonly mode: 'record' | 'replay';
  readonly stage: 'request' | 'response';
  /** The interaction of the tape that it is compared with, or else its position, from 0. */
  readonly interaction: number;
  /** Such as `POST /chat/completions`. */
  readonly to: string;
  /** What it is, in one sentence. */
  readonly headline: string;
  /** Why it does not match, in lines; empty if it does. */
  readonly explanation: string;
  /** From the recorded request to this one; empty if they are equal, or there is nothing to compare. */
  readonly diff: readonly DiffPiece[];
  /** What happens where the user continues: it gets its response, is refused, or is sent to the upstream. */
  readonly continues: 'served' | 'refused' | 'sent';
  /** The response that can be edited; null if there is none, or none yet. */
  readonly response: HeldResponse | null;
}

export interface HeldResponse {
  readonly fields: EditableResponse;
  /** The whole body, of a response that is not streamed. */
  readonly body?: string;
}
