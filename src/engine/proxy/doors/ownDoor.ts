import { parseDocument } from '../../../core/schema/parseDocument';
import { list, shape, text } from '../../../core/schema/schema';
import { t } from '../../../core/text/l10n';
import type { ApiError } from '../../../core/wire/protocol';
import { UserError } from '../../errors/userError';
import { type EndedLane, LANE_OUTCOMES, type LaneOutcome } from '../session/laneSessions';

/**
 * A request for the proxy itself, in place of an API. `lane`: a test runner says how the test of a lane ended. `server`: what is in
 * `preload/` tells of an MCP server that the agent starts.
 */
export type OwnRequest =
  | { readonly own: 'lane'; readonly lane: string; readonly outcome: LaneOutcome | undefined }
  | { readonly own: 'server' };

/** The body of `server`. */
const STARTED_SERVER = shape({ command: list(text()) });

export interface OwnDoorOptions {
  /** Ends a lane that has a tape of its own. Rejects with a `UserError` where that cannot be written. */
  endLane?: ((lane: string, outcome: LaneOutcome) => Promise<EndedLane>) | undefined;
  /** Told of MCP servers that the agent starts, of which nothing comes here. */
  onServer?: ((command: readonly string[]) => void) | undefined;
}

/** The request for a path after the token: `/~LANE?outcome=passed`, where the lane may be percent-encoded, or `/@mcp-server`. */
export function ownRequest(path: string): OwnRequest | undefined {
  if (path === '/@mcp-server') return { own: 'server' };
  const [, encoded, query = ''] = /^\/~([^/?#]{1,1000})(?:\?([^#]*))?$/.exec(path) ?? [];
  if (encoded === undefined) return undefined;
  const given = new URLSearchParams(query).get('outcome');
  return { own: 'lane', lane: decoded(encoded), outcome: LANE_OUTCOMES.find((one) => one === given) };
}

function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** Carries out such a request. Resolves with what it is answered: a value as JSON, nothing, or why it is refused. */
export async function answerOwn(
  request: OwnRequest,
  { method, body }: { readonly method: string | undefined; readonly body: Buffer | undefined },
  options: OwnDoorOptions,
): Promise<EndedLane | ApiError | undefined> {
  if (request.own === 'lane') return method === 'DELETE' ? endLane(request, options) : refusedLane();
  options.onServer?.(parseDocument(STARTED_SERVER, body?.toString('utf8') ?? '')?.command ?? []);
  return undefined;
}

/** Where all lanes share a tape, there is nothing to end. */
async function endLane(
  { lane, outcome }: Extract<OwnRequest, { own: 'lane' }>,
  options: OwnDoorOptions,
): Promise<EndedLane | ApiError | undefined> {
  if (outcome === undefined) return refusedLane();
  try {
    return await options.endLane?.(lane, outcome);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { status: 409, code: 'tapedeck_not_saved', message: error.message };
  }
}

function refusedLane(): ApiError {
  const message = t('end a lane with DELETE and ?outcome={0}', LANE_OUTCOMES.join(', '));
  return { status: 400, code: 'tapedeck_lane', message };
}
