import type { DiffPiece } from '../core/diff/diffText';
import { isIndex, isListOf, isShape, isText } from './guards';
import type { Guard, Guards } from './rpc';

/** What the last replay of a case asked, and what this tape had no answer to. */
export interface ShownDrift {
  /** Where it is shown, from 0: at the recording that is most alike, or where the replay stood. */
  readonly interaction: number;
  readonly caseName: string;
  /** As the run and the Test Explorer say it. */
  readonly message: string;
  /** From what was recorded to what was asked; empty where there is nothing to compare. */
  readonly diff: readonly DiffPiece[];
  /** What can be done about it, in words. */
  readonly mends: readonly string[];
}

/** The event that carries `{ drifts }` to the webview, whenever there are others. */
export const TRANSCRIPT_DRIFTED = 'drifted';

const isDrift = isShape<ShownDrift>({
  interaction: isIndex,
  caseName: isText,
  message: isText,
  diff: isListOf((piece): piece is DiffPiece => typeof piece === 'object' && piece !== null && 'type' in piece),
  mends: isListOf(isText),
});

export const isDriftState: Guard<{ readonly drifts: readonly ShownDrift[] }> = isShape<{
  readonly drifts: readonly ShownDrift[];
}>({ drifts: isListOf(isDrift) });

/** The calls of the webview about drifts. */
export type TranscriptDrifts = {
  /** Does what was offered: the page names which, and what that means only the host knows. */
  mend(params: MendParams): Promise<void>;
};

export interface MendParams {
  /** Its place in the last event. */
  readonly drift: number;
  readonly mend: number;
}

export const driftGuards: Guards<TranscriptDrifts> = {
  mend: isShape<MendParams>({ drift: isIndex, mend: isIndex }),
};
