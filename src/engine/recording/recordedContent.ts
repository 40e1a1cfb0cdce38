let seal: (bytes: string | Uint8Array) => RecordedContent;

/**
 * The content of a file that holds recorded values: a tape, a take, an artifact, a baseline, a report, a journal. Nothing
 * else can be written to such a file. The recorder makes one from values whose secrets it has hidden; the only other source
 * is a file of the user's that is copied.
 */
export class RecordedContent {
  static {
    seal = (bytes) => new RecordedContent(bytes);
  }

  private constructor(readonly bytes: string | Uint8Array) {}
}

/** The content of a file whose secrets have been hidden. Only the recorder calls this. */
export function searchedContent(bytes: string | Uint8Array): RecordedContent {
  return seal(bytes);
}

/**
 * The content of a file of the user's that is restored, copied, or converted. It is not searched, because it is on the disk
 * already, and a copy that differs would be a loss. `verify` reports the secrets of such files.
 */
export function copiedContent(bytes: string | Uint8Array): RecordedContent {
  return seal(bytes);
}
