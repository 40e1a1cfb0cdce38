import { createSecureContext, type SecureContext } from 'node:tls';
import type { KeyedCertificate } from './keyedCertificate';
import { userAuthority } from './userAuthority';

/** Hosts that an agent talks to; a server may run for days, and a scan must not fill the memory. */
const MAX_HOSTS = 500;
/** Half of a certificate's life. */
const RENEWED_AFTER_MS = 3 * 86_400_000;

interface KeptContext {
  readonly context: Promise<SecureContext>;
  readonly since: number;
}

/** The TLS contexts of the hosts that an agent talks to, each with a certificate in its name, kept in memory. */
export class ServerContexts {
  readonly #kept = new Map<string, KeptContext>();
  #issuer: Promise<{ issue(host: string): Promise<KeyedCertificate> }> | undefined;

  of(host: string): Promise<SecureContext> {
    const name = host.toLowerCase();
    const kept = this.#kept.get(name);
    if (kept !== undefined && Date.now() - kept.since < RENEWED_AFTER_MS) return kept.context;
    if (this.#kept.size >= MAX_HOSTS) this.#kept.clear();
    const context = this.#make(name);
    this.#kept.set(name, { context, since: Date.now() });
    return context;
  }

  async #make(host: string): Promise<SecureContext> {
    this.#issuer ??= Promise.all([import('./issue'), userAuthority()]).then(
      ([{ Issuer }, authority]) => new Issuer(authority),
    );
    const { certificate, key } = await (await this.#issuer).issue(host);
    return createSecureContext({ cert: certificate, key, minVersion: 'TLSv1.2' });
  }
}
