import assert from 'node:assert/strict';
import { readForkDocument, writeForkDocument } from '../../../src/core/forks/forkDocument';
import { forkName } from '../../../src/core/forks/forkName';
import type { ForkValues } from '../../../src/core/forks/forkValues';

const VALUES: ForkValues = {
  shared: 2,
  model: 'gpt-4o',
  system: 'Be "kind".\nAlways.',
  tools: [{ type: 'function', function: { name: 'lookup', description: "It's a \\ test" } }],
  toolResults: [
    { call: 'call_1', tool: 'lookup', text: '{"order": 7,\n "state": "lost"}' },
    { call: 'call_2', text: "ends with '" },
  ],
  response: { text: undefined, calls: [{ tool: 'lookup', arguments: '{"id": 1}' }] },
};

describe('the document of a fork', () => {
  it('changes nothing as it is written', () => {
    for (const values of [VALUES, { shared: 0, toolResults: [] }]) {
      const text = writeForkDocument(values, 'tapes/refund.tape.json');
      assert.deepEqual(readForkDocument(text, values), { value: {}, problems: [] }, text);
    }
    assert.match(writeForkDocument(VALUES, 't.yaml'), /^# A fork of t\.yaml that shares interactions 1 to 2:/);
  });

  it('says what was changed', () => {
    const text = writeForkDocument(VALUES, 't')
      .replace('"gpt-4o"', '"gpt-4o-mini"')
      .replace('Always.', 'Never.')
      .replace('"lost"', '"found"')
      .replace('{"id": 1}', '{"id": 2}')
      .replace('"name":"lookup"', '"name":"find"');
    assert.deepEqual(readForkDocument(text, VALUES).value, {
      model: 'gpt-4o-mini',
      system: 'Be "kind".\nNever.',
      tools: [{ type: 'function', function: { name: 'find', description: "It's a \\ test" } }],
      toolResults: { call_1: '{"order": 7,\n "state": "found"}' },
      response: [{ type: 'arguments', call: 0, json: '{"id": 2}' }],
    });
  });

  it('names what cannot be, at its place', () => {
    const at = (document: string): string => {
      const { problems } = readForkDocument(document, VALUES);
      return problems.map(({ message, span }) => `${document.slice(span.start, span.end)}: ${message}`).join('; ');
    };
    assert.match(at('modell = "x"'), /unknown field `modell`/);
    assert.match(at('tools = "nope"'), /^"nope": `tools` must be a list in JSON/);
    assert.match(at('[[tool_results]]\ncall = "c"\ntext = "x"'), /no result of a call c/);
    assert.match(at('[response]\ntext = "x"'), /has no such part/);
    assert.match(at('model = '), /./);
  });
});

describe('the name of a fork', () => {
  it('stands beside its tape, and keeps its ending', () => {
    const none = () => false;
    assert.equal(forkName('refund.tape.json', none), 'refund.fork.tape.json');
    assert.equal(forkName('t.yaml', none), 't.fork.yaml');
    assert.equal(forkName('a.b.tape.jsonl.gz', none), 'a.b.fork.tape.jsonl.gz');
    assert.equal(
      forkName('refund.fork.tape.json', (name) => name === 'refund.fork.tape.json'),
      'refund.fork-2.tape.json',
    );
  });
});
