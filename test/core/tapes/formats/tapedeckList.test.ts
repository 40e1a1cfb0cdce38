import assert from 'node:assert/strict';
import { redactValue } from '../../../../src/core/secrets/redactTape';
import { applyTapeEdits } from '../../../../src/core/tapes/edits/editTape';
import type { ListEdit } from '../../../../src/core/tapes/format';
import { tapedeckFormat } from '../../../../src/core/tapes/formats/tapedeck/index';
import { tapeFileFromText } from '../../../../src/core/tapes/tapeFile';
import { applySplices } from '../../../../src/core/text/splice';
import { wireTape } from '../../../ui/wireTape';

const EDITS: readonly ListEdit[] = [0, 1, 2, 3, 4].flatMap((interaction): ListEdit[] => [
  { type: 'delete', interaction },
  { type: 'duplicate', interaction },
  { type: 'move', interaction, by: 1 },
  { type: 'move', interaction, by: -1 },
]);

function recorded(text: string): string[] {
  return tapedeckFormat.read(tapeFileFromText(text)).interactions.map(({ http }) => JSON.stringify(http));
}

describe('the list of a Tapedeck tape', () => {
  it('is changed although interactions refer to each other: each says afterwards what it said before', () => {
    const before = recorded(wireTape());
    for (const edit of EDITS) {
      const outcome = applyTapeEdits(tapeFileFromText(wireTape()), [edit], redactValue);
      const expected = [...before];
      const [own = ''] = edit.type === 'duplicate' ? [before[edit.interaction]] : expected.splice(edit.interaction, 1);
      if (edit.type !== 'delete') expected.splice(edit.interaction + (edit.type === 'move' ? edit.by : 0), 0, own);
      if (edit.type === 'move' && before[edit.interaction + edit.by] === undefined) {
        assert.ok('refused' in outcome);
        continue;
      }
      assert.ok('splices' in outcome, JSON.stringify(outcome));
      assert.deepEqual(recorded(applySplices(wireTape(), outcome.splices)), expected, JSON.stringify(edit));
    }
  });

  it('leaves the lines before the change as they were', () => {
    const outcome = applyTapeEdits(tapeFileFromText(wireTape()), [{ type: 'delete', interaction: 3 }], redactValue);
    assert.ok('splices' in outcome);
    const lines = wireTape().split('\n');
    const third = lines.findIndex((line) => line.startsWith('{"request":4'));
    assert.equal(outcome.splices[0]?.start, lines.slice(0, third).join('\n').length + 1);
  });

  it('keeps the id of the test that recorded it', () => {
    const text = wireTape().replace(
      /^(\{"tapedeck":"tape","version":1,"name":"[^"]*")\}/,
      '$1,"test":"a.py::test_x[é]"}',
    );
    const outcome = applyTapeEdits(tapeFileFromText(text), [{ type: 'delete', interaction: 0 }], redactValue);
    assert.ok('splices' in outcome, JSON.stringify(outcome));
    const edited = applySplices(text, outcome.splices);
    assert.equal(tapedeckFormat.read(tapeFileFromText(edited)).test, 'a.py::test_x[é]');
  });

  it('is left alone where the file is laid out otherwise', () => {
    const text = wireTape().replace('"tape","version"', '"tape", "version"');
    const outcome = applyTapeEdits(tapeFileFromText(text), [{ type: 'delete', interaction: 0 }], redactValue);
    assert.ok('refused' in outcome && /not have the layout that Tapedeck writes/.test(outcome.refused));
  });
});
