import { useBrotli } from '../wire/body';
import { unbrotli } from '../wire/brotli';

useBrotli(unbrotli);

/** All that reads and edits tapes and cases. It is large, because the formats are many: hosts load it when the first is shown. */
export { copyInteraction } from '../along/copyAs';
export { transcriptHtml } from '../along/html';
export { NO_INK } from '../along/ink';
export { transcriptText } from '../along/transcriptText';
export { caseKindOf } from '../cases/caseKinds';
export { readCase } from '../cases/readCase';
export { addMasks } from '../cases/writing/addMasks';
export { caseReferences } from '../cases/writing/caseReferences';
export { completeCase } from '../cases/writing/completeCase';
export { describeKey } from '../cases/writing/describeKey';
export { repairCase } from '../cases/writing/repairCase';
export { member, readJson } from '../json/jsonDocument';
export { retakeCost } from '../prices/retakeCost';
export { readConfig } from '../project/readConfig';
export { isTestFile, readTapeTests, TapeTests } from '../python/tapeTests';
export { compareRuns } from '../review/compareRuns';
export { Normaliser } from '../review/normaliser';
export { planRedaction } from '../secrets/planRedaction';
export { redactTape } from '../secrets/redactTape';
export { secretAt } from '../secrets/secretValues';
export { pasteSnippet } from '../stability/pasteSnippet';
export { tomlString } from '../toml/editToml';
export { playback } from '../transcript/playback';
export { readTranscript } from '../transcript/readTranscript';
export { diffText } from '../transcript/textDiff';
export { openTranscript } from '../transcript/transcriptReader';
export { secretFindings } from '../verify/secretFindings';
export { editableAnswer } from './edits/editable';
export { editTapeBy, whyReadOnly } from './edits/editTape';
export { encodeTape } from './encodeTape';
export { interactionAt } from './interactionAt';
export { detectFormat, readTape } from './readTape';
export { tapeFile, textFile } from './tapeFile';
