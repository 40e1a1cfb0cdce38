/**
 * The address of a case on the command line, in results and in file names: the path of its file, or `FILE#ID` where the file
 * contains several cases, with the id percent-encoded so that it is one part of a path.
 */
interface CaseAddress {
  readonly path: string;
  readonly id?: string;
}

const WITH_ID = /^(.*\.(?:toml|ya?ml|json)(?:\.\w+)?)#([^#/\\]+)$/i;

export function parseCaseAddress(text: string): CaseAddress {
  const [, path, id] = WITH_ID.exec(text) ?? [];
  const decoded = id === undefined ? undefined : decode(id);
  return path === undefined || decoded === undefined ? { path: text } : { path, id: decoded };
}

export function writeCaseAddress({ path, id }: CaseAddress): string {
  return id === undefined ? path : `${path}#${encodeURIComponent(id)}`;
}

/** Decodes an id; undefined for invalid percent-encoding. */
function decode(id: string): string | undefined {
  try {
    return decodeURIComponent(id);
  } catch {
    return undefined;
  }
}
