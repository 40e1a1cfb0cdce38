import assert from 'node:assert/strict';
import { join } from 'node:path';
import { LLMock } from '@copilotkit/aimock';
import type { FormatId } from '../../src/core/model/tape';
import { NO_CONFIG } from '../../src/core/project/projectConfig';
import { NetworkPolicy } from '../../src/engine/network/policy';
import { type OpenProxy, openProxy, type ProxyOptions } from '../../src/engine/proxy/openProxy';
import { LazyRecorder } from '../../src/engine/recording/openRecorder';
import { saveRecording } from '../../src/engine/recording/saveRecording';
import { keysOf } from './network';
import { inFolder } from './support';

/** An agent that uses the given variables; its results are compared. */
export type Agent = (variables: Readonly<Record<string, string>>) => Promise<unknown>;

export const KEYS = {
  OPENAI_API_KEY: 'sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY',
  ANTHROPIC_API_KEY: 'sk-ant-api03-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY',
  GEMINI_API_KEY: 'AIzaSyB1cD3eF5gH7iJ9kL1mN3oP5qR7sT9uV1w',
};

/** A server that speaks the APIs and was not written by us. */
export async function withAimock(
  use: (mock: LLMock, upstreams: Record<string, string>) => Promise<void>,
): Promise<void> {
  const mock = new LLMock({ port: 0 });
  await mock.start();
  const { url } = mock;
  try {
    await use(mock, { openai: `${url}/v1`, anthropic: url, gemini: url, ollama: url, azure: url });
  } finally {
    await mock.stop();
  }
}

export function proxyIn(root: string, options: Partial<ProxyOptions> & Pick<ProxyOptions, 'mode'>): Promise<OpenProxy> {
  const tapePath = join(root, 'tapes/agent.tape.yaml');
  const faults: string[] = [];
  const { environment = KEYS, config = NO_CONFIG, mode } = options;
  return openProxy({
    root,
    tapePath,
    config: NO_CONFIG,
    environment,
    network: NetworkPolicy.for(mode === 'replay' ? 'replay' : 'record', keysOf(environment)),
    recorder: new LazyRecorder({ environments: [environment], keys: {}, patterns: config.proxy.redactPatterns }),
    rules: { match: 'exact', onDrift: 'fail', masks: [] },
    onFault: (fault) => faults.push(fault),
    ...options,
  });
}

/** Records an agent against aimock, stops aimock, and lets the agent run again on the tape alone. */
export async function recordAndReplay(
  prepare: (mock: LLMock) => void,
  agent: Agent,
  format: FormatId = 'vcrpy',
): Promise<{ result: unknown; requests: number }> {
  let outcome = { result: undefined as unknown, requests: 0 };
  await inFolder(async (root) => {
    const path = join(root, 'tapes/agent.tape.yaml');
    let recorded: unknown;
    await withAimock(async (mock, upstreams) => {
      prepare(mock);
      const proxy = await proxyIn(root, { mode: 'record', upstreams: { commandLine: upstreams } });
      try {
        recorded = await agent({ ...KEYS, ...proxy.variables });
        await proxy.drain();
        outcome.requests = proxy.recorded.length;
        const recorder = await proxy.recorder.get();
        await saveRecording({ root, path, format, recorded: proxy.recorded, recorder, append: false });
      } finally {
        await proxy.close();
      }
    });
    const proxy = await proxyIn(root, { mode: 'replay', environment: {} });
    try {
      const replayed = await agent(proxy.variables);
      assert.deepEqual(replayed, recorded);
      assert.equal(proxy.tally.text(), `${outcome.requests} exact`);
      assert.deepEqual(await proxy.unused(), []);
    } finally {
      await proxy.close();
    }
    outcome = { result: recorded, requests: outcome.requests };
  });
  return outcome;
}
