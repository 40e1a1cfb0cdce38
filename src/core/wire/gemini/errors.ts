import type { ApiError, WrittenError } from '../protocol';

/** Writes an error in the form of all of Google's APIs. */
export function writeGoogleError({ status, code, message }: ApiError): WrittenError {
  return { body: { error: { code: status, message, status: 'FAILED_PRECONDITION', details: [{ reason: code }] } } };
}
