import { useBrotli } from '../wire/body';
import { unbrotli } from '../wire/brotli';

useBrotli(unbrotli);

export { caseKindOf } from '../cases/caseKinds';
export { readConfig } from '../project/readConfig';
/** All that reads and edits tapes, and lists cases. It is large, because the formats are many: hosts load it when the first tape is shown. */
export { redactTape } from '../secrets/redactTape';
export { secretAt } from '../secrets/secretValues';
export { readTranscript } from '../transcript/readTranscript';
export { openTranscript } from '../transcript/transcriptReader';
export { secretFindings } from '../verify/secretFindings';
export { editableAnswer, readOnlyReason } from './edits/editable';
export { editTapeBy } from './edits/editTape';
export { encodeTape } from './encodeTape';
export { detectFormat, readTape } from './readTape';
export { tapeFile, textFile } from './tapeFile';
