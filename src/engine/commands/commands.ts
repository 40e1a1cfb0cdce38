import type { CliCommand } from './command';

/** A command that is loaded when it is called, so that each costs the start-up only what it needs itself. */
export interface CommandEntry {
  readonly name: string;
  readonly about: string;
  /** Not for people: left out of the help. */
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
    about: 'Find what is wrong with tapes: integrity, syntax, secrets',
    load: async () => (await import('./verify')).verifyCommand,
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
    about: 'Run any agent with its calls of models going through a tape',
    load: async () => (await import('./exec')).execCommand,
  },
  {
    name: 'serve',
    about: 'Record or replay what other programs say to models',
    load: async () => (await import('./serve')).serveCommand,
  },
  {
    name: 'check',
    about: 'The gate for a commit: which changes nobody has decided about',
    load: async () => (await import('./check')).checkCommand,
  },
  {
    name: 'accept',
    about: 'Accept what changed in runs, tapes and baselines',
    load: async () => (await import('./decide')).acceptCommand,
  },
  {
    name: 'reject',
    about: 'Reject what changed in runs, tapes and baselines',
    load: async () => (await import('./decide')).rejectCommand,
  },
  {
    name: 'stability',
    about: 'Record a case several times aside: what varies, how often, and what would hold it still',
    load: async () => (await import('./stability')).stabilityCommand,
  },
  {
    name: 'mcp',
    about: 'Serve this project to coding agents (Model Context Protocol)',
    load: async () => (await import('./mcp')).mcpCommand,
  },
  {
    name: 'flakestorm',
    about: 'Score a flakestorm.yaml; make sessions from reports and LangSmith',
    load: async () => (await import('./flakestorm')).flakestormCommand,
  },
  {
    name: 'rpc',
    about: 'Serve the editor over stdin and stdout',
    hidden: true,
    load: async () => (await import('./rpc')).rpcCommand,
  },
];
