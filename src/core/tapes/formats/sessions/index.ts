import type { TapeFormat } from '../../format';
import { conversationFormat } from '../shared/conversationFormat';
import { adkSession } from './adk';
import { aider } from './aider';
import { atif } from './atif';
import { codexItems, codexStream } from './codex';
import { copilotCli } from './copilotCli';
import { geminiSession, geminiStream, qwenCode } from './gemini';
import { gooseSession } from './goose';
import { opencodeSession, opencodeStream } from './opencode';
import { openHands } from './openHands';
import { runState } from './runState';

/** What agents keep of their sessions, or print of them. The README says which, and where it was seen. */
export const sessionFormats: readonly TapeFormat[] = [
  codexStream,
  codexItems,
  geminiSession,
  geminiStream,
  qwenCode,
  copilotCli,
  opencodeSession,
  opencodeStream,
  gooseSession,
  openHands,
  atif,
  adkSession,
  runState,
  aider,
].map(conversationFormat);
