/** Words that stand for a secret: whoever wrote them took the secret out. */
const WORDS =
  /redact|sanitiz|sanitis|scrub|placeholder|example|dummy|fake|mock|sample|filtered|hidden|masked|obfuscat|removed|censored|invalid|not[-_]?a[-_]?real|your[-_]|my[-_](?:api|secret|key|token)|insert[-_]|change[-_]?me|foobar/i;
/** Words that are also syllables: they count as a part of their own. */
const PARTS =
  /(?:^|[-_.\s])(?:test|testing|tests|demo|secret|none|null|undefined|anything|unused|local|dev)(?:$|[-_.\s\d]|key|token)/i;
/** `xxxx`, `****`, `....`, `----`: one sign, again and again. `…0000…` may be part of a real one. */
const REPEATED = /x{4}|X{3}|\*{3}|\.{3}|…|•{2}|#{4}|(.)\1{7}/;
const TEMPLATE = /[<>{}[\]$%]/;

/** Is this a stand-in for a secret, and none? */
export function isPlaceholder(secret: string): boolean {
  return WORDS.test(secret) || PARTS.test(secret) || REPEATED.test(secret) || TEMPLATE.test(secret);
}
