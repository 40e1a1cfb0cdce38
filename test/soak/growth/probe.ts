/** What the soak of growth measures, bundled as the program is. */
export { detectFormat } from '../../../src/core/tapes/readTape';
export { formats } from '../../../src/core/tapes/registry';
export { decodeTapeFile } from '../../../src/core/tapes/tapeFile';
export { openTranscript } from '../../../src/core/transcript/transcriptReader';
export { verifyFile } from '../../../src/core/verify/verifyFile';
