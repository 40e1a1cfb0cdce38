import type { ReaderApi } from '../contracts/reader/reader';
import type { TextPlace, TranscriptGrowth, TranscriptQuery, TranscriptState } from '../contracts/transcript/transcript';
import type { PriceTable } from '../core/prices/priceTable';
import { type TapeFile, textParts } from '../core/tapes/tapeFile';
import { escapeInvisible } from '../core/text/escapeInvisible';
import { t } from '../core/text/l10n';
import type { Span } from '../core/text/source';
import { clipBody, textSlice } from '../core/transcript/clipTexts';
import type { PlaybackStep } from '../core/transcript/playback';
import {
  entryParts,
  matchesIn,
  queryPattern,
  type TranscriptMatch,
  type TranscriptMatches,
} from '../core/transcript/searchTranscript';
import type { InteractionBody } from '../core/transcript/transcript';
import type { TranscriptReader } from '../core/transcript/transcriptReader';
import { loadCore } from './loadCore';

/** Enough to fill the first screen, and a little more. */
const FIRST_INTERACTIONS = 60;
/** Milliseconds of work in one turn: the extension host is shared with other extensions. */
const TURN_MS = 20;
/** Milliseconds between updates of the page while a tape is read. With each, the page goes through all interactions. */
const GROWTH_INTERVAL_MS = 250;
/** A search returns the matches found so far after this many milliseconds. */
const SEARCH_SLICE_MS = 60;
/** The characters of an interaction's source that are shown at most. */
const MAX_SOURCE_LENGTH = 200_000;

interface OpenTape {
  readonly version: number;
  readonly reader: TranscriptReader | undefined;
  /** How many interactions have been sent to the page. */
  announced: number;
}

/** The part of a document that is needed to read it. */
interface ReadableTape {
  readonly uri: { readonly path: string };
  /** Goes up whenever the content changes. */
  readonly version: number;
  file(): Promise<TapeFile>;
  /** Of a large file: calls `read` with it. What that keeps holds no text, and reads parts of the file where it needs them. */
  open?<T>(read: (file: TapeFile) => T): Promise<T>;
}

interface InteractionParams {
  readonly interaction: number;
}

/** A document as a transcript. It is read on demand, and no part of it twice for one version of the text. */
export class TapeSource implements ReaderApi {
  readonly #document: ReadableTape;
  #opened: Promise<OpenTape> | undefined;
  #version = -1;

  constructor(
    document: ReadableTape,
    private readonly prices: () => Promise<PriceTable | undefined> = async () => undefined,
  ) {
    this.#document = document;
  }

  get name(): string {
    const { path } = this.#document.uri;
    return path.slice(path.lastIndexOf('/') + 1);
  }

  /** The beginning of the transcript; `grow` goes on from there. */
  async state(): Promise<TranscriptState> {
    const opened = await this.#open();
    const { reader, version } = opened;
    if (reader === undefined)
      return { type: 'unreadable', message: await this.#whyNoTape(), canDescribe: await this.#canDescribe() };
    advance(reader, { until: Math.max(opened.announced, FIRST_INTERACTIONS), ms: 10 * TURN_MS });
    reader.takeJoined();
    opened.announced = reader.passed;
    const { format, length, summaries, totals, problems } = reader;
    const name = reader.name || this.name;
    return {
      type: 'transcript',
      transcript: {
        version,
        name,
        format: format.id,
        formatLabel: format.label,
        family: format.family,
        length,
        totals,
        problems,
        interactions: [...summaries],
      },
    };
  }

  /** Reads on for a moment, in turns that let other work run; null when everything has been read and sent. */
  async grow(): Promise<TranscriptGrowth | null> {
    const opened = await this.#open();
    const { reader, version } = opened;
    if (reader === undefined || opened.announced >= reader.length) return null;
    const end = performance.now() + GROWTH_INTERVAL_MS;
    for (;;) {
      advance(reader, { ms: TURN_MS });
      if (reader.passed >= reader.length || performance.now() > end) break;
      await nextTurn();
    }
    const from = opened.announced;
    opened.announced = reader.passed;
    const { totals, problems } = reader;
    return { version, from, interactions: reader.summaries.slice(from), joined: reader.takeJoined(), totals, problems };
  }

  async bodies({ interactions }: { readonly interactions: readonly number[] }): Promise<readonly InteractionBody[]> {
    const reader = await this.#readerAt(Math.max(-1, ...interactions));
    return interactions.flatMap((index) => {
      const body = reader.body(index);
      return body === undefined ? [] : clipBody(body);
    });
  }

  /** The next part of a text whose beginning was sent with a body. */
  async more({ interaction, entry, part, start }: TextPlace): Promise<string> {
    const found = (await this.#readerAt(interaction)).body(interaction)?.entries[entry];
    const text = found && entryParts(found).find(({ id }) => id === part)?.text;
    if (text === undefined)
      throw new Error(t('{0} has changed and no longer contains this text. Reopen the transcript.', this.name));
    return textSlice(text, start);
  }

  /** The matches from an interaction on that are found within one time slice. */
  async search({ query, from }: TranscriptQuery): Promise<TranscriptMatches> {
    const reader = await this.#reader();
    const pattern = queryPattern(query);
    if (pattern === undefined) return { matches: [] };
    const end = performance.now() + SEARCH_SLICE_MS;
    // The result of a tool call is part of a later request, so a tape is searched only when read to its end.
    advance(reader, { ms: SEARCH_SLICE_MS });
    if (reader.passed < reader.length) return { matches: [], next: from };
    const matches: TranscriptMatch[] = [];
    for (let at = from; at < reader.length; at += 1) {
      if (at > from && performance.now() > end) return { matches, next: at };
      const body = reader.passingBody(at);
      if (body !== undefined) matches.push(...matchesIn(body, pattern));
    }
    return { matches };
  }

  /** The pieces of a streamed response, with their times. */
  async playback({ interaction }: InteractionParams): Promise<readonly PlaybackStep[]> {
    const { playback } = await loadCore();
    const found = (await this.#reader()).tape.interactions[interaction];
    return found === undefined ? [] : playback(found);
  }

  /** The place of an interaction in the text. Rejects when the tape has no such interaction (any more). */
  async span({ interaction }: InteractionParams): Promise<Span> {
    const reader = await this.#reader();
    const found = reader.tape.interactions[interaction];
    if (found !== undefined) return found.source;
    throw new Error(t('{0} has no interaction {1}: there are {2}.', this.name, interaction + 1, reader.length));
  }

  /** The text of an interaction as it is in the file. Rejects as `span` does. */
  async source(params: InteractionParams): Promise<string> {
    const { start, end } = await this.span(params);
    const { file } = await this.#reader();
    return escapeInvisible(textParts(file).slice(start, Math.min(end, start + MAX_SOURCE_LENGTH)));
  }

  /** The reason why the tape is read-only, as a sentence; null when it can be edited. */
  async readOnlyReason(): Promise<string | null> {
    const { readOnlyReason } = await loadCore();
    const { reader } = await this.#open();
    return (reader && readOnlyReason(reader.format)) ?? null;
  }

  async #reader(): Promise<TranscriptReader> {
    const { reader } = await this.#open();
    if (reader === undefined) throw new Error(await this.#whyNoTape());
    return reader;
  }

  /** The reader, once it has passed `interaction` or has reached the end. */
  async #readerAt(interaction: number): Promise<TranscriptReader> {
    const reader = await this.#reader();
    for (;;) {
      if (reader.passed < reader.length) advance(reader, { until: interaction + 1, ms: TURN_MS });
      if (reader.passed > interaction || reader.passed >= reader.length) return reader;
      await nextTurn();
    }
  }

  #open(): Promise<OpenTape> {
    const { version } = this.#document;
    if (this.#opened === undefined || this.#version !== version) {
      this.#version = version;
      this.#opened = this.#read(version);
    }
    return this.#opened;
  }

  async #read(version: number): Promise<OpenTape> {
    const { openTranscript } = await loadCore();
    const prices = await this.prices();
    const read = (file: TapeFile): TranscriptReader | undefined => openTranscript(file, prices);
    const reader = await (this.#document.open?.(read) ?? this.#document.file().then(read));
    return { version, reader, announced: 0 };
  }

  async #whyNoTape(): Promise<string> {
    // A window has no text of a file that was deleted while it was open.
    if ((await this.#document.file()).text.trim() === '')
      return t('{0} is empty, or was deleted. Record a case to it, or restore it from version control.', this.name);
    const { mostLike } = await loadCore();
    const why = (await this.#canDescribe())
      ? t(
          '{0} is not in a tape format that Tapedeck knows, but it has requests or responses of a model. Describe its format, and it is a tape.',
          this.name,
        )
      : t(
          '{0} is not in a tape format that Tapedeck supports, and has no request or response of a model that it knows.',
          this.name,
        );
    return [why, mostLike(await this.#document.file()) ?? []].flat().join(' ');
  }

  async #canDescribe(): Promise<boolean> {
    const { canDescribe } = await loadCore();
    return canDescribe(await this.#document.file());
  }
}

/** Passes interactions for `ms` milliseconds, at least one if any is left. */
function advance(reader: TranscriptReader, { until = reader.length, ms }: { until?: number; ms: number }): void {
  const end = performance.now() + ms;
  while (reader.passed < until && reader.advance() && performance.now() < end);
}

/** Lets other work of the event loop run. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}

/** Reads on to the end, as long as `isWanted` returns true. */
export async function readToEnd(
  source: Pick<ReaderApi, 'grow'>,
  isWanted: () => boolean,
  onGrowth: (growth: TranscriptGrowth) => void,
): Promise<void> {
  while (isWanted()) {
    const growth = await source.grow(undefined);
    if (growth === null) return;
    if (isWanted()) onGrowth(growth);
  }
}
