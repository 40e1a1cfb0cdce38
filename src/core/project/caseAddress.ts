/**
 * How a case is named on the command line, in results and in file names: by the path of its file, and where the file
 * holds several cases by `FILE#ID`, with the id in percent-encoding so that it stays one part of a path.
 */
export interface CaseAddress {
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

/** Undefined for what is not percent-encoding, and so no id that was written here. */
function decode(id: string): string | undefined {
  try {
    return decodeURIComponent(id);
  } catch {
    return undefined;
  }
}
