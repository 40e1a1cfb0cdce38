import type { PrintedInteraction } from '../../core/export/interactionJson';
import type { Change } from '../../core/model/change';
import type { RunResult } from '../../core/model/run';
import type { FormatId } from '../../core/model/tape';
import type { Position, Problem, Span } from '../../core/text/source';
import type { TapeTotals } from '../../core/transcript/metrics';

// What commands print with `--json`, as `jsonDocument` says. The npm package has these types.

/** `tapedeck run --json`. */
export interface RunDocument {
  readonly ok: boolean;
  readonly summary: RunTotals & { readonly durationMs: number };
  readonly results: readonly RunResult[];
}

export interface RunTotals {
  readonly total: number;
  readonly passed: number;
  readonly failed: number;
  readonly cancelled: number;
}

/** `tapedeck verify --json`. */
export interface VerifyDocument {
  readonly ok: boolean;
  readonly tapes: readonly {
    readonly path: string;
    /** Null where the file is too broken to recognise. */
    readonly format: FormatId | null;
    readonly interactions: number;
    readonly problems: readonly (Position & {
      readonly severity: Problem['severity'];
      readonly rule: string;
      readonly message: string;
      readonly fix: string | null;
      readonly span: Span;
    })[];
  }[];
  readonly totals: {
    readonly tapes: number;
    readonly errors: number;
    readonly warnings: number;
    readonly infos: number;
  };
}

/** `tapedeck search --json`. */
export interface SearchDocument {
  readonly ok: boolean;
  readonly searched: number;
  /** The search stopped at this many interactions; null if everything is listed. */
  readonly limit: number | null;
  readonly tapes: readonly {
    readonly path: string;
    readonly format: string;
    readonly hasMore: boolean;
    readonly interactions: readonly {
      readonly index: number;
      readonly kind: string;
      readonly model: string | null;
      readonly tools: readonly string[];
      readonly status: number | null;
      readonly failed: boolean;
      /** In US dollars. */
      readonly cost: number | null;
      readonly recordedAt: string | null;
      readonly excerpt: string | null;
    }[];
  }[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

/** `tapedeck check --json`. */
export interface CheckDocument {
  readonly ok: boolean;
  readonly matches: boolean;
  readonly files: readonly {
    readonly path: string;
    readonly kind: 'tape' | 'baseline' | 'run';
    readonly changes: readonly (Pick<Change, 'id' | 'title' | 'kind' | 'subject' | 'weight' | 'usage'> & {
      readonly decision: 'open' | 'accepted' | 'rejected';
    })[];
    /** How many differences the rules ignore. */
    readonly hidden: number;
  }[];
}

/** `tapedeck diff --json`. */
export interface DiffDocument {
  readonly ok: boolean;
  readonly kind: 'tapes' | 'artifacts';
  readonly matches: boolean;
  readonly changes: readonly PrintedChange[];
  /** Differences that the rules ignore. */
  readonly hidden: readonly PrintedChange[];
  readonly notices: readonly string[];
}

export interface PrintedChange extends Omit<Change, 'language' | 'partIds' | 'place' | 'repeats'> {
  readonly place: PrintedPlace;
  /** Where the same edit is found again. */
  readonly repeats: readonly PrintedPlace[];
}

export interface PrintedPlace extends Omit<Change['place'], 'path'> {
  /** Such as `messages[2].content`. */
  readonly path: string;
}

/** `tapedeck inspect --json`. Null is what the format does not store. */
export interface InspectDocument {
  readonly ok: boolean;
  readonly format: FormatId;
  readonly name: string | null;
  readonly interactions: readonly PrintedInteraction[];
  readonly totals: TapeTotals & {
    /** The date of the list prices behind the cost. */
    readonly pricesDate?: string;
  };
  readonly problems: readonly (Problem & Position)[];
}

/** `tapedeck --self-check --json`. */
export interface SelfCheckDocument {
  readonly ok: boolean;
  readonly version: string;
  readonly node: string;
  readonly platform: string;
  readonly checks: readonly {
    readonly name: string;
    /** `absent` is needed only for some things, `broken` has to be fixed. */
    readonly state: 'ok' | 'absent' | 'broken';
    readonly says: string;
    readonly fix?: string;
  }[];
}
