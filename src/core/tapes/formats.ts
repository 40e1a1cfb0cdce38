import { claudeCodeFormat } from './formats/claudeCode';
import { codexFormat } from './formats/codex';
import { geminiCliFormat } from './formats/geminiCli';
import { inspectFormat } from './formats/inspect';
import { mcpStdioFormat } from './formats/mcpStdio';
import { mofaFormat } from './formats/mofa';
import { vercelAiFormat } from './formats/vercelAi';
import { wsFramesFormat } from './formats/wsFrames';
import { xaiProtoFormat } from './formats/xaiProto';
import type { TapeFormat } from './tapeFormat';

/** Every format there is. To add one: its file in `formats/`, its id in `tape.ts`, its line here, its test. */
export const formats: readonly TapeFormat[] = [
  mofaFormat,
  inspectFormat,
  wsFramesFormat,
  xaiProtoFormat,
  mcpStdioFormat,
  geminiCliFormat,
  codexFormat,
  claudeCodeFormat,
  // Knows its files by what providers answer like: last, so that every other format is asked before.
  vercelAiFormat,
];
