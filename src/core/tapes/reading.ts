import { useBrotli } from '../wire/body';
import { unbrotli } from '../wire/brotli';

useBrotli(unbrotli);

/** All that reads and edits tapes. It is large, because the formats are many: hosts load it when the first tape is shown. */
export { readTranscript } from '../transcript/readTranscript';
export { openTranscript } from '../transcript/transcriptReader';
export { encodeTape } from './encodeTape';
export { detectFormat, readTape } from './readTape';
export { tapeFile, textFile } from './tapeFile';
