/**
 * The pointer that Git stores for a file kept by Git LFS: the SHA-256 of the content, not the content itself.
 * See docs/spec.md of git-lfs.
 */
interface LfsPointer {
  /** The SHA-256 of the content, in hexadecimal. */
  readonly oid: string;
}

const POINTER_START = /^version https:\/\/git-lfs\.github\.com\/spec\/v1\r?\n/;
const OID = /^oid sha256:([0-9a-f]{64})\r?$/m;
/** The specification's limit for pointers. */
const MAX_BYTES = 1024;

/** Whether the text is a pointer, possibly a damaged one. */
export function isLfsPointer(text: string): boolean {
  return POINTER_START.test(text);
}

/** Parses a pointer; undefined for any other file. */
export function readLfsPointer(bytes: Uint8Array): LfsPointer | undefined {
  if (bytes.length > MAX_BYTES) return undefined;
  const text = new TextDecoder().decode(bytes);
  const oid = isLfsPointer(text) ? OID.exec(text)?.[1] : undefined;
  return oid === undefined ? undefined : { oid };
}

/** Writes a pointer as git-lfs does. */
export function writeLfsPointer(oid: string, size: number): string {
  return `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`;
}
