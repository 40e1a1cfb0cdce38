/** Which hosts an agent's requests are recorded of: `[proxy] record` and `ignore`. */
export interface HostChoice {
  /** Absent if all of them are. */
  readonly record?: readonly string[];
  readonly ignore: readonly string[];
}

/** Whether requests to a host are recorded. A pattern is a host, or `*.` and a domain with all hosts below it. */
export function isRecordedHost(host: string, { record, ignore }: HostChoice): boolean {
  const fits = (pattern: string): boolean => matches(pattern.toLowerCase(), host.toLowerCase());
  return !ignore.some(fits) && (record === undefined || record.some(fits));
}

function matches(pattern: string, host: string): boolean {
  if (pattern === '*') return true;
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}
