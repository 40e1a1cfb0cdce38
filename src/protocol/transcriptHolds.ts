import { isIndex, isListOf, isShape, isText } from './guards';
import { type HeldRequest, holdsGuards, isHeldList, type ReleaseHeldParams } from './holds';
import type { Guard, Guards } from './rpc';

/** A request that a session holds, with the name of that session. */
export interface ShownHeld extends HeldRequest {
  readonly session: string;
}

export interface ShownHolds {
  /** The interactions with a breakpoint; null where none can be set. */
  readonly breakpoints: readonly number[] | null;
  readonly held: readonly ShownHeld[];
}

/** The event that carries `ShownHolds` to the webview whenever they change. */
export const TRANSCRIPT_HOLDS = 'holds';

/** The calls of the webview about breakpoints and held requests. */
export type HoldApi = {
  toggleBreakpoint(params: { readonly interaction: number }): Promise<void>;
  releaseHeld(params: ReleaseHeldParams): Promise<void>;
};

export const holdGuards: Guards<HoldApi> = {
  toggleBreakpoint: isShape<{ readonly interaction: number }>({ interaction: isIndex }),
  releaseHeld: holdsGuards.releaseHeld,
};

const isBreakpoints: Guard<readonly number[] | null> = (value): value is readonly number[] | null =>
  value === null || isListOf(isIndex)(value);
const isShownHeld: Guard<readonly ShownHeld[]> = (value): value is readonly ShownHeld[] =>
  isHeldList(value) && isListOf(isShape<{ readonly session: string }>({ session: isText }))(value);

export const isShownHolds: Guard<ShownHolds> = isShape<ShownHolds>({ breakpoints: isBreakpoints, held: isShownHeld });
