export interface NewTake {
  /** The project's root, where `.tapedeck/` is. */
  readonly root: string;
  readonly tapePath: string;
  /** The whole new tape. */
  readonly text: string;
}

/** Makes `text` the tape, atomically, and keeps the take it replaces. All paths are absolute. */
export async function replaceTape({ root, tapePath, text }: NewTake): Promise<{ previousTakePath?: string }> {
  throw new Error(`not there yet: ${root} ${tapePath} ${text.length}`);
}

/** How many takes of the tape there are: the kept ones and the tape itself. */
export async function takeCount(root: string, tapePath: string): Promise<number> {
  throw new Error(`not there yet: ${root} ${tapePath}`);
}
