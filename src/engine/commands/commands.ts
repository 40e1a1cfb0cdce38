import type { CliCommand } from './command';

/** A command, loaded when it is called, so that start-up loads only what that command needs. */
export interface CommandEntry {
  readonly name: string;
  readonly about: string;
  /** For programs only; not listed in the help. */
  readonly hidden?: true;
  load(): Promise<CliCommand>;
}

export const commands: readonly CommandEntry[] = [
  {
    name: 'run',
    about: 'Run cases, and compare them with their baselines',
    load: async () => (await import('./run')).runCommand,
  },
  {
    name: 'test-dsl',
    about: 'Run one case exactly as `mofa test-dsl` does',
    load: async () => (await import('./testDsl')).testDslCommand,
  },
  {
    name: 'inspect',
    about: 'Show a tape as a transcript',
    load: async () => (await import('./inspect')).inspectCommand,
  },
  {
    name: 'verify',
    about: 'Find problems in tapes: integrity, syntax, secrets',
    load: async () => (await import('./verify')).verifyCommand,
  },
  {
    name: 'search',
    about: 'Search tapes by text, tool, model, status, cost, and age',
    load: async () => (await import('./search')).searchCommand,
  },
  {
    name: 'formats',
    about: 'List the formats of tapes, and which can be written',
    load: async () => (await import('./formats')).formatsCommand,
  },
  {
    name: 'layout',
    about: 'Describe recordings of a format that Tapedeck does not know',
    load: async () => (await import('./layout')).layoutCommand,
  },
  {
    name: 'convert',
    about: 'Write a tape in another format',
    load: async () => (await import('./convert')).convertCommand,
  },
  {
    name: 'diff',
    about: 'Compare two tapes, or two artifacts',
    load: async () => (await import('./diff')).diffCommand,
  },
  {
    name: 'exec',
    about: 'Run any agent, and record or replay its model calls',
    load: async () => (await import('./exec')).execCommand,
  },
  {
    name: 'serve',
    about: 'Record or replay the model calls of other programs',
    load: async () => (await import('./serve')).serveCommand,
  },
  {
    name: 'mcp-tape',
    about: 'Record or replay an MCP server on stdin and stdout',
    load: async () => (await import('./mcpTape')).mcpTapeCommand,
  },
  {
    name: 'recover',
    about: 'Save or discard recordings that were interrupted, or whose run failed',
    load: async () => (await import('./recover')).recoverCommand,
  },
  {
    name: 'check',
    about: 'List pending changes, for a pre-commit hook and CI',
    load: async () => (await import('./check')).checkCommand,
  },
  {
    name: 'init',
    about: 'Show tapes as conversations in git, and set up reviews of recordings in CI',
    load: async () => (await import('./init')).initCommand,
  },
  {
    name: 'merge',
    about: 'Join the reports of shards into one',
    load: async () => (await import('./merge')).mergeCommand,
  },
  {
    name: 'review',
    about: 'Write all changes as one page to read',
    load: async () => (await import('./review')).reviewCommand,
  },
  {
    name: 'accept',
    about: 'Accept changes in runs, tapes and baselines',
    load: async () => (await import('./decide')).acceptCommand,
  },
  {
    name: 'reject',
    about: 'Reject changes in runs, tapes and baselines',
    load: async () => (await import('./decide')).rejectCommand,
  },
  {
    name: 'fork',
    about: 'Record a new tape that shares the beginning of another one',
    load: async () => (await import('./fork')).forkCommand,
  },
  {
    name: 'takes',
    about: 'List the earlier takes of a tape, or restore one',
    load: async () => (await import('./takes')).takesCommand,
  },
  {
    name: 'stability',
    about: 'Record a case several times, and report what varies and how to stabilise it',
    load: async () => (await import('./stability')).stabilityCommand,
  },
  {
    name: 'trial',
    about: 'Record cases with other models, and compare the models',
    load: async () => (await import('./trial')).trialCommand,
  },
  {
    name: 'mcp',
    about: 'Serve this project to coding agents (Model Context Protocol)',
    load: async () => (await import('./mcp')).mcpCommand,
  },
  {
    name: 'flakestorm',
    about: 'Score a flakestorm.yaml, or create sessions from reports and LangSmith',
    load: async () => (await import('./flakestorm')).flakestormCommand,
  },
  {
    name: 'rpc',
    about: 'Serve the editor over stdin and stdout',
    hidden: true,
    load: async () => (await import('./rpc')).rpcCommand,
  },
];
