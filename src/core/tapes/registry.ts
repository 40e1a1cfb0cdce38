import { withEvictableTapes } from './evictableTape';
import type { TapeFormat } from './format';
import { aimockFormat } from './formats/aimock';
import { azureTestProxyFormat } from './formats/azureTestProxy';
import { checkagentFormat } from './formats/checkagent';
import { claudeCodeFormat } from './formats/claudeCode';
import { codexFormat } from './formats/codex';
import { flakestormFormat } from './formats/flakestorm';
import { flakestormConfigFormat } from './formats/flakestormConfig';
import { geminiCliFormat } from './formats/geminiCli';
import { goVcrFormat } from './formats/goVcr';
import { harFormat, pollyHarFormat } from './formats/har';
import { httpmockFormat } from './formats/httpmock';
import { httprrFormat } from './formats/httprr';
import { inspectFormat } from './formats/inspect';
import { loaderFormat } from './formats/loader';
import { mastraFormat } from './formats/mastra';
import { mcpStdioFormat } from './formats/mcpStdio';
import { mofaFormat } from './formats/mofa';
import { mofaAgentScenarioFormat } from './formats/mofaAgentScenario';
import { mofaAssertionsFormat } from './formats/mofaAssertions';
import { mofaGoldenFormat } from './formats/mofaGolden';
import { mofaScenarioFormat } from './formats/mofaScenario';
import { opencodeFormat } from './formats/opencode';
import { reqLlmFormat } from './formats/reqLlm';
import { reynFormat } from './formats/reyn';
import { rubyVcrFormat, rVcrFormat } from './formats/rubyVcr';
import { tapedeckFormat } from './formats/tapedeck';
import { vcrpyFormat, vcrpyParsedBodyFormat } from './formats/vcrpy';
import { langchainGzFormat } from './formats/vcrpy/langchain';
import { vercelAiFormat } from './formats/vercelAi';
import { wsFramesFormat } from './formats/wsFrames';
import { xaiProtoFormat } from './formats/xaiProto';

/** Every format there is. To add one: its folder in `formats/`, its id in `core/model/tape.ts`, its line here, its test. */
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
  geminiCliFormat,
  codexFormat,
  claudeCodeFormat,
  httprrFormat,
  azureTestProxyFormat,
  opencodeFormat,
  mastraFormat,
  pollyHarFormat,
  harFormat,
  reqLlmFormat,
  aimockFormat,
  vcrpyParsedBodyFormat,
  vcrpyFormat,
  langchainGzFormat,
  rubyVcrFormat,
  rVcrFormat,
  goVcrFormat,
  httpmockFormat,
  // Knows its files by what providers answer like: last, so that every other format is asked before.
  vercelAiFormat,
];

/** As the rest of Tapedeck reads with them. */
export const formats = definitions.map(withEvictableTapes);
