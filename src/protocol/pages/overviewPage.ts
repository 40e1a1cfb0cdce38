import type { Overview } from '../../core/search/overview';
import { isNothing, isShape, isText } from '../rpc/guards';
import type { Guards } from '../rpc/rpc';

/** What all tapes of the workspace come to, as its page shows it. */
export interface ShownOverview {
  readonly overview: Overview;
  /** When it was made, in milliseconds since 1970. */
  readonly now: number;
  /** The paths in it as the workspace names them. */
  readonly names: Readonly<Record<string, string>>;
}

/** The calls that the page may make. */
export type OverviewHost = {
  /** Reads what has changed; rejects where that is cancelled. */
  open(params: undefined): Promise<ShownOverview>;
  /** Shows what is found by a query of the overview. */
  search(params: { readonly query: string }): Promise<void>;
  /** Opens a tape as a transcript. */
  openTape(params: { readonly path: string }): Promise<void>;
};

export const overviewGuards: Guards<OverviewHost> = {
  open: isNothing,
  search: isShape({ query: isText }),
  openTape: isShape({ path: isText }),
};

/** Sent to the page when the command is run again: it asks anew. */
export const OVERVIEW_ASKED = 'overviewAsked';
