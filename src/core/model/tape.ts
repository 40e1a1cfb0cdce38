import type { Problem } from '../text/source';
import type { Interaction } from './interaction';

/** The formats Tapedeck reads. A format is one folder in `core/tapes/formats`; nothing outside of it knows the format. */
export type FormatId =
  | 'mofa'
  | 'mofa-golden'
  | 'mofa-scenario'
  | 'mofa-agent-scenario'
  | 'mofa-assertions'
  | 'checkagent'
  | 'reyn'
  | 'flakestorm'
  | 'flakestorm-config'
  | 'loader'
  | 'inspect'
  | 'ws-frames'
  | 'xai-proto'
  | 'mcp-stdio'
  | 'gemini-cli'
  | 'codex'
  | 'claude-code'
  | 'vercel-ai'
  | 'azure-test-proxy'
  | 'opencode'
  | 'mastra'
  | 'polly-har'
  | 'har'
  | 'req-llm'
  | 'httprr'
  | 'aimock'
  | 'vcrpy'
  | 'vcrpy-parsed-body'
  | 'langchain-gz'
  | 'ruby-vcr'
  | 'r-vcr'
  | 'go-vcr'
  | 'httpmock'
  | 'tapedeck';

/** A file of recorded interactions, whatever its format. */
export interface Tape {
  readonly format: FormatId;
  readonly name?: string | undefined;
  readonly version?: string | undefined;
  /** Hold the list while you walk it: a large tape that nobody uses reads it again, and then has other objects in it. */
  readonly interactions: readonly Interaction[];
  /** Those of its interactions too: to ask for them may take reading all of the tape. */
  readonly problems: readonly Problem[];
  /** How many records the file has, where one interaction is made of several: pieces of a stream, frames, lines of a log. */
  readonly records?: number | undefined;
}
