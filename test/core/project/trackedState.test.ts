import assert from 'node:assert/strict';
import { TrackedState } from '../../../src/core/project/trackedState';

describe('what git tracks of a project’s state', () => {
  const file = '.tapedeck/reviews/cases/a.json';

  it('holds a file that is tracked, under another case of letters too, or by a link or submodule on the way', () => {
    for (const path of [file, '.Tapedeck/Reviews/Cases/A.json', '.tapedeck', '.tapedeck/reviews'])
      assert.ok(new TrackedState([path]).holds(file), path);
  });

  it('does not hold a file beside a tracked one', () => {
    for (const path of ['.tapedeck/reviews/cases/b.json', '.tapedeck/reviews/cases/a.json.txt', '.tapedeck/runs'])
      assert.ok(!new TrackedState([path]).holds(file), path);
    assert.ok(!new TrackedState([]).holds(file));
  });
});
