import { parseDocument } from '../../../core/schema/parseDocument';
import { list, shape, text } from '../../../core/schema/schema';
import { t } from '../../../core/text/l10n';
import type { ApiError } from '../../../core/wire/protocol';
import { UserError } from '../../errors/userError';
import { splitLane } from '../routes/route';
import type { LanePlan } from '../session/lanePlan';
import type { LaneResult } from '../session/laneResult';
import { LANE_OUTCOMES, type LaneOutcome } from '../session/laneSessions';
import type { ProxyMode } from '../session/sessionOptions';

/**
 * A request for the proxy itself, in place of an API. `lane`: a test runner begins the lane of a test, asks what it did, or ends it.
 * `server`: what is in `preload/` tells of an MCP server that the agent starts.
 */
export type ControlRequest =
  | { readonly own: 'lane'; readonly lane: string; readonly outcome: LaneOutcome | undefined }
  | { readonly own: 'server' };

/** The body of `server`. */
const STARTED_SERVER = shape({ command: list(text()) });

/** A lane that has begun: where its responses come from, and the environment variables that lead to it. */
export interface BegunLane {
  readonly mode: ProxyMode;
  readonly variables: Readonly<Record<string, string>>;
}

/** The lanes of a proxy where each has a tape of its own. */
interface LaneDoor {
  /** Rejects with a `UserError` where it cannot be as it is wanted. */
  begin(lane: string, plan: LanePlan): Promise<BegunLane>;
  result(lane: string): Promise<LaneResult>;
  /** Rejects with a `UserError` where its tape cannot be written. */
  end(lane: string, outcome: LaneOutcome): Promise<LaneResult>;
}

export interface ControlOptions {
  /** Absent where all lanes share a tape. */
  readonly laneDoor?: LaneDoor | undefined;
  /** Told of MCP servers that the agent starts, of which nothing comes here. */
  onServer?: ((command: readonly string[]) => void) | undefined;
}

/** The request for a path after the token: `/~LANE?outcome=passed`, where the lane may be percent-encoded, or `/@mcp-server`. */
export function controlRequest(path: string): ControlRequest | undefined {
  if (path === '/@mcp-server') return { own: 'server' };
  const { lane, rest } = splitLane(path);
  if (lane === undefined || !/^(?:\?[^#]*)?$/.test(rest)) return undefined;
  const given = new URLSearchParams(rest).get('outcome');
  return { own: 'lane', lane, outcome: LANE_OUTCOMES.find((one) => one === given) };
}

interface OwnMessage {
  readonly method: string | undefined;
  /** Absent if it is too large. */
  readonly body: Buffer | undefined;
}

/** Carries out such a request. Resolves with what it is answered: a value as JSON, nothing, or why it is refused. */
export async function answerControl(
  request: ControlRequest,
  message: OwnMessage,
  options: ControlOptions,
): Promise<BegunLane | LaneResult | ApiError | undefined> {
  const body = message.body?.toString('utf8') ?? '';
  if (request.own === 'server') {
    options.onServer?.(parseDocument(STARTED_SERVER, body)?.command ?? []);
    return undefined;
  }
  const { lane, outcome } = request;
  const { laneDoor } = options;
  try {
    switch (message.method) {
      case 'PUT':
        return laneDoor === undefined ? refused('tapedeck_lane', sharedTape()) : await begin(laneDoor, lane, body);
      case 'GET':
        return await laneDoor?.result(lane);
      case 'DELETE':
        return outcome === undefined ? refused('tapedeck_lane', howToEnd()) : await laneDoor?.end(lane, outcome);
      default:
        return refused('tapedeck_lane', howToEnd());
    }
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { status: 409, code: 'tapedeck_not_saved', message: error.message };
  }
}

async function begin(laneDoor: LaneDoor, lane: string, body: string): Promise<BegunLane> {
  const { parseLanePlan } = await import('../session/lanePlan');
  return laneDoor.begin(lane, parseLanePlan(body));
}

function howToEnd(): string {
  return t('end a lane with DELETE and ?outcome={0}', LANE_OUTCOMES.join(', '));
}

function sharedTape(): string {
  return t(
    'all lanes share one tape here: a lane has a tape of its own where {0} is in the name of the tape',
    '{lane}',
  );
}

function refused(code: string, message: string): ApiError {
  return { status: 400, code, message };
}
