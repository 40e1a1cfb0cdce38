import type { FileToList, ListAnswer, ListerApi } from '../contracts/reader/lister';
import { LISTED_GZIP } from '../core/bytes/fileLimits';
import { listingStamp } from '../core/project/fileStamp';
import { SecretSearches } from '../core/secrets/secretSources';
import { type DeclaredLayouts, useLayouts } from '../core/tapes/declaredLayouts';
import { loadCore } from './loadCore';
import { readTapeFile, stampOf } from './readFile';

/** What takes longer is left for the next call, so that a file that is shown meanwhile does not wait behind many others. */
const TURN_MS = 50;

interface FilesToList {
  readonly files: readonly FileToList[];
  readonly layouts: DeclaredLayouts;
}

/** Lists files on the disk, one call after the other. */
export class FileLister implements ListerApi {
  readonly #searches = new SecretSearches(process.env);

  async list({ files, layouts }: FilesToList): Promise<readonly ListAnswer[]> {
    useLayouts(layouts);
    const end = performance.now() + TURN_MS;
    const answers: ListAnswer[] = [];
    for (const file of files) {
      if (answers.length > 0 && performance.now() > end) break;
      answers.push(await this.#answer(file));
    }
    return answers;
  }

  async #answer(file: FileToList): Promise<ListAnswer> {
    try {
      return await this.#list(file);
    } catch (error) {
      return { failed: error instanceof Error ? error.message : String(error) };
    }
  }

  async #list({ file, path, stamp, isExpected, secrets }: FileToList): Promise<ListAnswer> {
    const found = stampOf(file);
    if (found === undefined) return {};
    const present = listingStamp(found.stamp, this.#searches.stampOf(secrets), isExpected);
    if (present === stamp) return 'unchanged';
    const { listTape } = await loadCore();
    const search = this.#searches.of(secrets);
    const open = () => readTapeFile(file, path, LISTED_GZIP);
    const tape = await listTape(path, found.size, open, { search, isExpected });
    return { stamp: present, tape };
  }
}
