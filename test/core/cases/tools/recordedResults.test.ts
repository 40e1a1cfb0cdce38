import assert from 'node:assert/strict';
import { formatToolMiss, toolMissFix } from '../../../../src/core/cases/tools/formatToolMiss';
import { RecordedResults } from '../../../../src/core/cases/tools/recordedResults';
import type { JsonRecord } from '../../../../src/core/json/json';
import type { ToolMatch } from '../../../../src/core/model/case';

const result = (args: JsonRecord, output: string) => ({ arguments: args, output });
const PARIS = result({ city: 'Paris', days: 2 }, 'sunny');
const ROME = result({ city: 'Rome' }, 'rain');

function recorded(match: ToolMatch, ...results: readonly ReturnType<typeof result>[]) {
  return new RecordedResults({ name: 'weather', match, results });
}

describe('the recorded results of a tool', () => {
  it('are found by equal arguments, whatever their order, and null is as absent, which TOML cannot say', () => {
    const results = recorded('exact', PARIS, ROME);
    assert.equal(results.take({ days: 2, city: 'Paris', unit: null }), PARIS);
    assert.equal(results.take({ city: 'Paris' }), undefined);
    assert.equal(results.take({ city: 'Rome', days: 2 }), undefined);
  });

  it('are found by a part of the arguments where that is enough, after equal ones', () => {
    const results = recorded('subset', result({}, 'any'), PARIS, ROME);
    assert.equal(results.take({ city: 'Rome' }), ROME);
    assert.deepEqual(results.take({ city: 'Oslo' }), result({}, 'any'));
    assert.equal(recorded('subset', ROME).take({ city: 'Rome', days: 2 }), ROME);
  });

  it('are served in their order where their arguments are equal, the last again', () => {
    const again = result({ city: 'Rome' }, 'sun');
    const results = recorded('exact', ROME, PARIS, again);
    const outputs = [1, 2, 3].map(() => results.take({ city: 'Rome' }));
    assert.deepEqual(outputs, [ROME, again, again]);
  });

  it('explain a call without one by the nearest, and say what to do', () => {
    const miss = recorded('exact', ROME, PARIS).explain({ city: 'Paris', days: 3 });
    assert.equal(
      formatToolMiss(miss),
      `a call of the tool weather has no result: it differs from result 2 of 2 in one place: argument days: 2 → 3
  arguments: {"city":"Paris","days":3}
  nearest: result 2 of weather, {"city":"Paris","days":2}
    argument days: 2 → 3`,
    );
    assert.match(toolMissFix(miss), /^Add a \[\[tools\.results\]\] with these arguments/);
    const lacking = recorded('subset', PARIS).explain({ city: 'Oslo', days: 2, unit: 'C' });
    assert.match(formatToolMiss(lacking), /in one place: argument city: "Paris" → "Oslo"/);
    const source = { kind: 'command', command: ['x'], passedVariables: [] } as const;
    const none = new RecordedResults({ name: 'weather', source }).explain({});
    assert.match(formatToolMiss(none), /^the tool weather was called, and has no results\n/);
    assert.match(toolMissFix(none), /^Re-record the case/);
  });
});
