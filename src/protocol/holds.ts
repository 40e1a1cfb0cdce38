import type { DiffPiece } from '../core/diff/diffText';
import type { EditableResponse } from '../core/tapes/edits/editableResponse';
import type { TapeEdit } from '../core/tapes/format';

/** The engine's calls about requests that a proxy session holds until the user decides. */
export type HoldsApi = {
  /** Replaces the breakpoints of a session. Requests that are held already stay so. */
  setHolds(params: SetHoldsParams): Promise<void>;
  /** Decides about a held request. Rejects if it is not held any more, and if an edit is impossible: it stays held then. */
  releaseHeld(params: ReleaseHeldParams): Promise<void>;
};

export interface SetHoldsParams {
  readonly session: string;
  /** The indexes of interactions of the tape. */
  readonly interactions: readonly number[];
  /** Whether to hold the next request, whatever it is. */
  readonly next: boolean;
}

export interface ReleaseHeldParams {
  readonly session: string;
  /** The id of the held request. */
  readonly held: number;
  readonly release: HeldRelease;
}

/**
 * `continue`: goes on as if it had not been held. `step`: the same, and the next request is held. `ask`: in a recording, the
 * request is sent, and its response held. `respond`: the agent gets the edited response. `stop`: it is refused.
 */
export interface HeldRelease {
  readonly type: 'continue' | 'step' | 'ask' | 'respond' | 'stop';
  /** The changes of the response, in order. */
  readonly edits?: readonly TapeEdit[] | undefined;
  /** A whole new body in place of `edits`, of a response that is not streamed. */
  readonly body?: string | undefined;
}

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
