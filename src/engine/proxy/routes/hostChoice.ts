import { isSharedHost } from '../../../core/wire/telemetry';

/** Which hosts an agent's requests are recorded of: `[proxy] record` and `ignore`. */
interface HostChoice {
  /** Absent if all of them are. */
  readonly record?: readonly string[];
  readonly ignore: readonly string[];
}

/** Whether requests to a host are recorded. A pattern is a host, or `*.` and a domain with all hosts below it. */
export function isRecordedHost(host: string, { record, ignore }: HostChoice): boolean {
  const fits = (pattern: string): boolean => matches(pattern.toLowerCase(), host.toLowerCase());
  const hosts = record?.filter((pattern) => !pattern.includes('/'));
  // Patterns with a path only say which telemetry is recorded.
  const isAny = hosts === undefined || (hosts.length === 0 && record !== undefined && record.length > 0);
  return !ignore.some(fits) && (isAny || hosts.some(fits));
}

/**
 * Whether the project asks for telemetry to be recorded: by its host, or by its host and the beginning of its path, as it has to where
 * the host serves other things as well.
 */
export function recordsTelemetry(url: URL, { record = [] }: HostChoice): boolean {
  return record.some((pattern) => {
    const [host = '', ...path] = pattern.toLowerCase().split('/');
    if (host === '*' || !matches(host, url.hostname)) return false;
    return path.length === 0
      ? !isSharedHost(url.hostname)
      : url.pathname.toLowerCase().startsWith(`/${path.join('/')}`);
  });
}

function matches(pattern: string, host: string): boolean {
  if (pattern === '*') return true;
  return pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern;
}
