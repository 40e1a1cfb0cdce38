import { withEvictableTapes } from './evictableTape';
import type { TapeFormat } from './format';
import { aimockFormat } from './formats/aimock/index';
import { azureTestProxyFormat } from './formats/azureTestProxy/index';
import { checkagentFormat } from './formats/checkagent/index';
import { claudeCodeFormat } from './formats/claudeCode/index';
import { codexFormat } from './formats/codex/index';
import { flakestormFormat } from './formats/flakestorm/index';
import { flakestormConfigFormat } from './formats/flakestormConfig/index';
import { geminiCliFormat } from './formats/geminiCli/index';
import { goVcrFormat } from './formats/goVcr/index';
import { harFormat, pollyHarFormat } from './formats/har/index';
import { httpmockFormat } from './formats/httpmock/index';
import { httprrFormat } from './formats/httprr/index';
import { inspectFormat } from './formats/inspect/index';
import { loaderFormat } from './formats/loader/index';
import { mastraFormat } from './formats/mastra/index';
import { mcpStdioFormat } from './formats/mcpStdio/index';
import { mofaFormat } from './formats/mofa/index';
import { mofaAgentScenarioFormat } from './formats/mofaAgentScenario/index';
import { mofaAssertionsFormat } from './formats/mofaAssertions/index';
import { mofaGoldenFormat } from './formats/mofaGolden/index';
import { mofaScenarioFormat } from './formats/mofaScenario/index';
import { opencodeFormat } from './formats/opencode/index';
import { reqLlmFormat } from './formats/reqLlm/index';
import { reynFormat } from './formats/reyn/index';
import { rubyVcrFormat, rVcrFormat } from './formats/rubyVcr/index';
import { tapedeckFormat } from './formats/tapedeck/index';
import { vcrpyFormat, vcrpyParsedBodyFormat } from './formats/vcrpy/index';
import { langchainGzFormat } from './formats/vcrpy/langchain';
import { vercelAiFormat } from './formats/vercelAi/index';
import { wsFramesFormat } from './formats/wsFrames/index';
import { xaiProtoFormat } from './formats/xaiProto/index';

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
