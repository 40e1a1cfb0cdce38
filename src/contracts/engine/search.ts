import type { Found } from '../../core/model/found';
import { count, list, named, shape, text, type Value } from '../../core/schema/schema';
import type { Overview } from '../../core/search/overview';
import { call, type Handlers, type Params, returns } from '../contract';

/** Chosen by the caller, for its events; and the stored API keys by environment variable, which no excerpt shows. They stay in memory. */
const SEARCH = { searchId: text(), keys: named('', text()) };
/** The root is the folder that projects without a mark belong to. */
const TAPES = { root: text(), paths: list(text()) };

/** The search of tapes. */
export const searchCalls = {
  /**
   * Searches these tapes for a query as it was typed (see `core/search/parseQuery.ts`), and emits `search` events if some of them have
   * to be read. Aborting the call cancels it.
   */
  search: call(shape({ ...SEARCH, query: text(), ...TAPES }), returns<Found>()),
  /** What all tapes of these folders come to; the same events, and the same way to cancel it. */
  overview: call(shape({ ...SEARCH, folders: list(shape(TAPES)) }), returns<Overview>()),
};
export type SearchApi = Handlers<typeof searchCalls>;
export type SearchParams = Params<typeof searchCalls.search>;

/** How many tapes have been checked. */
export const searchEvent = shape({ searchId: text(), done: count(), of: count() });
export type SearchEvent = Value<typeof searchEvent>;
