/** A certificate with its key, both as PEM. */
export interface KeyedCertificate {
  readonly certificate: string;
  readonly key: string;
}
