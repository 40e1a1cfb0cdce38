import 'reflect-metadata';
import { createPrivateKey, randomBytes, webcrypto } from 'node:crypto';
import { isIP } from 'node:net';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  cryptoProvider,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { KeyedCertificate } from './keyedCertificate';

cryptoProvider.set(webcrypto as Crypto);

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;
const AUTHORITY_DAYS = 730;
const SERVER_DAYS = 7;

/** A new authority, which can only sign certificates of servers. */
export async function makeAuthority(): Promise<KeyedCertificate> {
  const keys = await webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: 'CN=Tapedeck recordings of this user, O=Tapedeck',
    ...validity(AUTHORITY_DAYS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate: pem(certificate), key: await keyPem(keys.privateKey) };
}

/** Makes certificates of servers that an authority has signed. They share one key, which never leaves this process. */
export class Issuer {
  readonly #authority: X509Certificate;
  readonly #signingKey: Promise<CryptoKey>;
  readonly #keys = webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);

  constructor({ certificate, key }: KeyedCertificate) {
    this.#authority = new X509Certificate(certificate);
    const bytes = createPrivateKey(key).export({ format: 'der', type: 'pkcs8' });
    this.#signingKey = webcrypto.subtle.importKey('pkcs8', bytes, ALGORITHM, false, ['sign']);
  }

  /** The certificate of a server with this name or address, followed by that of the authority. */
  async issue(host: string): Promise<KeyedCertificate> {
    const { publicKey, privateKey } = await this.#keys;
    const certificate = await X509CertificateGenerator.create({
      serialNumber: serialNumber(),
      subject: [{ CN: [commonName(host)] }],
      issuer: this.#authority.subject,
      ...validity(SERVER_DAYS),
      publicKey,
      signingKey: await this.#signingKey,
      signingAlgorithm: ALGORITHM,
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
        new SubjectAlternativeNameExtension([{ type: isIP(host) === 0 ? 'dns' : 'ip', value: host }]),
        await SubjectKeyIdentifierExtension.create(publicKey),
        await AuthorityKeyIdentifierExtension.create(this.#authority),
      ],
    });
    return { certificate: `${pem(certificate)}${pem(this.#authority)}`, key: await keyPem(privateKey) };
  }
}

/** A common name has at most 64 characters; clients compare the alternative name. */
function commonName(host: string): string {
  return host.length <= 64 ? host : 'Tapedeck';
}

/** A positive number, which no other certificate of this authority has. */
function serialNumber(): string {
  return `01${randomBytes(15).toString('hex')}`;
}

/** From yesterday on: clocks differ. */
function validity(days: number): { readonly notBefore: Date; readonly notAfter: Date } {
  const now = Date.now();
  return { notBefore: new Date(now - DAY_MS), notAfter: new Date(now + days * DAY_MS) };
}

function pem(certificate: X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}

async function keyPem(key: CryptoKey): Promise<string> {
  const bytes = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key));
  return String(
    createPrivateKey({ key: bytes, format: 'der', type: 'pkcs8' }).export({ format: 'pem', type: 'pkcs8' }),
  );
}
