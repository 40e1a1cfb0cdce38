import { createHash } from 'node:crypto';
import { rootCertificates } from 'node:tls';
import { FILE_LIMITS } from '../../../core/bytes/fileLimits';
import { unconfined } from '../../files/confinement';
import { pathExists, realPath } from '../../files/fileStatus';
import { readTextIfThere } from '../../files/readFile';
import { userStateFile, writeUserState } from '../../files/userState';
import { userAuthority } from './userAuthority';

type Environment = Readonly<Record<string, string | undefined>>;

/** Files that make an agent's TLS accept this proxy. They hold certificates only, no key. */
export interface TrustFiles {
  /** Our authority, and whom else the agent is to trust: most runtimes replace their own list by such a file. */
  readonly bundle: string;
  /** The same as a Java key store. */
  readonly javaStore: string;
}

/** Where systems keep the certificates that they trust. */
const SYSTEM_BUNDLES = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
];

/**
 * Which servers an agent reaches by itself, and not through this proxy: any, where something is passed on unread, or those of this
 * machine. Clients read the whole file for each connection pool, so it has no more than is needed.
 */
type OwnReach = 'any server' | 'this machine';

/** Writes the files, unless they are there from before, into the user's own state. */
export function writeTrustFiles(environment: Environment, reach: OwnReach): Promise<TrustFiles> {
  // Only certificates are read of whatever files the environment names.
  return unconfined(() => writeBoth(environment, reach));
}

async function writeBoth(environment: Environment, reach: OwnReach): Promise<TrustFiles> {
  const { certificate } = await userAuthority();
  const others = await (reach === 'any server' ? ownRoots(environment) : privateRoots(environment));
  const bundle = `${others.map((one) => `${one}\n`).join('')}${certificate}`;
  const name = `trust/${createHash('sha256').update(bundle).digest('hex').slice(0, 24)}`;
  return {
    bundle: await kept(`${name}.pem`, () => bundle),
    javaStore: await kept(`${name}.jks`, () => javaStore(bundle)),
  };
}

/** What the agent would trust by itself. */
async function ownRoots({ SSL_CERT_FILE, NODE_EXTRA_CA_CERTS }: Environment): Promise<readonly string[]> {
  const system = [SSL_CERT_FILE, ...SYSTEM_BUNDLES].find((path) => path && pathExists(path));
  const roots = system ? await readCertificates(system) : [];
  const extra = NODE_EXTRA_CA_CERTS ? await readCertificates(NODE_EXTRA_CA_CERTS) : [];
  return [...(roots.length === 0 ? rootCertificates : roots), ...extra];
}

/**
 * Authorities of the user's own, which a file that they name adds to the public ones, or takes instead: servers of this machine
 * have their certificates from no others.
 */
async function privateRoots({ SSL_CERT_FILE, NODE_EXTRA_CA_CERTS }: Environment): Promise<readonly string[]> {
  const named = await placesOf([SSL_CERT_FILE, NODE_EXTRA_CA_CERTS]);
  const systems = await placesOf(SYSTEM_BUNDLES);
  const found = await Promise.all(named.filter((place) => !systems.includes(place)).map(readCertificates));
  if (found.length === 0) return [];
  const known = new Set(rootCertificates.map(contentOf));
  return [...new Set(found.flat())].filter((one) => !known.has(contentOf(one)));
}

/** Where the paths lead at which there is something. */
async function placesOf(paths: readonly (string | undefined)[]): Promise<readonly string[]> {
  const places = await Promise.all(paths.map((path) => (path && pathExists(path) ? realPath(path) : undefined)));
  return places.filter((place) => place !== undefined);
}

/** The certificate itself, however it is broken into lines. */
function contentOf(certificate: string): string {
  return certificate.replace(/-----[^-]+-----|\s/g, '');
}

/** A file of the user may hold a key as well, which is not read. */
async function readCertificates(path: string): Promise<readonly string[]> {
  return certificatesIn((await readTextIfThere(path, FILE_LIMITS.config)) ?? '');
}

function certificatesIn(text: string): readonly string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
}

async function kept(name: string, content: () => string | Uint8Array): Promise<string> {
  const path = userStateFile(name);
  if (!pathExists(path)) await writeUserState(name, content());
  return path;
}

const MAGIC = 0xfeedfeed;
const VERSION = 2;
const TRUSTED_CERTIFICATE = 2;
/** The default of Java's tools; the store has no secret. */
const PASSWORD = 'changeit';
/** Part of the format. */
const SALT = 'Mighty Aphrodite';

/** A Java key store with these certificates, in the format JKS, which every Java reads. */
function javaStore(bundle: string): Buffer {
  const certificates = certificatesIn(bundle).map((one) => Buffer.from(contentOf(one), 'base64'));
  const head = Buffer.alloc(12);
  head.writeUInt32BE(MAGIC, 0);
  head.writeUInt32BE(VERSION, 4);
  head.writeUInt32BE(certificates.length, 8);
  const content = Buffer.concat([head, ...certificates.map(javaEntry)]);
  const digest = createHash('sha1').update(Buffer.from(PASSWORD, 'utf16le').swap16()).update(SALT).update(content);
  return Buffer.concat([content, digest.digest()]);
}

function javaEntry(certificate: Buffer, index: number): Buffer {
  const tag = Buffer.alloc(4);
  tag.writeUInt32BE(TRUSTED_CERTIFICATE);
  const time = Buffer.alloc(8);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(certificate.length);
  return Buffer.concat([tag, javaText(`tapedeck-${index}`), time, javaText('X.509'), length, certificate]);
}

function javaText(text: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length);
  return Buffer.concat([length, Buffer.from(text, 'latin1')]);
}
