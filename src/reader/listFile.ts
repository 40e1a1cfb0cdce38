import { LISTED_GZIP } from '../core/bytes/fileLimits';
import { SecretSearches } from '../core/secrets/secretSources';
import type { ListAnswer, ListerApi, ListParams } from '../protocol/lister';
import { loadCore } from './loadCore';
import { readTapeFile, stampOf } from './readFile';

/** Lists files on the disk, one call after the other. */
export class FileLister implements ListerApi {
  readonly #searches = new SecretSearches(process.env);

  async list({ file, path, stamp, isExpected, secrets }: ListParams): Promise<ListAnswer> {
    const found = stampOf(file);
    if (found === undefined) return {};
    if (found.stamp === stamp) return 'unchanged';
    const { listTape } = await loadCore();
    const search = this.#searches.of(secrets);
    const open = () => readTapeFile(file, path, LISTED_GZIP);
    const tape = await listTape(path, found.size, open, { search, isExpected });
    return { stamp: found.stamp, ...(tape && { tape }) };
  }
}
