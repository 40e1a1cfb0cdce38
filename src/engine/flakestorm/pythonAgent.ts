import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DEFAULT_AGENT_TIMEOUT_MS } from '../../core/cases/toml/externalAgent';
import type { AgentProgram } from '../../core/model/case';

/**
 * Asks `MODULE:ATTRIBUTE` what stands on stdin, and prints what it says: a function, an object with `invoke`, or a runnable
 * of LangChain, asynchronous or not. The folder of the configuration is where modules are looked for.
 */
const ASK = `
import asyncio, importlib, inspect, os, sys
sys.path.insert(0, os.getcwd())
module, _, name = sys.argv[1].rpartition(":")
agent = getattr(importlib.import_module(module), name)
text = sys.stdin.read()
async def ask():
    runnable = hasattr(agent, "ainvoke")
    call = next((getattr(agent, way) for way in ("ainvoke", "invoke", "arun", "run") if hasattr(agent, way)), agent)
    given = {"input": text} if runnable or sys.argv[2] == "langchain" and hasattr(agent, "invoke") else text
    answer = call(given)
    return await answer if inspect.isawaitable(answer) else answer
answer = asyncio.run(ask())
if isinstance(answer, dict):
    answer = answer.get("output") or answer.get("text") or answer
sys.stdout.write(str(getattr(answer, "content", answer)))
`;

/** An agent of `type: python` or `langchain` as a program. Its Python is the one of the project's own environment. */
export function pythonAgent(type: 'python' | 'langchain', endpoint: string, casePath: string): AgentProgram {
  const folder = dirname(casePath);
  const own = ['.venv', 'venv']
    .flatMap((name) => [join(folder, name, 'bin/python'), join(folder, name, 'Scripts/python.exe')])
    .find((path) => existsSync(path));
  return {
    kind: 'program',
    command: [own ?? 'python3', '-c', ASK, endpoint, type],
    cwd: '.',
    environment: { PYTHONDONTWRITEBYTECODE: '1' },
    timeoutMs: DEFAULT_AGENT_TIMEOUT_MS,
  };
}
