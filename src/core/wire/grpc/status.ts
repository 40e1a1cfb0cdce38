/** The statuses of gRPC, by their codes: https://grpc.github.io/grpc/core/md_doc_statuscodes.html */
const STATUSES = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
] as const;

export type GrpcStatus = (typeof STATUSES)[number];

export function grpcCode(status: GrpcStatus): number {
  return STATUSES.indexOf(status);
}

/** Such as `NOT_FOUND`, or the code itself. */
export function grpcStatus(code: number): string {
  return STATUSES[code] ?? `${code}`;
}

/** What a client takes a response of HTTP for that is none of gRPC: https://grpc.github.io/grpc/core/md_doc_http-grpc-status-mapping.html */
const OF_HTTP: Readonly<Record<number, GrpcStatus>> = {
  400: 'INTERNAL',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'UNIMPLEMENTED',
  429: 'UNAVAILABLE',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'UNAVAILABLE',
};

export function grpcStatusOfHttp(status: number): GrpcStatus {
  return OF_HTTP[status] ?? 'UNKNOWN';
}
