import type { Found } from '../../core/model/found';
import type { Overview } from '../../core/search/overview';
import { isIndex, isListOf, isMapOf, isShape, isText } from '../rpc/guards';
import type { Guards } from '../rpc/rpc';

/** The search of tapes. */
export type SearchApi = {
  /** Searches these tapes, and sends `search` events if some of them have to be read. Aborting the call cancels it. */
  search(params: SearchParams, signal: AbortSignal): Promise<Found>;
  /** What all tapes of these folders come to; the same events, and the same way to cancel it. */
  overview(params: OverviewParams, signal: AbortSignal): Promise<Overview>;
};

export interface SearchParams {
  readonly searchId: string;
  /** As it was typed: see `core/search/parseQuery.ts`. */
  readonly query: string;
  /** The folder that projects without a mark belong to. */
  readonly root: string;
  readonly paths: readonly string[];
  /** The stored API keys by environment variable, which no excerpt shows. They stay in memory. */
  readonly keys: Readonly<Record<string, string>>;
}

export interface OverviewParams extends Pick<SearchParams, 'searchId' | 'keys'> {
  readonly folders: readonly Pick<SearchParams, 'root' | 'paths'>[];
}

export const searchGuards: Guards<SearchApi> = {
  search: isShape<SearchParams>({
    searchId: isText,
    query: isText,
    root: isText,
    paths: isListOf(isText),
    keys: isMapOf(isText),
  }),
  overview: isShape<OverviewParams>({
    searchId: isText,
    folders: isListOf(isShape<OverviewParams['folders'][number]>({ root: isText, paths: isListOf(isText) })),
    keys: isMapOf(isText),
  }),
};

/** How many tapes have been checked. */
export interface SearchEvent {
  readonly searchId: string;
  readonly done: number;
  readonly of: number;
}

export const SEARCH_EVENT = 'search';

export const isSearchEvent = isShape<SearchEvent>({ searchId: isText, done: isIndex, of: isIndex });
