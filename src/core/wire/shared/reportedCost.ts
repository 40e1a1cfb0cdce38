import { asRecord } from '../../json/fields';
import type { Json, JsonRecord } from '../../json/json';

/** xAI counts in these: docs.x.ai, `cost_in_usd_ticks`. */
const TICKS_OF_A_DOLLAR = 1e10;

/**
 * What gateways and some providers say beside the token counts that a request cost, in US dollars; undefined if they do not.
 * `cost` is OpenRouter's and Vercel's, with members Perplexity's; `estimated_cost` is DeepInfra's.
 */
export function reportedCost(usage: JsonRecord): number | undefined {
  const { cost, estimated_cost: estimated, cost_in_usd_ticks: ticks } = usage;
  const stated = dollars(cost) ?? dollars(asRecord(cost).total_cost) ?? dollars(estimated);
  if (stated !== undefined) return stated + broughtOwnKey(usage);
  const counted = dollars(ticks);
  return counted === undefined ? undefined : counted / TICKS_OF_A_DOLLAR;
}

/** With a key of one's own, OpenRouter's `cost` is its fee, and the provider bills the rest. */
function broughtOwnKey({ is_byok: isOwnKey, cost_details: details }: JsonRecord): number {
  return isOwnKey === true ? (dollars(asRecord(details).upstream_inference_cost) ?? 0) : 0;
}

/** Some write the amount as a text. */
function dollars(value: Json | undefined): number | undefined {
  const amount = typeof value === 'string' && /^\d+(?:\.\d+)?(?:e-?\d+)?$/i.test(value) ? Number(value) : value;
  return typeof amount === 'number' && Number.isFinite(amount) && amount >= 0 ? amount : undefined;
}
