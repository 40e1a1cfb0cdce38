import { readSemanticAssertions } from '../../scenarios/semantic';
import { mofaAssertionsFormat } from '../../tapes/formats/mofaAssertions';
import { textFile } from '../../tapes/tapeFile';
import { type CaseKind, fileName, fileStem } from '../caseKind';

/** Semantic assertions: they judge the answer of a case that names their file. */
export const mofaAssertionsKind: CaseKind = {
  id: 'mofa-assertions',
  label: mofaAssertionsFormat.label,
  looksLike: (text) => mofaAssertionsFormat.looksLike(textFile(text)),
  list(text, path) {
    const { value, problems } = readSemanticAssertions(text);
    if (value === undefined) return { cases: [], problems };
    const file = fileName(path);
    const lacks = `these assertions have no answer to judge; name them in a case: semantic = "${file}" under [assert], or assertions: ${file} in an agent scenario`;
    const listed = { name: fileStem(path), span: { start: 0, end: 0 }, tapes: [], words: [], tags: ['mofa'], lacks };
    return { cases: [listed], problems };
  },
};
