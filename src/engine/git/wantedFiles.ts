/** Which files are asked for. Paths have `/`, and begin where the asker's do: at the top of the repository, or of a project. */
export interface WantedFiles {
  isWanted(path: string): boolean;
  /** Whether wanted files may be in a folder, which ends with `/`. */
  mayHoldWanted(folder: string): boolean;
}

export function onlyFiles(paths: Iterable<string>): WantedFiles {
  const wanted = new Set(paths);
  return {
    isWanted: (path) => wanted.has(path),
    mayHoldWanted: (folder) => [...wanted].some((path) => path.startsWith(folder)),
  };
}
