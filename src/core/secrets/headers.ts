/** Headers that identify a caller or an account, or that only one connection means anything to: kept on no tape. */
const SECRET =
  /(?:^|[-_])(?:key|apikey|token|secret|cookies?|password|credentials?|authorization|authenticate|organi[sz]ation|org|project|account|tenant|subscription|signature|session|user)(?:[-_]id)?$/i;
const OF_THE_CONNECTION =
  /^(?:connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|host|accept-encoding|alt-svc|x-forwarded-.*|forwarded|via|x-real-ip|cf-.*|nel|report-to|strict-transport-security|server-timing|x-tapedeck-.*|x-test-id)$/i;
const SERVER_SIDE_SESSION = /^mcp-session-id$/i;

/** Must a header stay out of a tape? */
export function isDroppedHeader(name: string): boolean {
  return OF_THE_CONNECTION.test(name) || (SECRET.test(name) && !SERVER_SIDE_SESSION.test(name));
}

/** What a request says about its content and its protocol; programs and machines describe themselves in the others. */
const OF_A_REQUEST = /^(?:content-type|accept|anthropic-version|anthropic-beta|openai-beta|x-goog-api-version)$/i;

/** May a header of a request be on a tape? */
export function isKeptRequestHeader(name: string): boolean {
  return OF_A_REQUEST.test(name);
}
