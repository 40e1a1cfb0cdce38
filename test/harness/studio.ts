import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Case } from '../../src/core/model/case';
import { mofaFormat } from '../../src/core/tapes/formats/mofa/index';
import { inWords } from '../../src/core/text/notice';
import type { AgentRun } from '../../src/engine/execution/agentRun';
import { runAgent } from '../../src/engine/execution/runAgent';
import { createLive } from '../../src/engine/providers/createProvider';
import { RecordingProvider } from '../../src/engine/providers/recorder';
import { copiedContent } from '../../src/engine/recording/recordedContent';
import { Recorder } from '../../src/engine/recording/recorder';
import { replaceTape } from '../../src/engine/recording/replaceTape';
import { takeCount } from '../../src/engine/recording/takes';
import { newTape } from '../../src/engine/recording/writeTake';
import { recordingWith } from './network';
import { caseOf, NEVER, requestOf } from './support';

/** A project with one tape, to record into. */
export class Studio {
  readonly tapePath: string;
  readonly notices: string[] = [];
  readonly env: Record<string, string> = {};

  constructor(readonly root: string) {
    this.tapePath = join(root, 'cases', 't.tape.json');
  }

  async tape(): Promise<string> {
    return readFile(this.tapePath, 'utf8');
  }

  /** Records the case as the engine does: the tape is replaced only after a run without an error. */
  async record(testCase: Case, signal = NEVER): Promise<AgentRun> {
    const { provider } = testCase.llm;
    assert.ok(provider);
    const seed = await takeCount(this.root, this.tapePath);
    const hiding = new Recorder({ environments: [this.env], keys: {}, patterns: [] });
    const live = await createLive(provider, {
      seed,
      recorder: hiding,
      network: recordingWith(this.env),
      onRetry: (notice) => this.notices.push(inWords(notice)),
    });
    const recorder = new RecordingProvider(live, hiding);
    const run = await runAgent(testCase, recorder, { recorder: hiding, signal });
    if (run.error !== null) return run;
    const { tapePath } = this;
    const { interactions } = recorder;
    const content = await newTape({ tapePath, caseName: testCase.name, interactions, recorder: hiding }, undefined);
    await replaceTape({ root: this.root, tapePath, content });
    return run;
  }

  /** Does something that must not touch the tape: it stays as it is, to the byte, with nothing left beside it. */
  async untouched<T>(work: () => Promise<T>): Promise<T> {
    await replaceTape({ root: this.root, tapePath: this.tapePath, content: copiedContent(OLD_TAPE) });
    await writeFile(join(this.root, 'cases', 'other.json'), '');
    const result = await work();
    assert.equal(await this.tape(), OLD_TAPE);
    assert.deepEqual((await readdir(join(this.root, 'cases'))).sort(), ['other.json', 't.tape.json']);
    assert.deepEqual(await readdir(join(this.root, '.tapedeck', 'tmp')), []);
    assert.equal(existsSync(join(this.root, '.tapedeck', 'takes')), false);
    return result;
  }
}

export const OLD_TAPE = mofaFormat.serialise('old', [
  { request: requestOf('hello'), response: { content: 'the old take', toolCalls: [] } },
]);

/** A case with one tool, for a server. */
export function liveCase(baseUrl: string, more = ''): Case {
  return caseOf(`
    name = "live"
    prompt = "What is the weather in Berlin?"
    [[tools]]
    name = "weather"
    description = "Looks the weather up."
    schema = { type = "object", properties = { city = { type = "string" } }, required = ["city"] }
    result = { sky = "sunny", id = 9007199254740993 }
    [llm]
    record_tape = "t.tape.json"
    [llm.provider]
    kind = "open_ai_compatible"
    base_url = "${baseUrl}"
    model = "test-model"
    ${more}`);
}
