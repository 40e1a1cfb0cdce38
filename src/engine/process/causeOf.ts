/** What `fetch` failed of: it wraps the reason. */
export function causeOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  return cause instanceof Error ? cause.message : String(error);
}
