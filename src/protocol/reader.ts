import type { PriceTable } from '../core/prices/priceTable';
import type { Span } from '../core/text/source';
import { isIndex, isMapOf, isMaybe, isNothing, isNumber, isShape, isText } from './guards';
import type { Guard, Guards } from './rpc';
import {
  isInteraction,
  type TranscriptGrowth,
  type TranscriptHost,
  type TranscriptState,
  transcriptGuards,
} from './transcript';

/** The calls to a thread that reads one version of a tape, for a host that does not hold it. */
export type ReaderApi = Pick<TranscriptHost, 'bodies' | 'more' | 'search' | 'playback' | 'raw' | 'readOnlyReason'> & {
  /** The beginning of the transcript. */
  state(params: undefined): Promise<TranscriptState>;
  /** What has been read since; null when all has been told. */
  grow(params: undefined): Promise<TranscriptGrowth | null>;
  /** Where an interaction stands in the text. */
  span(params: { readonly interaction: number }): Promise<Span>;
};

const { bodies, more, search, playback, raw, readOnlyReason } = transcriptGuards;
export const readerGuards: Guards<ReaderApi> = {
  ...{ bodies, more, search, playback, raw, readOnlyReason },
  state: isNothing,
  grow: isNothing,
  span: isInteraction,
};

/** What such a thread is begun with. */
export interface ReaderStart {
  /** Where the file is on this computer. */
  readonly file: string;
  /** The path that the tape is known by, with `/`. */
  readonly path: string;
  /** The number of the version that is read, for `TranscriptState`. */
  readonly version: number;
  readonly prices?: PriceTable | undefined;
}

export const isReaderStart: Guard<ReaderStart> = isShape<ReaderStart>({
  ...{ file: isText, path: isText, version: isIndex },
  prices: isMaybe(isMapOf(isShape({ input: isNumber, output: isNumber }))),
});
