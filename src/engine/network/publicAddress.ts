import { BlockList, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';

/** Of this machine, of private networks, of groups: RFC 6890. */
const NOT_PUBLIC = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 3],
] as const)
  NOT_PUBLIC.addSubnet(network, prefix);
for (const [network, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  NOT_PUBLIC.addSubnet(network, prefix, 'ipv6');

/** Whether an IP address is one of the internet, and not of this machine. */
export function isPublicAddress(ip: string): boolean {
  return !NOT_PUBLIC.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4') && !isOwn(ip);
}

/** An IP address with a port, as in a URL. */
export function addressText({ ip, port }: { readonly ip: string; readonly port: number }): string {
  return isIPv6(ip) ? `[${ip}]:${port}` : `${ip}:${port}`;
}

function isOwn(ip: string): boolean {
  return Object.values(networkInterfaces()).some((all = []) => all.some(({ address }) => address === ip));
}
