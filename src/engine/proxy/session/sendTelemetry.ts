import type { HttpHeader } from '../../../core/model/http';
import { sentTo } from '../routes/route';
import { type Call, foreignKeyIn } from './call';
import type { SessionOptions } from './sessionOptions';

/** Sends telemetry to where its client sent it, and keeps nothing of it. Resolves with false where nobody could be reached. */
export async function sendTelemetry(
  { request, response, route, body }: Omit<Call, 'number'>,
  options: Pick<SessionOptions, 'forwarder' | 'requireOwnKeys'>,
): Promise<boolean> {
  if (route.target === undefined) return false;
  const target = sentTo(route.target, route);
  if ((route.ofHost ?? route.upstream).isOfProject && (await foreignKeyIn(request, target, options)) !== undefined)
    return false;
  const forwarder = await options.forwarder();
  const captured = await forwarder.forward({ request, body, target, response }, UNCHANGED);
  return !('unreachable' in captured);
}

const UNCHANGED = { headers: (list: readonly HttpHeader[]) => list, body: () => undefined };
