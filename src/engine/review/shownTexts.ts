import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Change } from '../../core/model/change';
import type { FileParams } from '../../protocol/reviewQueue';
import { unlessMissing } from '../recording/fileErrors';

interface Shown {
  readonly address: string;
  /** When the file was written, and how long it was. */
  readonly stamp: string;
  readonly changes: readonly Change[];
}

/** The changes of the review that was asked for last: of its texts those that are long are asked for one by one. */
export class ShownTexts {
  #last: Shown | undefined;

  async remember(file: FileParams, changes: readonly Change[]): Promise<void> {
    this.#last = { address: addressOf(file), stamp: await stampOf(file), changes };
  }

  /** Undefined when another file was shown last, or this one was written since. */
  async of(file: FileParams): Promise<readonly Change[] | undefined> {
    if (this.#last?.address !== addressOf(file)) return undefined;
    return this.#last.stamp === (await stampOf(file)) ? this.#last.changes : undefined;
  }
}

function addressOf({ root, path }: FileParams): string {
  return join(root, path);
}

async function stampOf(file: FileParams): Promise<string> {
  const found = await unlessMissing(stat(addressOf(file)));
  return found === undefined ? '-' : `${found.mtimeMs}:${found.size}`;
}
