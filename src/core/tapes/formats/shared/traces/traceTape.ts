import { omitUndefined } from '../../../../json/fields';
import type { RunStep } from '../../../../model/interaction';
import type { FormatId } from '../../../../model/tape';
import type { Problem, Span } from '../../../../text/source';
import { type InteractionReading, interactionProblems, LazyInteraction, LazyTape } from '../../../lazyTape';

/** A span of a trace: what was done, when, and within what. */
export interface TraceSpan {
  readonly source: Span;
  readonly id: string;
  readonly parent: string | undefined;
  readonly name: string;
  /** `step`: an agent, a chain, or whatever else the others are within. */
  readonly kind: 'llm' | 'embedding' | 'tool' | 'step';
  /** In milliseconds since 1970. */
  readonly start: number | undefined;
  /** Reads the call on demand. */
  read(): InteractionReading;
}

interface TraceReading {
  readonly format: FormatId;
  readonly name: string | undefined;
  readonly version?: string | undefined;
  readonly spans: readonly TraceSpan[];
  readonly problems: readonly Problem[];
}

/** The calls of models and tools of a trace as a tape, by the time of their start. */
export function traceTape({ format, name, version, spans, problems }: TraceReading): LazyTape {
  const tree = new TraceTree(spans);
  const interactions = tree.calls().map((span, index) => {
    const within = tree.stepsAround(span);
    return new LazyInteraction(index, span.source, () => {
      const { content, ...reading } = span.read();
      const id = content.id ?? span.id;
      return { ...reading, content: within.length === 0 ? { ...content, id } : { ...content, id, within } };
    });
  });
  const records = spans.length;
  const known = { format, name: name ?? tree.rootName(), version, interactions, records, weight: records * SPAN_BYTES };
  return new LazyTape(omitUndefined(known), () => [...problems, ...interactionProblems(interactions)]);
}

/** The memory of a span: its place, its ids, and its names. */
const SPAN_BYTES = 1000;

/** The most enclosing spans of a call that are named. */
const MAX_NAMES = 16;

class TraceTree {
  readonly #spans: readonly TraceSpan[];
  readonly #byId: ReadonlyMap<string, TraceSpan>;

  constructor(spans: readonly TraceSpan[]) {
    this.#spans = spans;
    this.#byId = new Map(spans.map((span) => [span.id, span]));
  }

  /** A call that several instrumentations traced has nested spans; the innermost one has what was sent. */
  calls(): TraceSpan[] {
    const outer = this.#aroundCalls();
    return this.#spans
      .filter((span) => span.kind !== 'step' && !outer.has(span))
      .sort((left, right) => timeOf(left) - timeOf(right) || left.source.start - right.source.start);
  }

  /** The model spans that enclose other model spans without a tool between them. */
  #aroundCalls(): ReadonlySet<TraceSpan> {
    const outer = new Set<TraceSpan>();
    const visited = new Set<TraceSpan>();
    for (const span of this.#spans) {
      if (span.kind !== 'llm' && span.kind !== 'embedding') continue;
      let around = this.#parentOf(span);
      while (around !== undefined && around.kind !== 'tool' && !visited.has(around)) {
        visited.add(around);
        if (around.kind === span.kind && around !== span) outer.add(around);
        around = this.#parentOf(around);
      }
    }
    return outer;
  }

  /** From the outermost to the one that it is in. */
  stepsAround(span: TraceSpan): RunStep[] {
    const steps: RunStep[] = [];
    const visited = new Set([span]);
    for (let around = this.#parentOf(span); around !== undefined; around = this.#parentOf(around)) {
      if (visited.size > MAX_NAMES || visited.has(around)) break;
      visited.add(around);
      if (around.name !== '') steps.push({ id: around.id, name: around.name });
    }
    return steps.reverse();
  }

  rootName(): string | undefined {
    return this.#spans.find((span) => this.#parentOf(span) === undefined && span.kind === 'step')?.name || undefined;
  }

  #parentOf({ parent }: TraceSpan): TraceSpan | undefined {
    return parent === undefined ? undefined : this.#byId.get(parent);
  }
}

/** Spans without a time come last. */
function timeOf({ start }: TraceSpan): number {
  return start ?? Number.MAX_VALUE;
}
