import { EXIT_CODES } from '../../core/cases/runOutcome';
import { findRoot } from '../project/findRoot';
import { command, refuseArguments } from './command';

export const mcpCommand = command({
  usage: '',
  about: 'Serve this project to coding agents over the Model Context Protocol, on stdin and stdout',
  options: {},
  details: `Agents can list cases, replay them, explain drift, read an interaction, and propose an acceptance. They cannot record,
accept, or change a tape: only a person can. A case that starts a program ([agent] command, a Python agent of Flakestorm) or
calls a service ([agent] url) is refused, until a person allows it in VS Code: "Tapedeck Permissions: Let Coding Agents Run This Case".`,
  examples: ['tapedeck mcp'],
  async run({ positionals }, terminal) {
    refuseArguments(positionals);
    const { serveMcp } = await import('../agentTools/serveMcp');
    await serveMcp(findRoot(terminal.cwd, terminal.cwd), terminal.signal);
    return EXIT_CODES.ok;
  },
});
