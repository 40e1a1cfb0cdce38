/**
 * A file of Git LFS without its content, which it names by its SHA-256: what git has of every file that LFS keeps.
 * See docs/spec.md of git-lfs.
 */
export interface LfsPointer {
  /** The SHA-256 of the content, in hexadecimal. */
  readonly oid: string;
}

const POINTER_START = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\r?\n/;
const OID = /^oid sha256:([0-9a-f]{64})\r?$/m;
/** No pointer is longer. */
const MAX_BYTES = 1024;

/** Is the text a pointer, even a damaged one? */
export function isLfsPointer(text: string): boolean {
  return POINTER_START.test(text);
}

/** The pointer that the bytes of a file are; undefined for content. */
export function readLfsPointer(bytes: Uint8Array): LfsPointer | undefined {
  if (bytes.length > MAX_BYTES) return undefined;
  const text = new TextDecoder().decode(bytes);
  const oid = isLfsPointer(text) ? OID.exec(text)?.[1] : undefined;
  return oid === undefined ? undefined : { oid };
}

/** As git-lfs writes it. */
export function writeLfsPointer(oid: string, size: number): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`;
}
