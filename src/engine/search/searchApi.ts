import type { SearchApi, SearchEvent } from '../../contracts/engine/search';
import { OverviewSum } from '../../core/search/overview';
import { isQueryProblem, parseQuery } from '../../core/search/parseQuery';
import { t } from '../../core/text/l10n';
import { UserError } from '../errors/userError';
import { createLastingRecorders } from '../recording/openRecorder';
import { TapeSearch } from './searchTapes';

/** The search of an editor, which keeps the facts of all tapes in memory, including tapes with secrets. */
export function createSearchApi(emit: (event: SearchEvent) => void): SearchApi {
  const tapes = new TapeSearch(createLastingRecorders(process.env));
  return {
    search: async ({ searchId, query: text, root, paths, keys }, signal) => {
      const query = parseQuery(text);
      if (isQueryProblem(query)) throw new UserError(query.message);
      const onProgress = (done: number, of: number): void => emit({ searchId, done, of });
      const found = await tapes.find({ query, files: paths, cwd: root, keys, now: Date.now(), signal, onProgress });
      signal.throwIfAborted();
      if (found === undefined) throw new UserError(t('the search was cancelled'));
      return found;
    },
    overview: async ({ searchId, folders, keys }, signal) => {
      const now = Date.now();
      const sum = new OverviewSum(now);
      const all = folders.reduce((count, { paths }) => count + paths.length, 0);
      let before = 0;
      for (const { root, paths } of folders) {
        const onProgress = (done: number): void => emit({ searchId, done: before + done, of: all });
        const isWhole = await tapes.sumUp(sum, { files: paths, cwd: root, keys, now, signal, onProgress });
        signal.throwIfAborted();
        if (!isWhole) throw new UserError(t('the search was cancelled'));
        before += paths.length;
      }
      return sum.overview;
    },
  };
}
