import { t } from '../../core/text/l10n';
import { says, type Words } from '../../core/text/notice';
import { ProviderError } from '../errors/runErrors';
import { pause } from '../process/pause';

const ATTEMPTS = 3;
const FIRST_DELAY_MS = 250;
/** A longer `Retry-After` is not waited for, so that the run does not seem to hang. */
const LONGEST_DELAY_MS = 20_000;

/** A failure that another attempt may not have. */
export class TransientError extends ProviderError {
  /** How long the provider asked to wait. */
  readonly retryAfterMs: number;

  constructor(kind: 'provider' | 'unreachable', message: Words, fix: Words, retryAfterMs = 0) {
    super(kind, message, fix);
    this.retryAfterMs = retryAfterMs;
  }
}

interface RetryOptions {
  readonly signal: AbortSignal;
  /** Called before each wait with one line for the user. */
  onRetry?(notice: Words): void;
}

/** Tries up to three times, as long as the failures are transient. */
export async function withRetries<T>(attempt: () => Promise<T>, { signal, onRetry }: RetryOptions): Promise<T> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof TransientError)) throw error;
      if (count === ATTEMPTS)
        throw new ProviderError(
          error.kind,
          () => t('{0} ({1} attempts)', says(error.said.message), ATTEMPTS),
          () => says(error.said.fix),
        );
      const delay = delayBefore(count, error.retryAfterMs);
      onRetry?.(() =>
        t('{0}; attempt {1} of {2} in {3} s', says(error.said.message), count + 1, ATTEMPTS, (delay / 1000).toFixed(1)),
      );
      await pause(delay, signal);
    }
  }
}

/** Exponential, with up to a half of jitter, so that cases that failed together are not retried together. */
function delayBefore(retry: number, retryAfterMs: number): number {
  const backOff = FIRST_DELAY_MS * 2 ** (retry - 1) * (1 + Math.random() / 2);
  return Math.min(Math.max(backOff, retryAfterMs), LONGEST_DELAY_MS);
}

/** The milliseconds of a `Retry-After` header: seconds or a date. */
export function readRetryAfter(header: string | undefined, now = Date.now()): number {
  if (header === undefined || header.trim() === '') return 0;
  const seconds = Number(header);
  const ms = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1000;
  return Number.isFinite(ms) && ms > 0 ? ms : 0;
}
