import type { FormatId } from '../model/tape';
import { declaredFormats } from './declaredFormats';
import { withEvictableTapes } from './evictableTape';
import type { NewFileNames, TapeFormat } from './format';
import { aimockFormat } from './formats/aimock/index';
import { azureTestProxyFormat } from './formats/azureTestProxy/index';
import { chatMessagesFormat, messageLinesFormat } from './formats/chatMessages/index';
import { chatReplayFormat } from './formats/chatReplay/index';
import { checkagentFormat } from './formats/checkagent/index';
import { claudeCodeFormat, claudeStreamFormat } from './formats/claudeCode/index';
import { codexFormat } from './formats/codex/index';
import { codingAgentRequestFormat, codingAgentVcrFormat } from './formats/codingAgentVcr/index';
import { exvcrFormat } from './formats/exvcr/index';
import { flakestormFormat } from './formats/flakestorm/index';
import { flakestormConfigFormat } from './formats/flakestormConfig/index';
import { geminiCliFormat } from './formats/geminiCli/index';
import { googleAdkFormat } from './formats/googleAdk/index';
import { goVcrFormat } from './formats/goVcr/index';
import { harFormat, pollyHarFormat } from './formats/har/index';
import { httpmockFormat } from './formats/httpmock/index';
import { httprrFormat } from './formats/httprr/index';
import { inspectFormat } from './formats/inspect/index';
import { langfuseFormat } from './formats/langfuse/index';
import { langsmithFormat } from './formats/langsmith/index';
import { loaderFormat } from './formats/loader/index';
import { mastraFormat } from './formats/mastra/index';
import { mcpMessagesFormat } from './formats/mcpMessages/index';
import { mcpRecorderFormat } from './formats/mcpRecorder/index';
import { mcpStdioFormat } from './formats/mcpStdio/index';
import { mockFormats } from './formats/mocks/index';
import { mofaFormat } from './formats/mofa/index';
import { mofaAgentScenarioFormat } from './formats/mofaAgentScenario/index';
import { mofaAssertionsFormat } from './formats/mofaAssertions/index';
import { mofaGoldenFormat } from './formats/mofaGolden/index';
import { mofaScenarioFormat } from './formats/mofaScenario/index';
import { nockFormat } from './formats/nock/index';
import { openaiAgentsFormat } from './formats/openaiAgents/index';
import { opencodeFormat } from './formats/opencode/index';
import { otlpFormat } from './formats/otlp/index';
import { recorderFormats } from './formats/recorders/index';
import { reqLlmFormat } from './formats/reqLlm/index';
import { reynFormat } from './formats/reyn/index';
import { rubyVcrFormat, rVcrFormat } from './formats/rubyVcr/index';
import { sessionFormats } from './formats/sessions/index';
import { tapedeckFormat } from './formats/tapedeck/index';
import { exportedTraceFormats } from './formats/traces/index';
import { vcrpyFormat, vcrpyParsedBodyFormat } from './formats/vcrpy/index';
import { langchainGzFormat } from './formats/vcrpy/langchain';
import { vercelAiFormat } from './formats/vercelAi/index';
import { vitestEvalsFormat } from './formats/vitestEvals/index';
import { wiremockFormat } from './formats/wiremock/index';
import { wsFramesFormat } from './formats/wsFrames/index';
import { xaiProtoFormat } from './formats/xaiProto/index';
import { withSilentInteractions } from './silentInteractions';

/**
 * Every format. Detection tries them in this order and takes the first that claims a file: a format whose files another
 * one would claim as well stands before that one. To add one: its folder in `formats/`, its line here, its test.
 */
const definitions: readonly TapeFormat[] = [
  mofaFormat,
  mofaGoldenFormat,
  mofaScenarioFormat,
  mofaAgentScenarioFormat,
  mofaAssertionsFormat,
  tapedeckFormat,
  flakestormConfigFormat,
  flakestormFormat,
  loaderFormat,
  checkagentFormat,
  reynFormat,
  inspectFormat,
  wsFramesFormat,
  xaiProtoFormat,
  mcpStdioFormat,
  mcpRecorderFormat,
  mcpMessagesFormat,
  codingAgentRequestFormat,
  geminiCliFormat,
  codexFormat,
  ...sessionFormats,
  claudeCodeFormat,
  claudeStreamFormat,
  chatReplayFormat,
  langfuseFormat,
  langsmithFormat,
  openaiAgentsFormat,
  ...exportedTraceFormats,
  otlpFormat,
  httprrFormat,
  ...recorderFormats,
  googleAdkFormat,
  vitestEvalsFormat,
  codingAgentVcrFormat,
  azureTestProxyFormat,
  nockFormat,
  exvcrFormat,
  opencodeFormat,
  mastraFormat,
  pollyHarFormat,
  harFormat,
  wiremockFormat,
  ...mockFormats,
  reqLlmFormat,
  aimockFormat,
  vcrpyParsedBodyFormat,
  vcrpyFormat,
  langchainGzFormat,
  rubyVcrFormat,
  rVcrFormat,
  goVcrFormat,
  httpmockFormat,
  // Claims lists of messages wherever they stand, which others have among much else.
  chatMessagesFormat,
  messageLinesFormat,
  // Claims every file that looks like a provider's response, so it comes last.
  vercelAiFormat,
];

/** Every format, in the order of detection. */
export const formats = definitions.map(withSilentInteractions).map(withEvictableTapes);

/** The format of this id; undefined if there is none. */
export function findFormat(id: FormatId): TapeFormat | undefined {
  return [...formats, ...declaredFormats()].find((format) => format.id === id);
}

/** The format of an id that the code names. Throws a `RangeError` for an unknown one. */
export function formatById(id: FormatId): TapeFormat {
  const format = findFormat(id);
  if (format === undefined) throw new RangeError(`unknown tape format: ${id}`);
  return format;
}

/** The format of a file that does not exist yet, by its name; else the one with the id `fallback`. */
export function formatForNewFile(path: string, use: keyof NewFileNames, fallback: FormatId): TapeFormat {
  return formats.find(({ newFileName }) => newFileName?.[use]?.test(path)) ?? formatById(fallback);
}
