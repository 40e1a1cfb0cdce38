import type { ServerResponse } from 'node:http';
import type { ApiError } from '../../../core/wire/protocol';
import type { ModelApi } from '../routes/apis';
import type { ServedResponse } from '../tape/servedResponse';

/** Sends an error in the shape of the API's own. */
export function sendRefusal(response: ServerResponse, errors: ModelApi['errors'], error: ApiError): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, headers, body } = refusal(errors, error);
  response.writeHead(status, headers as string[]);
  response.end(body);
}

/** An error in the shape of the API's own, so that the SDK raises it with the message and does not retry. */
export function refusal(errors: ModelApi['errors'], error: ApiError): ServedResponse {
  const written = errors.writeError(error);
  const body = Buffer.from(JSON.stringify(written.body));
  const headers = {
    'content-type': 'application/json',
    'content-length': String(body.length),
    // OpenAI's and Anthropic's SDKs check this before the status.
    'x-should-retry': 'false',
    'x-tapedeck-error': error.code,
    ...written.headers,
  };
  return { status: error.status, headers: Object.entries(headers).flat(), body };
}
