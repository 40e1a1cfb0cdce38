import type { IncomingHttpHeaders } from 'node:http';
import { GRPC_TYPE } from '../../core/wire/realtime/talk';

/** Whether a request or a response is of gRPC. */
export function isGrpc({ headers }: { readonly headers: IncomingHttpHeaders }): boolean {
  return GRPC_TYPE.test(headers['content-type'] ?? '');
}

/** A message of a status, as its trailer has it. */
export function grpcMessage(message: string): string {
  // Half a character cannot be encoded.
  return encodeURIComponent(Buffer.from(message).toString()).replace(/%(?:20|2C|3A|2F|22|27|28|29)/g, (escaped) =>
    decodeURIComponent(escaped),
  );
}
