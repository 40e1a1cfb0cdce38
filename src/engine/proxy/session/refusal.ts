import type { ServerResponse } from 'node:http';
import type { ErrorShape } from '../routes/apis';
import type { ServedResponse } from '../tape/servedResponse';

/** The error that an agent gets in place of a response. */
export interface RefusalContent {
  readonly status: number;
  /** For programs, such as `tapedeck_no_recording`. */
  readonly code: string;
  readonly message: string;
}

/** Sends an error in the shape of the API's own. */
export function sendRefusal(response: ServerResponse, shape: ErrorShape, content: RefusalContent): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const { status, headers, body } = refusal(shape, content);
  response.writeHead(status, headers as string[]);
  response.end(body);
}

/** An error in the shape of the API's own, so that the SDK raises it with the message and does not retry. */
export function refusal(shape: ErrorShape, content: RefusalContent): ServedResponse {
  const body = Buffer.from(JSON.stringify(bodyOf(shape, content)));
  const headers = {
    'content-type': 'application/json',
    'content-length': String(body.length),
    // OpenAI's and Anthropic's SDKs check this before the status.
    'x-should-retry': 'false',
    'x-tapedeck-error': content.code,
    // The name of the exception that Bedrock's SDKs raise.
    ...(shape === 'bedrock' && { 'x-amzn-errortype': 'ValidationException' }),
  };
  return { status: content.status, headers: Object.entries(headers).flat(), body };
}

function bodyOf(shape: ErrorShape, { status, code, message }: RefusalContent): unknown {
  switch (shape) {
    case 'openai':
      return { error: { message, type: 'invalid_request_error', param: null, code } };
    case 'anthropic':
      return { type: 'error', error: { type: 'invalid_request_error', message }, request_id: code };
    case 'gemini':
      return { error: { code: status, message, status: 'FAILED_PRECONDITION', details: [{ reason: code }] } };
    case 'ollama':
      return { error: message };
    case 'cohere':
    case 'bedrock':
      return { message };
  }
}
