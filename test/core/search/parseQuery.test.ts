import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { isQueryProblem, parseQuery } from '../../../src/core/search/parseQuery';
import { QUERY_EXAMPLE, SEARCH_FIELDS } from '../../../src/core/search/query';

const DAY = 86_400_000;

function terms(text: string) {
  const parsed = parseQuery(text);
  if (isQueryProblem(parsed)) assert.fail(parsed.message);
  return parsed.terms;
}

function refused(text: string) {
  const parsed = parseQuery(text);
  if (!isQueryProblem(parsed)) assert.fail(`${text} was understood`);
  return { message: parsed.message, place: text.slice(parsed.start, parsed.end) };
}

describe('a search query', () => {
  it('has words, phrases and fields', () => {
    assert.deepEqual(terms('tool:lookup_order model:=gpt-4o status:429 cost:>0.01 age:>30d "free text" word'), [
      { field: 'tool', name: 'lookup_order', isWhole: false },
      { field: 'model', name: 'gpt-4o', isWhole: true },
      { field: 'status', status: { from: 429, to: 429 } },
      { field: 'cost', compared: { is: '>', than: 0.01 } },
      { field: 'age', compared: { is: '>', than: 30 * DAY } },
      { field: 'text', text: 'free text' },
      { field: 'text', text: 'word' },
    ]);
  });

  it('takes a quoted value, and a field in capitals', () => {
    assert.deepEqual(terms('Tool:"look up" model:="a b"'), [
      { field: 'tool', name: 'look up', isWhole: false },
      { field: 'model', name: 'a b', isWhole: true },
    ]);
  });

  it('has ranges of status', () => {
    const statuses = (text: string) => terms(text).map((term) => (term.field === 'status' ? term.status : undefined));
    assert.deepEqual(statuses('is:error'), ['error'], "as a transcript's filter says it");
    assert.deepEqual(statuses('status:5xx status:>=400 status:<400 status:error'), [
      { from: 500, to: 599 },
      { from: 400, to: 999 },
      { from: 0, to: 399 },
      'error',
    ]);
  });

  it('takes is:error as the filter of a transcript does', () => {
    assert.deepEqual(terms('is:error is:orphan'), [
      { field: 'status', status: 'error' },
      { field: 'is', what: 'orphan' },
    ]);
  });

  it('takes addresses and quoted colons as text', () => {
    assert.deepEqual(
      terms('https://api.example.com "colour:red" 12:30').map((term) => term.field),
      ['text', 'text', 'text'],
    );
  });

  it('says what is wrong, where, and what to write', () => {
    assert.deepEqual(refused('a modle:gpt'), {
      message: 'there is no field modle:. Did you mean model:? Or put it in quotation marks',
      place: 'modle:gpt',
    });
    assert.match(refused('cost:cheap').message, /“cheap” is not a valid value: write cost:>0\.01/);
    assert.match(refused('cost:0.5').message, /cost:0\.5 needs > or <, as in cost:>0\.5/);
    assert.match(refused('age:>3x').message, /“>3x” is not a valid value: write age:>30d/);
    assert.match(refused('status:4').message, /is not a status/);
    assert.match(refused('tool:').message, /needs a value: tool:lookup_order/);
    assert.match(refused('has:cake').message, /has:secrets/);
    assert.match(refused('is:new').message, /is:orphan/);
    assert.deepEqual(refused('a "b c'), { message: 'a quotation mark has no end: add another "', place: '"b c' });
    assert.match(refused('  ').message, /type what to search for/);
    assert.match(refused('""').message, /nothing between/);
  });

  it('understands the examples that teach it', () => {
    for (const { example } of SEARCH_FIELDS) terms(example);
    assert.equal(terms(QUERY_EXAMPLE).length, 5);
  });

  it('is read in full, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab:" =>$1d\\/-') }), (text) => {
        const parsed = parseQuery(text);
        if (isQueryProblem(parsed)) assert.ok(parsed.message !== '' && parsed.start <= parsed.end);
        else assert.ok(parsed.terms.length > 0);
      }),
    );
  });
});
