import type { JsonRecord } from '../json/json';
import type { Usage } from '../tapes/tape';
import { isBlank, recordOf } from './fields';
import { usageOf } from './usage';

/** What the model saw, or else what is paid for. */
export function cohereUsage(usage: JsonRecord): Usage | undefined {
  const tokens = recordOf(isBlank(usage.tokens) ? usage.billed_units : usage.tokens);
  return usageOf({ prompt: tokens.input_tokens, completion: tokens.output_tokens, cached: usage.cached_tokens });
}
