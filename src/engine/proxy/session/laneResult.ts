import { type InteractionReport, isMiss, type ProxyVerdict, type Tally } from './report';
import type { ProxySession } from './session';
import type { ProxyMode } from './sessionOptions';

/** A request that did not get what it asked for. */
interface LaneFailure {
  /** From 1, in the order of arrival. */
  readonly request: number;
  readonly path: string;
  readonly verdict: ProxyVerdict;
  /** What differs, or went wrong, in full. */
  readonly explanation: string;
  /** What differs, in one line; only of the first request without a recording. */
  readonly line?: string;
  /** The most similar recording, from 1. */
  readonly nearest?: number;
  /** Masks with which it would have matched. */
  readonly mask?: readonly string[];
}

/** What a test runner is told of a lane. */
export interface LaneResult {
  /** Absent before its first request. */
  readonly mode?: ProxyMode;
  readonly requests: number;
  readonly recorded: number;
  /** How many requests have which verdict. */
  readonly verdicts: Readonly<Partial<Record<ProxyVerdict, number>>>;
  readonly failures: readonly LaneFailure[];
  /** The numbers, from 1, of recordings that were not used. */
  readonly unused: readonly number[];
}

interface Played {
  readonly mode: ProxyMode;
  readonly session: ProxySession;
  readonly tape: { unused(): Promise<readonly number[]> } | undefined;
}

/** `played`: absent where its tape was not opened. */
export async function laneResult(tally: Tally | undefined, played: Played | undefined): Promise<LaneResult> {
  const unused = played?.mode === 'replay' ? ((await played.tape?.unused()) ?? []) : [];
  return {
    ...(played && { mode: played.mode }),
    requests: played?.session.requests ?? tally?.reports.length ?? 0,
    recorded: played?.session.recorded.length ?? 0,
    verdicts: tally?.counts ?? {},
    failures: (tally?.reports ?? []).filter(isFailure).map(failureOf),
    unused: unused.map((index) => index + 1),
  };
}

function isFailure(report: InteractionReport): boolean {
  return isMiss(report) || report.verdict === 'unreachable';
}

function failureOf({ number, path, verdict, explanation = '', missed }: InteractionReport): LaneFailure {
  const { line, nearest, masks = [] } = missed ?? {};
  return {
    request: number + 1,
    path,
    verdict,
    explanation,
    line,
    ...(nearest !== undefined && { nearest: nearest + 1 }),
    ...(masks.length > 0 && { mask: masks }),
  };
}
