import type { ReviewSubject } from '../../contracts/engine/review';
import type { PrintedInteraction } from '../../core/export/interactionJson';
import type { Change, ChangeSubject } from '../../core/model/change';
import type { FailureKind, RunResult } from '../../core/model/run';
import type { FormatId } from '../../core/model/tape';
import type { Trial, TrialSummary } from '../../core/model/trial';
import type { Shard } from '../../core/project/shard';
import type { Position, Problem, Span } from '../../core/text/source';
import type { TapeTotals } from '../../core/transcript/metrics';

// What commands print with `--json`, as `jsonDocument` says. The npm package has these types.

/** `tapedeck run --json`. */
export interface RunDocument {
  readonly ok: boolean;
  /** With --shard. */
  readonly shard?: Shard;
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

/** `tapedeck formats --json`. */
export interface FormatsDocument {
  readonly ok: boolean;
  readonly formats: readonly {
    readonly id: string;
    readonly label: string;
    readonly extensions: readonly string[];
    readonly convert: boolean;
    readonly record: boolean;
    readonly note?: string;
  }[];
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
  /** With --shard. */
  readonly shard?: Shard;
  readonly matches: boolean;
  readonly files: readonly {
    readonly path: string;
    /** The earlier path of a file that was renamed. */
    readonly renamedFrom?: string;
    readonly kind: ReviewSubject['kind'];
    /** The last run and the baseline that are decided with a tape. */
    readonly results?: readonly ReviewSubject[];
    readonly changes: readonly (Pick<Change, 'id' | 'title' | 'kind' | 'subject' | 'weight' | 'usage'> & {
      /** The result that has it, where the tape has not. */
      readonly of?: ReviewSubject;
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

export interface PrintedChange extends Omit<Change, 'language' | 'place' | 'repeats'> {
  readonly place: PrintedPlace;
  /** Where the same edit is found again. */
  readonly repeats: readonly PrintedPlace[];
}

interface PrintedPlace extends Omit<Change['place'], 'path'> {
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

/** `tapedeck convert --json`. */
export interface ConvertDocument {
  readonly ok: boolean;
  readonly path: string;
  /** `case` with `--to case`. */
  readonly format: FormatId | 'case';
  /** Of the input, and of those how many the output has a place for. */
  readonly interactions: number;
  readonly kept: number;
  readonly losses: readonly {
    /** By its path in an interaction, such as `response.usage.cachedTokens`. */
    readonly field: string;
    readonly lost: number;
    /** The output has another value in its place. */
    readonly changed: number;
  }[];
  readonly secrets: number;
  /** Of a case: what the trace lacks. */
  readonly lacks?: readonly string[];
}

/** `tapedeck accept --json`, `tapedeck reject --json`. */
export interface DecisionDocument {
  readonly ok: boolean;
  readonly files: readonly {
    readonly path: string;
    readonly outcome: 'accepted' | 'rejected' | 'restored' | 'staged' | 'unchanged' | 'pending';
    readonly changes: readonly Pick<Change, 'id' | 'title'>[];
  }[];
}

/** `tapedeck review --html OUT --json`. */
export interface ReviewDocument {
  readonly ok: boolean;
  readonly path: string;
  readonly files: number;
  readonly changes: number;
  readonly pending: number;
  /** Changes whose texts the page has no room for. */
  readonly leftOut: number;
  readonly bytes: number;
}

/** `tapedeck fork --json`. */
export interface ForkDocument {
  readonly ok: boolean;
  readonly case: string;
  readonly tape: string;
  readonly fork: string;
  /** How many interactions it shares with the tape, and has. */
  readonly shared: number;
  readonly interactions: number;
  readonly outputText?: string;
  /** Assertions that do not hold in the fork, which is recorded nevertheless. */
  readonly failures: readonly { readonly kind: FailureKind; readonly message: string }[];
  /** What a replay of the fork takes to match, as a sentence. */
  readonly replays?: string;
}

/** `tapedeck fork --print --json`. */
export interface ForkEditDocument {
  readonly ok: boolean;
  /** TOML of what can be different. */
  readonly edit: string;
}

/** `tapedeck takes --json`. */
export interface TakesDocument {
  readonly ok: boolean;
  readonly tape: string;
  readonly takes: readonly {
    readonly take: string;
    readonly path: string;
    /** In milliseconds since 1970. */
    readonly time: number;
    /** In bytes. */
    readonly size: number;
    readonly models: readonly string[];
    /** The tape has this content. */
    readonly current: boolean;
  }[];
  readonly restored?: string;
  /** The take that the replaced tape is kept as. */
  readonly replaced?: string;
}

/** `tapedeck recover --json`. */
export interface RecoverDocument {
  readonly ok: boolean;
  readonly recordings: readonly {
    readonly tape: string;
    readonly since: string;
    readonly interactions: number;
    /** It was not saved because its run failed; otherwise it was interrupted. */
    readonly failed?: true;
    /** How many interactions the tape has now. */
    readonly saved?: number;
  }[];
}

/** `tapedeck trial --json`. */
export interface TrialDocument extends Trial {
  readonly ok: boolean;
  /** With --shard. */
  readonly shard?: Shard;
  /** By model, over all cases. */
  readonly totals: readonly (TrialSummary & { readonly model: string; readonly totalDollars?: number })[];
}

/** `tapedeck trial --adopt MODEL --json`. */
export interface AdoptionDocument {
  readonly ok: boolean;
  readonly adopted: readonly {
    readonly casePath: string;
    readonly tapePath: string;
    /** From 1. */
    readonly samples: readonly number[];
    /** The `model` of the case was changed, so that it fits its tape. */
    readonly wroteModel?: true;
  }[];
  readonly refused: readonly { readonly casePath: string; readonly reason: string }[];
}

/** `tapedeck stability --json`. */
export interface StabilityDocument {
  readonly ok: boolean;
  readonly name: string;
  readonly case: string;
  /** The recordings that were compared. */
  readonly takes: readonly string[];
  readonly failed: readonly {
    readonly take: number;
    readonly kind: FailureKind;
    readonly message: string;
    readonly fix?: string;
  }[];
  /** This and what follows is absent where fewer than two takes finished. */
  readonly stable?: boolean;
  readonly varying?: readonly PrintedVariation[];
  /** How many variations each rule ignored. */
  readonly hidden?: Readonly<Record<string, number>>;
  readonly assertions?: readonly { readonly kind: string; readonly expected: unknown; readonly held: number }[];
  readonly suggestion?: {
    readonly rules: readonly PrintedRule[];
    /** For the case alone. */
    readonly snippets: readonly PrintedSnippet[];
    /** The rules for the whole project instead, and how many cases that is. */
    readonly everywhere?: { readonly snippet: PrintedSnippet; readonly cases: number };
    /** The titles of what would still vary. */
    readonly left: readonly string[];
  };
}

interface PrintedSnippet {
  readonly file: 'project' | 'case';
  readonly how: 'add' | 'replace' | 'below';
  readonly table: string;
  readonly toml: string;
}

export interface PrintedVariation {
  readonly title: string;
  readonly subject: ChangeSubject;
  readonly places: readonly {
    readonly in: 'tape' | 'run';
    readonly interaction?: number;
    readonly path: string;
  }[];
  /** How many takes differ from the most frequent value, of how many. */
  readonly differing: number;
  readonly of: number;
  readonly values: readonly { readonly text?: string; readonly takes: readonly number[] }[];
  readonly structural: boolean;
}

export type PrintedRule =
  | { readonly type: 'preset'; readonly name: string }
  | { readonly type: 'pattern'; readonly name: string; readonly pattern: string }
  | { readonly type: 'usage_tolerance'; readonly part: number }
  | { readonly type: 'ignore'; readonly path: string };

/** `tapedeck flakestorm ci --json`. */
export interface FlakestormDocument {
  readonly ok: boolean;
  readonly scores: Readonly<Record<string, number>>;
  readonly overall: number;
  readonly passed: boolean;
  readonly reasons: readonly string[];
}

/** `tapedeck flakestorm export --json`, `tapedeck flakestorm import --json`. */
export interface SessionsDocument {
  readonly ok: boolean;
  readonly sessions: readonly string[];
}
