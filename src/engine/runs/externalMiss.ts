import { comparableFromExchange } from '../../core/match/comparableRequest';
import { retakeCost } from '../../core/prices/cost';
import { ProviderError } from '../providers/chatProvider';
import { requestTexts } from '../providers/requestTexts';
import type { InteractionReport } from '../proxy/report';
import { readTapeOnDisk } from '../proxy/tapeOnDisk';

/** A request of the user's own agent that the tape has no answer to, with what can be done about it. */
export async function missError(report: InteractionReport, tapePath: string): Promise<ProviderError> {
  const { number, verdict, explanation = '', missed } = report;
  const [headline = '', ...details] = explanation.split('\n');
  const { interactions } = (await readTapeOnDisk(tapePath)).tape;
  const nearest = missed?.nearest === undefined ? undefined : interactions[missed.nearest];
  const miss = {
    tapePath,
    at: number,
    recorded: interactions.length,
    ...(nearest && { nearest: nearest.index }),
    retake: retakeCost(interactions, number),
    masks: missed?.masks ?? [],
  };
  const requests =
    nearest?.http && missed ? requestTexts(comparableFromExchange(nearest.http).body, missed.asked) : undefined;
  const message = `request ${number + 1} ${verdict}: ${headline}`;
  return new ProviderError('replay', message, details.join('\n'), miss, requests);
}
