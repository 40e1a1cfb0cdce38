import { X509Certificate } from 'node:crypto';
import { homedir } from 'node:os';
import { FILE_LIMITS } from '../../core/bytes/fileLimits';
import { plural } from '../../core/text/counts';
import { joinedByCommas } from '../../core/text/joinedByCommas';
import { message, t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { unconfined } from '../files/confinement';
import { readTextIfThere } from '../files/readFile';
import { parseHttpUrl } from '../network/hosts';
import { MODEL_KEYS } from '../network/knownKeys';
import { preloadFile } from '../network/preloadFile';
import { type Check, messageOf } from './check';

type Environment = Readonly<Record<string, string | undefined>>;

const PROXIES = ['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY'];
const CERTIFICATE_FILES = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE', 'REQUESTS_CA_BUNDLE'];
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** The proxies to the outside that the environment names. Passwords are never shown. */
export function proxy(environment: Environment): readonly Check[] {
  return PROXIES.flatMap((name): Check[] => {
    const value = (environment[name.toLowerCase()] ?? environment[name])?.trim() ?? '';
    if (value === '') return [];
    const address = parseHttpUrl(/^\w+:\/\//.test(value) ? value : `http://${value}`);
    if (address !== undefined) return [{ name, state: 'ok', says: t('recordings go through {0}', address.host) }];
    const says = t('is not an http:// or https:// address: recordings would bypass it');
    return [{ name, state: 'broken', says, fix: t('Correct {0}, or unset it.', name) }];
  });
}

/** The files of certificates that the environment names, such as that of a company's proxy. */
export async function certificates(environment: Environment): Promise<readonly Check[]> {
  const named = CERTIFICATE_FILES.filter((name) => (environment[name] ?? '') !== '');
  return Promise.all(named.map((name) => certificateFile(name, environment[name] ?? '')));
}

async function certificateFile(name: string, path: string): Promise<Check> {
  const broken = (says: string): Check => ({
    name,
    state: 'broken',
    says,
    fix: t(
      'Correct {0}, or unset it: without a valid certificate, recordings through a proxy that inspects TLS fail.',
      name,
    ),
  });
  try {
    const text = await unconfined(() => readTextIfThere(path, FILE_LIMITS.config));
    if (text === undefined) return broken(t('{0} does not exist', path));
    const all = text.match(CERTIFICATE) ?? [];
    const valid = all.filter(isInTime);
    if (all.length === 0) return broken(t('{0} has no certificate in PEM', path));
    if (valid.length === 0) return broken(t('{0} has only certificates that have expired', path));
    return { name, state: 'ok', says: plural(valid.length, 'certificate') };
  } catch (error) {
    return broken(messageOf(error));
  }
}

function isInTime(certificate: string): boolean {
  try {
    const { validFrom, validTo } = new X509Certificate(certificate);
    return Date.parse(validFrom) <= Date.now() && Date.now() < Date.parse(validTo);
  } catch {
    return false;
  }
}

/** Whether `exec --sealed` can be used, which only Linux has. */
export async function sealing(signal: AbortSignal): Promise<readonly Check[]> {
  if (process.platform !== 'linux') return [];
  const name = 'exec --sealed';
  const { sealedCommand } = await import('../process/sealedCommand');
  const asked = { command: ['true'], servers: [], relay: preloadFile('relay.cjs'), cwd: homedir(), signal };
  try {
    await (await sealedCommand({ ...asked, environment: process.env })).remove();
    return [{ name, state: 'ok', says: t('is permitted') }];
  } catch (error) {
    const fix =
      (error instanceof UserError && error.fix) ||
      t('Install unshare (util-linux) and ip (iproute2), or leave it out.');
    return [{ name, state: 'absent', says: messageOf(error), fix }];
  }
}

/** Their names: a value is never shown. */
export function keys(environment: Environment, stored: readonly string[]): Check {
  const set = MODEL_KEYS.filter((name) => (environment[name] ?? '') !== '');
  const all = [
    ...set,
    ...stored.filter((name) => !set.includes(name)).map((name) => t('{0} (stored in VS Code)', name)),
  ];
  const name = message('provider keys');
  if (all.length > 0) return { name, state: 'ok', says: joinedByCommas(all) };
  const says = t('no key of a known provider is in the environment: replays need none, recordings do');
  const fix = t('To record, set OPENAI_API_KEY or the like; in VS Code: Tapedeck: Set Provider Key…');
  return { name, state: 'absent', says, fix };
}
