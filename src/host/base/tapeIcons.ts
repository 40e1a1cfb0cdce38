import * as vscode from 'vscode';
import type { FormatId } from '../../core/model/tape';

type IconFamily = 'conversation' | 'http' | 'session' | 'script' | 'frames' | 'log';

/** What a format's files are, for the eye: the many formats of recorded HTTP look alike, because they are. */
const ICON_FAMILIES: Record<FormatId, IconFamily> = {
  mofa: 'conversation',
  tapedeck: 'http',
  checkagent: 'conversation',
  reyn: 'conversation',
  'langchain-gz': 'http',
  flakestorm: 'script',
  'flakestorm-config': 'script',
  loader: 'script',
  'mofa-golden': 'script',
  'mofa-scenario': 'script',
  'mofa-agent-scenario': 'script',
  'mofa-assertions': 'script',
  inspect: 'log',
  'ws-frames': 'frames',
  'xai-proto': 'frames',
  'mcp-stdio': 'frames',
  'vercel-ai': 'frames',
  'gemini-cli': 'session',
  codex: 'session',
  'claude-code': 'session',
  'azure-test-proxy': 'http',
  opencode: 'http',
  mastra: 'http',
  'polly-har': 'http',
  har: 'http',
  'req-llm': 'http',
  httprr: 'http',
  aimock: 'script',
  vcrpy: 'http',
  'vcrpy-parsed-body': 'http',
  'ruby-vcr': 'http',
  'r-vcr': 'http',
  'go-vcr': 'http',
  httpmock: 'http',
};

const ICONS: Record<IconFamily, string> = {
  conversation: 'comment-discussion',
  http: 'globe',
  session: 'terminal',
  script: 'checklist',
  frames: 'pulse',
  log: 'beaker',
};

/** The name of a codicon for tapes of a format. */
export function tapeIcon(format: FormatId): string {
  return ICONS[ICON_FAMILIES[format]];
}

/** The icon of a tape in a tree; in the colour of errors where the tape has some. */
export function tapeThemeIcon(format: FormatId, isBroken: boolean): vscode.ThemeIcon {
  return new vscode.ThemeIcon(tapeIcon(format), isBroken ? new vscode.ThemeColor('list.errorForeground') : undefined);
}
