import { EXIT_CODES } from '../../core/cases/runOutcome';
import { refreshLauncher } from '../files/launcher';
import { serveRpc } from '../rpc/server';
import { command } from './command';

export const rpcCommand = command({
  usage: '',
  about: "Serve the editor: calls and events of the engine's protocol as NDJSON, until stdin ends",
  options: {},
  examples: ['tapedeck rpc'],
  async run(_, terminal) {
    refreshLauncher().catch((error: unknown) => terminal.note(`the launcher of the hook is not up to date: ${error}`));
    await serveRpc(process.stdin, process.stdout, terminal.signal);
    return EXIT_CODES.ok;
  },
});
