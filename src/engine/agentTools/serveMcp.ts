import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { AGENT_TOOLS, inputSchemaOf } from '../../contracts/agentTools';
import { UserError } from '../errors/userError';
import { createLastingRecorders, type Recorders } from '../recording/openRecorder';
import { version } from '../version';
import { callTool } from './callTool';

const INSTRUCTIONS =
  'Tapedeck tests LLM agents with recorded runs. List the cases, replay them after a change, and propose results for a person to accept.';

const READING = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
/** A person may have allowed the case's own program: then it can do, and reach, whatever that program does. */
const RUNNING = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

/** Serves the tools of a project over MCP (modelcontextprotocol.io) on stdin and stdout, until stdin ends or `signal` aborts. */
export async function serveMcp(root: string, signal: AbortSignal): Promise<void> {
  const recorders = createLastingRecorders(process.env);
  const server = new Server({ name: 'tapedeck', version }, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: AGENT_TOOLS.map((tool) => ({
      name: tool.name,
      title: tool.title,
      description: tool.description,
      inputSchema: inputSchemaOf(tool),
      annotations: tool.runs ? RUNNING : READING,
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal: cancelled }) =>
    serveCall(params.name, params.arguments, root, AbortSignal.any([cancelled, signal]), recorders),
  );
  const ended = new Promise<void>((resolve) => {
    process.stdin.once('end', resolve);
    process.stdin.once('close', resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.connect(new StdioServerTransport());
  await ended;
  await server.close();
}

/** An error that the agent can fix is returned as a result, because models read only results. */
async function serveCall(name: string, input: unknown, root: string, signal: AbortSignal, recorders: Recorders) {
  try {
    return { content: [{ type: 'text' as const, text: await callTool(name, input, root, signal, recorders) }] };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const text = [error.message, ...(error.fix === undefined ? [] : [error.fix])].join('. ');
    return { content: [{ type: 'text' as const, text }], isError: true };
  }
}
