import type { Json } from '../json/json';
import type { Timing } from '../tapes/tape';
import { present, recordOf } from './fields';

const NANOSECONDS = 1e6;

/** How long an answer took, where it says so itself: Bedrock's metrics, Ollama's durations. */
export function reportedTiming(answer: Json | undefined): Timing | undefined {
  const { metrics, total_duration: total, 'amazon-bedrock-invocationMetrics': invocation } = recordOf(answer);
  const durationMs =
    milliseconds(recordOf(metrics).latencyMs) ??
    milliseconds(recordOf(invocation).invocationLatency) ??
    milliseconds(total, NANOSECONDS);
  const firstTokenMs = milliseconds(recordOf(invocation).firstByteLatency);
  return durationMs === undefined ? undefined : present({ durationMs, firstTokenMs });
}

function milliseconds(value: Json | undefined, unit = 1): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value / unit : undefined;
}
