import type { PriceTable } from '../../core/prices/priceTable';
import { amount, count, named, nothing, optional, shape, text, trusted, type Value } from '../../core/schema/schema';
import type { DeclaredLayouts } from '../../core/tapes/declaredLayouts';
import type { Translation } from '../../core/text/l10n';
import type { Span } from '../../core/text/source';
import { type Answers, call, contract, returns } from '../contract';
import type { Channel } from '../rpc/rpc';
import { atInteraction, type TranscriptGrowth, type TranscriptState, tapeQueries } from '../transcript/transcript';

/** What is asked of the thread that reads one version of a tape, so that the host does not hold it in memory. */
export const reader = contract({
  calls: {
    ...tapeQueries,
    /** The beginning of the transcript. */
    state: call(nothing, returns<TranscriptState>()),
    /** The part of the transcript that was read since the last call; null at the end. */
    grow: call(nothing, returns<TranscriptGrowth | null>()),
    /** The range of an interaction in the text. */
    span: call(atInteraction, returns<Span>()),
  },
});
export type ReaderApi = Answers<typeof reader.calls>;

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
  readonly layouts: DeclaredLayouts;
}

/** The data that a reader thread is started with. */
export const readerStart = shape({
  /** The absolute path of the file. */
  file: text(),
  /** The path that names the tape, with `/`. */
  path: text(),
  /** The version number of the tape, for `TranscriptState`. */
  version: count(),
  prices: optional(trusted<PriceTable>(named('', shape({ input: amount(), output: amount() })))),
});
export type ReaderStart = Value<typeof readerStart>;
