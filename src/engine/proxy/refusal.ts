import type { ServerResponse } from 'node:http';
import type { ErrorShape } from './apis';

/** What the agent is told in place of an answer. */
export interface RefusalContent {
  readonly status: number;
  /** A word that programs can look for, such as `tapedeck_no_recording`. */
  readonly code: string;
  readonly message: string;
}

/** Sends an error as the API words its own, so that the SDK raises it with the message, and does not try again. */
export function sendRefusal(response: ServerResponse, shape: ErrorShape, refusal: RefusalContent): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const body = Buffer.from(JSON.stringify(bodyOf(shape, refusal)));
  response.writeHead(refusal.status, {
    'content-type': 'application/json',
    'content-length': body.length,
    // OpenAI's and Anthropic's SDKs ask this before they look at the status.
    'x-should-retry': 'false',
    'x-tapedeck-error': refusal.code,
  });
  response.end(body);
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
  }
}
