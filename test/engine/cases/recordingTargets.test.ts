import assert from 'node:assert/strict';
import { recordingTargets } from '../../../src/engine/cases/recordingTargets';
import { rememberTargets } from '../../../src/engine/network/confirmations';
import { inProject } from '../../harness/builtEngine';

const provider = (baseUrl: string, more = '') =>
  `[llm.provider]\nkind = "open_ai_compatible"\nbase_url = "${baseUrl}"\n${more}`;
const recorded = (more: string) => `name = "c"\nprompt = "p"\n[llm]\ntape = "c.tape.json"\n${more}`;
const own = (agent: string, more = '') =>
  `name = "c"\nprompt = "p"\n[agent]\n${agent}\n[llm]\ntape = "c.yaml"\n${more}`;

const FLAKESTORM = `version: "2.0"
agent:
  endpoint: "https://agent.example/chat"
  type: http
  headers:
    Authorization: "Bearer $\{AGENT_TOKEN}"
golden_prompts:
  - "hi"
invariants:
  - type: valid_json
`;

/** `[host, variable, known, confirmed, isSet, setBy]` of each target of these cases. */
async function targetsOf(files: Readonly<Record<string, string>>, cases: readonly string[], storedKeys: string[] = []) {
  let found: unknown[][] = [];
  await inProject(files, async ({ root, path }) => {
    await rememberTargets(root, [{ host: 'agreed.example', variable: 'OPENAI_API_KEY' }]);
    const targets = await recordingTargets({ root, casePaths: cases.map((name) => `${root}/${name}`), storedKeys });
    found = targets.map(({ host, variable, known, confirmed, isSet, setBy }) => [
      ...[host, variable, known, confirmed, isSet, setBy],
    ]);
    assert.ok(
      targets.every(({ casePath }) => cases.some((name) => casePath === `${root}/${name}`)),
      String(path),
    );
  });
  return found;
}

describe('what a recording would call', () => {
  it('is named by its parsed host, with the variable of its key', async () => {
    const files = {
      'known.toml': recorded(provider('https://api.openai.com/v1')),
      'look-alike.toml': recorded(provider('https://api.openai.com@evil.example/v1')),
      'plain.toml': recorded(provider('http://api.openai.com/v1')),
      'agreed.toml': recorded(provider('https://agreed.example/v1')),
      'other.toml': recorded(provider('https://api.openai.com/v1', 'api_key_env = "MY_GITHUB_TOKEN"\n')),
      'local.toml': recorded(provider('http://localhost:1234/v1')),
    };
    assert.deepEqual(await targetsOf(files, Object.keys(files), ['OPENAI_API_KEY']), [
      ['api.openai.com', 'OPENAI_API_KEY', true, false, true, 'the case'],
      ['evil.example', 'OPENAI_API_KEY', false, false, true, 'the case'],
      ['http://api.openai.com', 'OPENAI_API_KEY', false, false, true, 'the case'],
      ['agreed.example', 'OPENAI_API_KEY', false, true, true, 'the case'],
      ['api.openai.com', 'MY_GITHUB_TOKEN', false, false, false, 'the case'],
      ['localhost', undefined, true, false, false, 'the case'],
    ]);
  });

  it("is the project's provider where the case has none, and nobody where nothing is called", async () => {
    const files = {
      'tapedeck.toml': `${provider('https://gateway.example/v1').replace('llm.provider', 'provider')}`,
      'project.toml': recorded(''),
      'practice.toml': recorded('[llm.provider]\nkind = "practice"\n'),
      'editor.toml': recorded('[llm.provider]\nkind = "vscode_lm"\n'),
      'scripted.toml': 'name = "s"\nprompt = "p"\n[llm]\nresponses = ["x"]\n',
      'broken.toml': 'prompt =',
    };
    const cases = Object.keys(files).filter((name) => name !== 'tapedeck.toml');
    assert.deepEqual(await targetsOf(files, [...cases, 'no.toml']), [
      ['gateway.example', 'OPENAI_API_KEY', false, false, false, 'tapedeck.toml'],
    ]);
  });

  it('is the own agent, for a key of the editor that only pass_env names', async () => {
    const files = {
      'tapedeck.toml': '[agent]\npass_env = ["SEARCH_KEY", "PATH"]\n',
      'program.toml': own('command = ["node", "agent.mjs"]\npass_env = ["OWN_KEY", "NOT_STORED"]'),
    };
    const targets = await targetsOf(files, ['program.toml'], ['SEARCH_KEY', 'OWN_KEY', 'PATH']);
    assert.deepEqual(targets, [
      ["the agent's program", 'SEARCH_KEY', false, false, true, 'pass_env'],
      ["the agent's program", 'OWN_KEY', false, false, true, 'pass_env'],
    ]);
  });

  it('is what its tools call, and the programs of tools for keys of the editor', async () => {
    const variable = (name: string) => `\${${name}}`;
    const servers = {
      web: { url: 'https://tools.example/mcp', headers: { Authorization: `Bearer ${variable('TOOLS_TOKEN')}` } },
      open: { url: 'https://open.example/mcp' },
      local: { command: 'node', args: ['server.mjs'], env: { TOKEN: variable('LOCAL_TOKEN') } },
    };
    const tool = (name: string, more: string) =>
      `[[tools]]\nname = "${name}"\ndescription = ""\nschema = { type = "object" }\n${more}\n`;
    const mcp = (server: string) => tool(server, `mcp = { config = ".mcp.json", server = "${server}" }`);
    const passed = 'command = ["node", "search.mjs"]\npass_env = ["SEARCH_KEY", "OPENAI_API_KEY", "NOT_STORED"]';
    const files = {
      '.mcp.json': JSON.stringify({ mcpServers: servers }),
      'tools.toml': recorded(
        provider('https://api.openai.com/v1') +
          [tool('search', passed), ...['absent', 'web', 'open', 'local'].map(mcp)].join(''),
      ),
    };
    const stored = ['OPENAI_API_KEY', 'SEARCH_KEY', 'LOCAL_TOKEN', 'TOOLS_TOKEN'];
    assert.deepEqual(await targetsOf(files, ['tools.toml'], stored), [
      ['api.openai.com', 'OPENAI_API_KEY', true, false, true, 'the case'],
      ["the tool's program", 'SEARCH_KEY', false, false, true, 'pass_env'],
      ["the tool's program", 'OPENAI_API_KEY', false, false, true, 'pass_env'],
      ['tools.example', 'TOOLS_TOKEN', false, false, true, '.mcp.json'],
      ['open.example', undefined, true, false, false, '.mcp.json'],
      ["the tool's program", 'LOCAL_TOKEN', false, false, true, '.mcp.json'],
    ]);
  });

  it("is where files of the project lead the user's own agent, and the agent itself", async () => {
    const files = {
      'tapedeck.toml': '[proxy.upstream]\nanthropic = "https://evil.example"\nsearch = "https://search.example"\n',
      'program.toml': own('command = ["node", "agent.mjs"]', provider('https://gateway.example/v1')),
      'service.toml': own('url = "https://agent.example/run"'),
      'here.toml': own('url = "http://127.0.0.1:8000/run"'),
    };
    const project = [
      ['evil.example', 'ANTHROPIC_API_KEY', false, false, false, 'tapedeck.toml'],
      ['search.example', undefined, true, false, false, 'tapedeck.toml'],
    ];
    assert.deepEqual(await targetsOf(files, ['program.toml']), [
      ['gateway.example', 'OPENAI_API_KEY', false, false, false, 'the case'],
      ...project,
    ]);
    assert.deepEqual(await targetsOf(files, ['service.toml']), [
      ['agent.example', undefined, false, false, false, 'the case'],
      ...project,
    ]);
    assert.deepEqual((await targetsOf(files, ['here.toml']))[0], [
      '127.0.0.1',
      undefined,
      true,
      false,
      false,
      'the case',
    ]);
  });

  it('is the agent of flakestorm.yaml, with each variable of its request', async () => {
    assert.deepEqual(await targetsOf({ 'flakestorm.yaml': FLAKESTORM }, ['flakestorm.yaml#prompts'], ['AGENT_TOKEN']), [
      ['agent.example', 'AGENT_TOKEN', false, false, true, 'flakestorm.yaml'],
    ]);
  });
});
