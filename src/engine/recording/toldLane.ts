import { AppendedFile } from '../files/changeFile';
import { fileStatus } from '../files/fileStatus';
import { placeOfUser } from '../files/projectPaths';

/** What the editor is told of a test that it runs: where to look, without a text of the tape. */
interface ToldLane {
  /** Absolute. */
  readonly tape: string;
  /** The requests that did not get what they asked for, each with the number of the most similar recording, from 1. */
  readonly failures: readonly { readonly nearest?: number }[];
}

/** Adds a line to the file that the editor has made for the run of a test, unless the editor has closed since. */
export async function tellLane(path: string, { tape, failures }: ToldLane): Promise<void> {
  if ((await fileStatus(path)) === undefined) return;
  const file = AppendedFile.open(await placeOfUser(path));
  try {
    const told = failures.map(({ nearest }) => (nearest === undefined ? {} : { nearest }));
    file.append(`${JSON.stringify({ tape, failures: told })}\n`);
  } finally {
    file.close();
  }
}
