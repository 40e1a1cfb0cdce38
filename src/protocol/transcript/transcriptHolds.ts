import type { HeldRelease, HeldRequest, ReleaseHeldParams } from '../holds';
import { isIndex, isListOf, isShape, isText } from '../rpc/guards';
import type { Guard, Guards } from '../rpc/rpc';

/** A request that a session holds, with the name of that session. */
export interface ShownHeld extends HeldRequest {
  readonly session: string;
}

export interface ShownHolds {
  /** The interactions with a breakpoint; null if none can be set. */
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
  // The engine, which it is passed on to, checks it whole.
  releaseHeld: isShape<ReleaseHeldParams>({
    session: isText,
    held: isIndex,
    release: (value): value is HeldRelease => typeof value === 'object' && value !== null,
  }),
};

/** Checks only what is addressed: the content comes from our own engine. */
export function isShownHolds(value: unknown): value is ShownHolds {
  const isHeld = isShape<Pick<ShownHeld, 'id' | 'session' | 'interaction'>>({
    id: isIndex,
    session: isText,
    interaction: isIndex,
  });
  const isBreakpoints: Guard<readonly number[] | null> = (one): one is readonly number[] | null =>
    one === null || isListOf(isIndex)(one);
  return isShape<{ breakpoints: readonly number[] | null; held: readonly object[] }>({
    breakpoints: isBreakpoints,
    held: isListOf(isHeld),
  })(value);
}
