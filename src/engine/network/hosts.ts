/** Hosts as they are compared and shown: always of a parsed address, never of its text. */

/** Whether an address is on this machine. */
export function isLoopback({ hostname }: URL): boolean {
  // The parser writes every form of an IPv4 address as four numbers.
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** The host of an address: with its port, and with `http://` where the connection is not encrypted. On this machine, only its name. */
export function hostOf(url: URL): string {
  if (isLoopback(url)) return url.hostname;
  return url.protocol === 'https:' ? url.host : `${url.protocol}//${url.host}`;
}

/** The host that a user names, alone or as an address; undefined if it is neither. */
export function parseHost(text: string): string | undefined {
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.hostname === '' || url.username !== '' || url.password !== '' ? undefined : hostOf(url);
}

export function parseHttpUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url : undefined;
}
