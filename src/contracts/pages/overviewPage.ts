import { nothing, shape, text, trusted } from '../../core/schema/schema';
import type { Overview } from '../../core/search/overview';
import { call, returns } from '../contract';
import { reportPage } from './report';

/** What all tapes of the workspace come to, as its page shows it. */
export interface ShownOverview {
  readonly overview: Overview;
  /** When it was made, in milliseconds since 1970. */
  readonly now: number;
  /** The paths in it as the workspace names them. */
  readonly names: Readonly<Record<string, string>>;
}

export const overviewPage = reportPage(trusted<ShownOverview>(shape({})), {
  /** Reads what has changed, and shows it; rejects where that is cancelled. */
  read: call(nothing, returns<void>()),
  /** Shows what is found by a query of the overview. */
  search: call(shape({ query: text() }), returns<void>()),
  /** Opens a tape as a transcript. */
  openTape: call(shape({ path: text() }), returns<void>()),
});
