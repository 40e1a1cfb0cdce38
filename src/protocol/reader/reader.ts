import type { PriceTable } from '../../core/prices/priceTable';
import type { Translation } from '../../core/text/l10n';
import type { Span } from '../../core/text/source';
import { isIndex, isMapOf, isMaybe, isNothing, isNumber, isShape, isText } from '../rpc/guards';
import type { Channel, Guard, Guards } from '../rpc/rpc';
import {
  isInteraction,
  type TapeQueries,
  type TranscriptGrowth,
  type TranscriptState,
  tapeQueriesGuards,
} from '../transcript/transcript';

/** The calls to the thread that reads one version of a tape, so that the host does not hold it in memory. */
export type ReaderApi = TapeQueries & {
  /** The beginning of the transcript. */
  state(params: undefined): Promise<TranscriptState>;
  /** The part of the transcript that was read since the last call; null at the end. */
  grow(params: undefined): Promise<TranscriptGrowth | null>;
  /** The range of an interaction in the text. */
  span(params: { readonly interaction: number }): Promise<Span>;
};

export const readerGuards: Guards<ReaderApi> = {
  ...tapeQueriesGuards,
  state: isNothing,
  grow: isNothing,
  span: isInteraction,
};

/** A worker, or the port that a worker has to its parent. */
interface Port {
  postMessage(message: unknown): void;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  off(event: 'message', listener: (message: unknown) => void): unknown;
}

export function portChannel(port: Port): Channel {
  return {
    send: (message) => port.postMessage(message),
    onMessage: (listener) => {
      port.on('message', listener);
      return () => port.off('message', listener);
    },
  };
}

/** What a thread gets from the one that starts it. */
export interface ThreadData {
  /** A `ReaderStart` or `ListerStart`. */
  readonly start: unknown;
  readonly translation: Translation;
}

/** The data that a reader thread is started with. */
export interface ReaderStart {
  /** The absolute path of the file. */
  readonly file: string;
  /** The path that names the tape, with `/`. */
  readonly path: string;
  /** The version number of the tape, for `TranscriptState`. */
  readonly version: number;
  readonly prices?: PriceTable | undefined;
}

export const isReaderStart: Guard<ReaderStart> = isShape<ReaderStart>({
  file: isText,
  path: isText,
  version: isIndex,
  prices: isMaybe(isMapOf(isShape({ input: isNumber, output: isNumber }))),
});
