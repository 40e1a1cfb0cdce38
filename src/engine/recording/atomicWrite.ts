export interface AtomicWriteOptions {
  /** Where the text is written before it takes the place of the file; created when it is not there. */
  readonly asideFolder: string;
}

/** Replaces the file at `path`, or makes it, with its folder. Afterwards it is the old one or the new one, whole. */
export async function writeAtomically(path: string, text: string, { asideFolder }: AtomicWriteOptions): Promise<void> {
  throw new Error(`not there yet: ${path} ${text.length} ${asideFolder}`);
}
