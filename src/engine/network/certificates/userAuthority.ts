import { X509Certificate } from 'node:crypto';
import { unconfined } from '../../files/confinement';
import { readPrivateState, writeUserState } from '../../files/userState';
import type { KeyedCertificate } from './keyedCertificate';

const FILE = 'authority.pem';
const DAY_MS = 86_400_000;
/** A recording or a server may run for days. */
const RENEWED_BEFORE_MS = 30 * DAY_MS;
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----\n?/;
const KEY = /-----BEGIN PRIVATE KEY-----[\s\S]*?-----END PRIVATE KEY-----\n?/;

/**
 * The certificate authority of this user, made when it is first needed. It is kept outside of every project, in a file that
 * only the user may read, and no system or browser is ever told to trust it.
 */
export function userAuthority(): Promise<KeyedCertificate> {
  // No case names this file.
  return unconfined(keptOrMade);
}

async function keptOrMade(): Promise<KeyedCertificate> {
  const kept = parseAuthority((await readPrivateState(FILE)) ?? '');
  if (kept !== undefined) return kept;
  const { makeAuthority } = await import('./issue');
  const made = await makeAuthority();
  await writeUserState(FILE, `${made.certificate}${made.key}`);
  return made;
}

function parseAuthority(text: string): KeyedCertificate | undefined {
  const [certificate] = CERTIFICATE.exec(text) ?? [];
  const [key] = KEY.exec(text) ?? [];
  if (certificate === undefined || key === undefined) return undefined;
  return isValid(certificate) ? { certificate, key } : undefined;
}

function isValid(certificate: string): boolean {
  try {
    return Date.parse(new X509Certificate(certificate).validTo) > Date.now() + RENEWED_BEFORE_MS;
  } catch {
    // What cannot be read is made again.
    return false;
  }
}
