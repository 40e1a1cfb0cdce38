/**
 * The part of the core that reads and edits tapes and cases. It holds every format and is large, so hosts load it with
 * the first tape or case that is shown.
 */
export { readArtifact } from '../core/cases/artifactFile';
export { caseKindOf } from '../core/cases/registry';
export { describeReplacedTape, replacedTape } from '../core/cases/replacedTape';
export { summariseTape, tapeFactSentence, tapeFactWords } from '../core/cases/tapeSummary';
export { caseReferences, completeCase, describeKey, toolAt } from '../core/cases/toml/languageFeatures';
export { newCaseText } from '../core/cases/toml/newCase';
export { readCase } from '../core/cases/toml/readCase';
export { repairCase } from '../core/cases/toml/repairCase';
export { tapedPrompt } from '../core/cases/toml/tapedPrompt';
export { diffText } from '../core/diff/diffText';
export { exportInteraction } from '../core/export/exportInteraction';
export { transcriptHtml } from '../core/export/html';
export { reviewText } from '../core/export/reviewText';
export { editorTranscript } from '../core/export/transcriptText';
export { sha256Hex } from '../core/hash/digest';
export { member, readJson } from '../core/json/readJson';
export { readListPrices } from '../core/prices/cost';
export { addMasks, addProjectMasks } from '../core/project/addMasks';
export { completeConfig, describeConfigKey } from '../core/project/configLanguage';
export { listTape, unlistedTape } from '../core/project/listTape';
export { readConfig } from '../core/project/readConfig';
export { compareRuns } from '../core/review/compare/compareRuns';
export { Normaliser } from '../core/review/compare/normaliser';
export { errorInReview } from '../core/review/compare/reviewRun';
export { pendingInRun, readDecisions, withDecisions } from '../core/review/decisions';
export { runMeasures } from '../core/review/measures';
export { reviewStamp, seenSides } from '../core/review/stamp';
export { planRedaction } from '../core/secrets/planRedaction';
export { redactTape, redactValue } from '../core/secrets/redactTape';
export { SecretSearches } from '../core/secrets/secretSources';
export { secretAt } from '../core/secrets/secretValues';
export { pasteSnippet } from '../core/stability/snippets';
export { editableResponse } from '../core/tapes/edits/editableResponse';
export { applyTapeEdits, readOnlyReason } from '../core/tapes/edits/editTape';
export { detectFormat, interactionAt, readTape } from '../core/tapes/readTape';
export { decodeTapeFile, encodeTapeFile, tapeFileFromText, tapeFileOf } from '../core/tapes/tapeFile';
export { isTestFile, readTestFile, testRun } from '../core/tapeTests/registry';
export { usesTape } from '../core/tapeTests/tapeTest';
export { TapeTests } from '../core/tapeTests/tapeTests';
export { PLAIN_STYLE } from '../core/text/textStyle';
export { tomlString } from '../core/toml/editToml';
export { foldingRanges, outlineOf } from '../core/toml/outline';
export { tapeTotals } from '../core/transcript/metrics';
export { playback } from '../core/transcript/playback';
export { openTranscript } from '../core/transcript/transcriptReader';
