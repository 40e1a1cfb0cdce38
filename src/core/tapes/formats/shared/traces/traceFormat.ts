import { asString } from '../../../../json/fields';
import type { JsonRecord } from '../../../../json/json';
import { headLines } from '../../../../json/jsonLines';
import { jsonOutline } from '../../../../json/jsonOutline';
import { keysOf, valueAt } from '../../../../json/jsonPath';
import { lazy } from '../../../../text/memo';
import type { TextParts } from '../../../../text/textParts';
import type { TapeFormat } from '../../../format';
import { hasMark, type Mark, markAt, namesIn } from '../../../marks';
import { textParts } from '../../../tapeFile';
import { cutFields } from './cut';
import { type ModelCall, readCallSpan, spanTiming, type ToolUse, timeOfNumber, timeOfValue } from './reading';
import { recordAt, visitRecords } from './spanPlaces';
import { type TraceSpan, traceTape } from './traceTape';

/**
 * What a format is whose files are exported traces, in which an object is a span: a document, or objects that follow each other. How it
 * is recognised and read follows from that (`traceFormat`).
 */
export interface TraceDescription extends Pick<TapeFormat, 'id' | 'label'> {
  /** The extensions of its files, without the dot. */
  readonly files: readonly string[];
  /** The lists that spans are in, where the document is neither a list of them nor one, such as `runs[]`. */
  readonly lists: readonly string[];
  /** What all of its spans have, and no other objects. */
  readonly marks: Mark;
  /** Where things stand in a span. */
  readonly at: SpanPlaces;
  /** What spans of a type are. All others are steps. */
  readonly kinds: Readonly<Record<string, TraceSpan['kind']>>;
  /** The type of a span, where it is no member. */
  typeOf?(span: JsonRecord): string | undefined;
  /** A span with what stands elsewhere in some versions where `at` says. */
  normalised?(span: JsonRecord): JsonRecord;
  /** Whether an object is a span, and not about the trace as a whole. */
  isSpan(record: JsonRecord): boolean;
  /** The name of the trace, if this object, which is no span, has it. */
  traceName?(record: JsonRecord): string | undefined;
  /** The name of a span that has none where others have it. */
  stepName?(span: JsonRecord): string;
  /** The call of a model. `around` has the spans that it is within, the innermost first. */
  call(span: JsonRecord, around: () => Iterable<JsonRecord>): Omit<ModelCall, 'error' | 'timing'>;
  /** The call of a tool. */
  tool(span: JsonRecord): Omit<ToolUse, 'error' | 'timing'>;
  /** Why a call failed; undefined if it did not. */
  failure(span: JsonRecord): string | undefined;
  /** Where texts stand that may have been cut off. */
  readonly texts: readonly string[];
  /** What to do about a call whose messages or response are missing: a message. */
  readonly ifMissing: string;
}

/** Where things stand in a span, each by the keys that lead to it. */
interface SpanPlaces {
  readonly type?: string;
  readonly id?: string;
  /** An id, or a list of which the first counts. */
  readonly parent: string;
  readonly name?: string;
  readonly start: string;
  /** Absent where a span says how long it took. */
  readonly end?: string;
  /** How long it took, in the unit of `start`. */
  readonly duration?: string;
  readonly firstToken?: string;
}

/** The format of a description. */
export function traceFormat(description: TraceDescription): TapeFormat {
  const { id, label, files } = description;
  return {
    id,
    label,
    family: 'log',
    extensions: files,
    syntax: 'json',
    hasSteps: true,
    looksLike: (file) => looksLike(description, textParts(file)),
    read: (file) => new TraceReader(description, textParts(file)).read(),
  };
}

/** Enough for the first object of those that follow each other. */
const HEAD_LENGTH = 64 * 1024;

function looksLike({ lists, marks }: TraceDescription, text: TextParts): boolean {
  const outline = jsonOutline(text);
  if (outline.isWhole && outline.isOnly)
    return ['', '[]', ...lists].some((at) => hasMark(text, outline, markAt(at, marks)));
  const [first = ''] = headLines(text, 1, HEAD_LENGTH);
  return /^\s*\{/.test(first) && hasMark(first, namesIn(first), marks);
}

/** Further away is no span that says something of a call. */
const MAX_AROUND = 16;

/** Reads a file of a described format. */
class TraceReader {
  readonly #description: TraceDescription;
  readonly #text: TextParts;
  readonly #spans: TraceSpan[] = [];
  readonly #byId = lazy(() => new Map(this.#spans.map((span) => [span.id, span])));

  constructor(description: TraceDescription, text: TextParts) {
    this.#description = description;
    this.#text = text;
  }

  read(): ReturnType<typeof traceTape> {
    const { id: format, lists, isSpan, traceName } = this.#description;
    let name: string | undefined;
    const members = new Set(lists.flatMap((path) => path.match(/\w+/g) ?? []));
    const problems = visitRecords(this.#text, [...members], ({ place, value }) => {
      if (isSpan(value)) this.#spans.push(this.#span(place, value));
      else name ??= traceName?.(value);
    });
    return traceTape({ format, name, spans: this.#spans, problems });
  }

  #span(source: TraceSpan['source'], record: JsonRecord): TraceSpan {
    const span = this.#normalised(record);
    const { at, kinds, stepName, typeOf } = this.#description;
    const kind = kinds[typeOf?.(span) ?? stringAt(span, at.type) ?? ''] ?? 'step';
    return {
      source,
      id: stringAt(span, at.id ?? 'id') ?? '',
      parent: parentOf(span, at),
      name: stepName?.(span) ?? stringAt(span, at.name ?? 'name') ?? '',
      kind,
      start: timeAt(span, at.start),
      read: () => this.#readCall(kind, source),
    };
  }

  #readCall(kind: TraceSpan['kind'], place: TraceSpan['source']): ReturnType<TraceSpan['read']> {
    const { call, tool, failure, texts, ifMissing } = this.#description;
    return readCallSpan(kind, place, () => this.#normalised(recordAt(this.#text, place)), {
      call: (span) => ({
        ...call(span, () => this.#around(span)),
        error: failure(span),
        timing: this.#timing(span),
      }),
      tool: (span) => ({ ...tool(span), error: failure(span), timing: this.#timing(span) }),
      cutTexts: (span) => cutFields(span, texts, place),
      ifMissing,
    });
  }

  #normalised(span: JsonRecord): JsonRecord {
    return this.#description.normalised?.(span) ?? span;
  }

  #timing(span: JsonRecord): ModelCall['timing'] {
    const { start, end, duration, firstToken } = this.#description.at;
    const [from, to, first] = [start, end, firstToken].map((path) => timeAt(span, path));
    return spanTiming(from, to ?? endAfter(span, start, duration), first);
  }

  *#around(span: JsonRecord): Generator<JsonRecord> {
    let id = parentOf(span, this.#description.at);
    for (let step = 0; step < MAX_AROUND && id !== undefined; step += 1) {
      const around = this.#byId().get(id);
      if (around === undefined) return;
      yield recordAt(this.#text, around.source);
      id = around.parent;
    }
  }
}

function stringAt(record: JsonRecord, path: string | undefined): string | undefined {
  return path === undefined ? undefined : asString(valueAt(record, keysOf(path)));
}

function parentOf(span: JsonRecord, { parent }: SpanPlaces): string | undefined {
  const named = valueAt(span, keysOf(parent));
  return asString(Array.isArray(named) ? named[0] : named);
}

function timeAt(span: JsonRecord, path: string | undefined): number | undefined {
  return path === undefined ? undefined : timeOfValue(valueAt(span, keysOf(path)));
}

function endAfter(span: JsonRecord, start: string, duration: string | undefined): number | undefined {
  const [from, lasted] = [start, duration].map((path) =>
    path === undefined ? undefined : valueAt(span, keysOf(path)),
  );
  const [began, took] = [from, lasted].map((value) => (typeof value === 'bigint' ? Number(value) : value));
  return typeof began === 'number' && typeof took === 'number' ? timeOfNumber(began + took) : undefined;
}
