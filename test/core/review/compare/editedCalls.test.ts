import assert from 'node:assert/strict';
import type { RecordedInteraction } from '../../../../src/core/model/interaction';
import type { ChatResponse } from '../../../../src/core/model/message';
import { compareTapes } from '../../../../src/core/review/compare/compareTapes';
import { tapedeckFormat } from '../../../../src/core/tapes/formats/tapedeck/index';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { say } from '../recordings';

interface Call {
  readonly system?: string;
  readonly asked: string;
  readonly said?: string;
  readonly error?: string;
}

const QUESTIONS = [
  'Which parcels left the harbour yesterday evening?',
  'Please translate the letter of the museum into Danish',
  'How much flour does a bakery need for ninety loaves?',
] as const;
const ANSWERS = ['Two crates of oranges did.', 'Kære gæst, velkommen til vores samling.', 'About sixty kilograms.'];

function interactionOf({ system = 'You help.', asked, said, error }: Call): RecordedInteraction {
  const response: ChatResponse = { content: said ?? null, toolCalls: [], ...(error !== undefined && { error }) };
  const request = { model: 'm', messages: [say('system', system), say('user', asked)], tools: [], params: {} };
  return { kind: 'llm', request, response };
}

function pairsOf(before: readonly Call[], after: readonly Call[]): string {
  const [old, now] = [before, after].map((calls) =>
    tapedeckFormat.read(
      tapeFileFromText(tapedeckFormat.serialise?.('c', calls.map(interactionOf)) ?? '', 'a.tape.jsonl'),
    ),
  );
  assert.ok(old && now && old.interactions.length === before.length);
  const pairs = compareTapes(old, now).pairs;
  return pairs
    .map((pair) => `${pair.beforeIndex ?? '+'}>${pair.afterIndex ?? '-'}${pair.moved ? ' moved' : ''}`)
    .join(', ');
}

const CALLS: readonly Call[] = QUESTIONS.map((asked, at) => ({ asked, said: ANSWERS[at] ?? '' }));
const NEW: Call = { asked: 'Write a poem on thunder, in four lines', said: 'Here it comes, a rolling drum.' };
const ERROR = { said: undefined, error: 'HTTP 500: the server is overloaded' } as object;

describe('a call that was edited in several places', () => {
  it('is the same call, where instructions changed in all requests and one failed', () => {
    const after = CALLS.map((call, at) => ({ ...call, system: 'Be brief.', ...(at === 1 && ERROR) }));
    assert.equal(pairsOf(CALLS, after), '0>0, 1>1, 2>2');
    assert.equal(pairsOf(CALLS, [NEW, ...after]), '+>0, 0>1, 1>2, 2>3');
  });

  it('is the same call, where it failed and has moved', () => {
    const [first, second, third] = CALLS as [Call, Call, Call];
    assert.equal(pairsOf(CALLS, [{ ...third, ...ERROR }, first, second]), '2>0 moved, 0>1, 1>2');
  });

  it('is the same call, where a word of the question is another one and it failed', () => {
    const [first, second, third] = CALLS as [Call, Call, Call];
    const edited = { ...second, asked: second.asked.replace('museum', 'theatre'), ...ERROR };
    assert.equal(pairsOf(CALLS, [first, edited, third]), '0>0, 1>1, 2>2');
  });

  it('is the same call, where instructions changed, a word of the question is another one, it failed, and has moved', () => {
    const [first, second, third] = CALLS.map((call) => ({ ...call, system: 'Be brief.' })) as [Call, Call, Call];
    const edited = { ...second, asked: second.asked.replace('museum', 'theatre'), ...ERROR };
    assert.equal(pairsOf(CALLS, [edited, first, third]), '1>0 moved, 0>1, 2>2');
  });

  it('is the same call beside equal ones, of which one is left', () => {
    const [first, twin] = CALLS as [Call, Call, Call];
    const edited = { ...first, asked: first.asked.replace('evening', 'night'), system: 'Be brief.', said: 'None did.' };
    const left = { ...twin, said: 'Kære gæst.' };
    assert.equal(pairsOf([twin, first, twin], [edited, left]), '0>-, 1>0, 2>1');
    assert.equal(pairsOf([twin, first, NEW, twin, twin], [edited, left]).replaceAll(/\d>-,? ?/g, ''), '1>0, 3>1, ');
  });

  it('is none where another one stands in its place', () => {
    const [first, , third] = CALLS as [Call, Call, Call];
    assert.equal(pairsOf(CALLS, [first, NEW, third]), '0>0, 1>-, +>1, 2>2');
  });
});
