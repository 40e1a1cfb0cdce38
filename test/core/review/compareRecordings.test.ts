import assert from 'node:assert/strict';
import type { Interaction } from '../../../src/core/model/interaction';
import { Normaliser } from '../../../src/core/review/compare/normaliser';
import { compareRecorded } from '../../../src/core/review/compareRecordings';
import { type NamedRecording, readRecording } from '../../../src/core/review/recordings';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';

const interaction = (response: string) => ({
  request: { messages: [{ role: 'user', content: 'Go' }], model: 'm' },
  response,
});
const text = (...answers: readonly string[]): string =>
  JSON.stringify({ version: 1, case_name: 'n', interactions: answers.map(interaction) });

function recording(name: string, content: string): NamedRecording {
  const file = readRecording(name, tapeFileFromText(content, `${name}.tape.json`));
  assert.ok(!('refused' in file));
  return { name, file };
}

/** The same, whose interactions cannot be read. */
function unread({ name, file }: NamedRecording): NamedRecording {
  assert.ok(file.kind === 'tape');
  const { format, problems } = file.tape;
  const tape = {
    format,
    problems,
    get interactions(): readonly Interaction[] {
      return assert.fail('an interaction was read');
    },
  };
  return { name, file: { ...file, tape } };
}

describe('the comparison of any two recordings', () => {
  it('reads no interaction of two that are equal to the last character', () => {
    const [before, after] = [recording('a', text('Yes', 'No')), recording('b', text('Yes', 'No'))];
    const compared = compareRecorded(unread(before), unread(after), new Normaliser());
    assert.deepEqual(compared, { changes: [], hidden: [], notices: [] });
  });

  it('compares all others', () => {
    const compared = compareRecorded(recording('a', text('Yes')), recording('b', text('No')), new Normaliser());
    assert.ok(!('refused' in compared));
    assert.equal(compared.changes.length, 1);
  });
});
