import { readLoaderScenario } from '../../scenarios/loaderScenario';
import { loaderFormat } from '../../tapes/formats/loader';
import { textFile } from '../../tapes/tapeFile';
import { type CaseKind, fileStem } from '../caseKind';

/** Loader's scripted scenarios: the script is in the file, so there is no tape. */
export const loaderKind: CaseKind = {
  id: 'loader',
  label: loaderFormat.label,
  looksLike: (text) => loaderFormat.looksLike(textFile(text)),
  list(text, path) {
    const { value, problems } = readLoaderScenario(text);
    if (value === undefined) return { cases: [], problems };
    const words = value.tools.map((tool) => tool.name);
    return {
      cases: [{ name: value.name || fileStem(path), span: value.span, tapes: [], words, tags: ['loader'] }],
      problems,
    };
  },
};
