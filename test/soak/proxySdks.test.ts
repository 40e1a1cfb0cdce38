import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LLMock } from '@copilotkit/aimock';
import { pythonWith } from '../harness/peers';
import { recordAndReplay } from '../harness/proxyTakes';
import type { PythonPeer } from '../harness/pythonPeer';

const run = promisify(execFile);
/** Prints what the SDK returned, chunk by chunk, as JSON. The question asks for a tool, then for an answer. */
const COMMON = `
import json, os, sys, warnings
warnings.filterwarnings('ignore')
SCHEMA = {'type': 'object', 'properties': {'city': {'type': 'string'}}, 'required': ['city'], 'additionalProperties': False}
QUESTION = 'How is the weather in Berlin?'
TOOL = {'type': 'function', 'function': {'name': 'weather', 'description': 'The weather', 'parameters': SCHEMA}}
CALL = {'id': 'call_w', 'type': 'function', 'function': {'name': 'weather', 'arguments': '{"city":"Berlin"}'}}
TURNS = [{'role': 'user', 'content': QUESTION}]
DONE = TURNS + [{'role': 'assistant', 'content': None, 'tool_calls': [CALL]}, {'role': 'tool', 'tool_call_id': 'call_w', 'content': '21'}]
results = []
def keep(value):
    results.append(value.model_dump(mode='json') if hasattr(value, 'model_dump') else value)
`;
const PRINT = "\nassert results\nprint('RESULT ' + json.dumps(results, sort_keys=True))\n";

const SCRIPTS: Readonly<Record<string, { readonly script: string; readonly requests: number }>> = {
  'openai: chat, whole and streamed': {
    requests: 4,
    script: `
from openai import OpenAI
client = OpenAI(max_retries=0)
for messages in (TURNS, DONE):
    keep(client.chat.completions.create(model='gpt-4o-mini', messages=messages, tools=[TOOL]))
    for chunk in client.chat.completions.create(model='gpt-4o-mini', messages=messages, tools=[TOOL], stream=True):
        keep(chunk)
`,
  },
  'openai: responses and embeddings': {
    requests: 3,
    script: `
from openai import OpenAI
client = OpenAI(max_retries=0)
keep(client.responses.create(model='gpt-4o-mini', input='Say hello'))
for event in client.responses.create(model='gpt-4o-mini', input='Say hello', stream=True):
    keep(event)
keep(client.embeddings.create(model='text-embedding-3-small', input=['hello', 'world']))
`,
  },
  'anthropic: messages, whole and streamed': {
    requests: 2,
    script: `
from anthropic import Anthropic
client = Anthropic(max_retries=0)
tools = [{'name': 'weather', 'description': 'The weather', 'input_schema': SCHEMA}]
keep(client.messages.create(model='claude-opus-4-6', max_tokens=100, messages=TURNS, tools=tools))
for event in client.messages.create(model='claude-opus-4-6', max_tokens=100, messages=TURNS, tools=tools, stream=True):
    keep(event)
`,
  },
  'litellm: OpenAI and Anthropic, whole and streamed': {
    requests: 4,
    script: `
os.environ['LITELLM_LOCAL_MODEL_COST_MAP'] = 'True'
import litellm
litellm.telemetry = False
for model in ('openai/gpt-4o-mini', 'anthropic/claude-opus-4-6'):
    whole = litellm.completion(model=model, messages=TURNS, tools=[TOOL], max_tokens=100, num_retries=0)
    keep(whole.choices[0].message.model_dump(mode='json'))
    for chunk in litellm.completion(model=model, messages=TURNS, tools=[TOOL], max_tokens=100, stream=True, num_retries=0):
        keep([choice.delta.model_dump(mode='json') for choice in chunk.choices])
`,
  },
  'pydantic-ai: an agent with a tool, whole and streamed': {
    requests: 4,
    script: `
import asyncio
from pydantic_ai import Agent
agent = Agent('openai-chat:gpt-4o-mini')
@agent.tool_plain
def weather(city: str) -> str:
    return '21'
keep(agent.run_sync(QUESTION).output)
async def stream():
    async with agent.run_stream(QUESTION) as result:
        async for text in result.stream_text(delta=True, debounce_by=None):
            keep(text)
asyncio.run(stream())
`,
  },
};

function weather(mock: LLMock): void {
  mock.on(
    { userMessage: 'weather in Berlin', hasToolResult: false },
    { toolCalls: [{ id: 'call_w', name: 'weather', arguments: '{"city":"Berlin"}' }] },
  );
  mock.on(
    { userMessage: 'weather in Berlin', hasToolResult: true },
    { content: 'It is 21 °C in Berlin, and sunny – enjoy it! 🌞' },
  );
  mock.on({ userMessage: 'hello' }, { content: 'Hello! How can I help you today?' });
  mock.onEmbedding(/.*/, { embedding: [0.25, -0.5, 1e-7, 0.123456789] });
}

describe('a replay through the proxy is what was recorded, in Python', function () {
  this.timeout(600_000);
  let peer: PythonPeer;

  before(async () => {
    peer = await pythonWith('sdks');
    if ('missing' in peer) console.log(`      NOT TESTED: ${peer.missing}`);
  });

  for (const [name, { script, requests }] of Object.entries(SCRIPTS))
    it(`for ${name}`, async function () {
      if ('missing' in peer) return this.skip();
      const { python } = peer;
      const { requests: made } = await recordAndReplay(weather, async (variables) => {
        const env = { PATH: process.env.PATH, HOME: join(python, '..'), ...variables };
        const { stdout } = await run(python, ['-c', COMMON + script + PRINT], {
          env,
          maxBuffer: 1 << 26,
          timeout: 120_000,
        });
        const line = stdout.split('\n').find((text) => text.startsWith('RESULT ')) ?? '';
        return JSON.parse(line.slice('RESULT '.length)) as unknown;
      });
      assert.ok(made >= requests, `${made} requests`);
    });
});
