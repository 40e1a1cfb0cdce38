import { message, t } from '../text/l10n';
import type { LiteralMatch } from '../text/literalFinder';
import type { SecretHit } from './secretHit';

/**
 * What is random of the address of a proxy of Tapedeck, which agents print with what they log. What the user has chosen is the same in
 * every run, and may be a word of other texts.
 */
export interface ProxyAddress {
  /** The token in its base URLs, which is also its password. */
  readonly secret?: string;
  readonly port?: number;
}

/** What stands in place of the port, also where only a number can. */
const NO_PORT = '0';
/** After the account ids, and before what a project looks for. */
const PORT_RANK = 1500;
/** Longer than any of `BEFORE`. */
const LONGEST_BEFORE = 40;
/** A number is only the port where it is said to be: `127.0.0.1:41233`, `('127.0.0.1', 41233)`, `port=41233`, `"port": 41233`. */
const BEFORE = /(?:(?:127\.0\.0\.1|localhost|::1\]?)(?::|\W{0,3} )|port\W{0,4})$/i;

/** Where a text has one of the `ports` of proxies, as these literals were found in it. */
export function findProxyPorts(text: string, ports: readonly LiteralMatch[]): SecretHit[] {
  return ports.flatMap(({ index, literal }) => {
    const end = index + literal.length;
    const isWhole = !/\d/.test(text[end] ?? '') && BEFORE.test(text.slice(Math.max(0, index - LONGEST_BEFORE), index));
    return isWhole ? [portHit(index, end)] : [];
  });
}

/** Doubtful: a port that is left behind on a tape betrays nothing. */
function portHit(start: number, end: number): SecretHit {
  return {
    rule: 'proxy-port',
    what: message('the port of a Tapedeck proxy'),
    excerpt: t('… ({0} characters)', end - start),
    start,
    end,
    placeholder: NO_PORT,
    rank: PORT_RANK,
    isDoubtful: true,
  };
}
