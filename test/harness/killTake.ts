import type { Case } from '../../src/core/model/case';
import { runAgent } from '../../src/engine/execution/runAgent';
import { OFFLINE } from '../../src/engine/network/policy';
import { createLive } from '../../src/engine/providers/createProvider';
import { RecordingProvider } from '../../src/engine/providers/recorder';
import { Recorder } from '../../src/engine/recording/recorder';
import { newTape } from '../../src/engine/recording/writeTake';

const RECORDER = new Recorder({ environments: [], keys: {}, patterns: [] });

/** Long enough that writing the tape takes a while, in which a kill can strike. */
const PROMPT = 'Tell me about the sea. '.repeat(2500);

/** Records take `number` of a case with the practice model, and gives the text of the tape. The same for everyone. */
export async function recordTake(number: number): Promise<string> {
  const provider = { kind: 'practice', stream: false, timeoutMs: 1000 } as const;
  const testCase: Case = {
    name: `take ${number}`,
    nameSpan: { start: 0, end: 0 },
    prompt: PROMPT,
    agent: { maxIterations: 5, toolTimeoutMs: 1000 },
    tags: [],
    bootstrapFiles: [{ path: 'AGENTS.md', content: 'Be brief.' }],
    tools: [{ name: 'search', description: 'Searches.', schema: {}, result: 'It is wet.', delayMs: 0 }],
    llm: { recordTape: 't.tape.json', provider },
    assertions: [],
  };
  const provided = await createLive(provider, { seed: number, recorder: RECORDER, network: OFFLINE });
  const recorder = new RecordingProvider(provided, RECORDER);
  const { error } = await runAgent(testCase, recorder, { recorder: RECORDER, signal: new AbortController().signal });
  if (error !== null) throw error;
  const { interactions } = recorder;
  const take = { tapePath: 't.tape.json', caseName: testCase.name, interactions, recorder: RECORDER };
  return String((await newTape(take, undefined)).bytes);
}
