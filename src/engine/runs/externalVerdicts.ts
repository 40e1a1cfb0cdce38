import type { InteractionVerdict } from '../../core/model/artifact';
import { isExpired } from '../../core/verify/staleRecordings';
import type { OpenProxy } from '../proxy/openProxy';
import { readTapeOnDisk } from '../proxy/tapeOnDisk';

/**
 * What came of each request of the user's own agent in a replay, and of what was recorded beside. The tape is read only
 * where recordings can expire.
 */
export async function externalVerdicts(
  { tally, unused }: Pick<OpenProxy, 'tally' | 'unused'>,
  tapePath: string,
  maxAgeDays: number | undefined,
): Promise<readonly InteractionVerdict[]> {
  const expired = maxAgeDays === undefined ? new Set<number>() : await expiredOn(tapePath, maxAgeDays);
  const asked = requestVerdicts(tally).map((one): InteractionVerdict => {
    return one.index !== undefined && expired.has(one.index) ? { ...one, verdict: 'expired' } : one;
  });
  return [...asked, ...unused().map((index): InteractionVerdict => ({ verdict: 'unused', index }))];
}

/** What came of each request, in any mode. */
export function requestVerdicts({ reports }: OpenProxy['tally']): readonly InteractionVerdict[] {
  return reports.map(({ missed: _, ...verdict }) => verdict);
}

async function expiredOn(tapePath: string, maxAgeDays: number): Promise<ReadonlySet<number>> {
  const { tape } = await readTapeOnDisk(tapePath);
  const now = new Date();
  return new Set(tape.interactions.filter((one) => isExpired(one, maxAgeDays, now)).map(({ index }) => index));
}
