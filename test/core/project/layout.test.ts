import assert from 'node:assert/strict';
import { artifactPath, baselinePath, decisionPath, takesFolder } from '../../../src/core/project/layout';

describe('the layout of a project', () => {
  it('keeps the baseline beside its case, and everything else in .tapedeck', () => {
    assert.equal(baselinePath('cases/a.toml'), 'cases/a.baseline.json');
    assert.equal(artifactPath('cases/a.toml'), '.tapedeck/runs/cases/a.artifact.json');
    assert.equal(decisionPath('cases/a.toml'), '.tapedeck/reviews/cases/a.json');
    assert.equal(takesFolder('tapes/a.tape.json'), '.tapedeck/takes/tapes/a.tape.json');
  });

  it('drops the extension of a case in any spelling, and only at the end', () => {
    assert.equal(baselinePath('A.TOML'), 'A.baseline.json');
    assert.equal(baselinePath('a.toml.d/b.toml'), 'a.toml.d/b.baseline.json');
  });

  it('gives different cases different files', () => {
    const files = ['a.toml', 'b/a.toml', 'b/a.b.toml'].flatMap((path) => [artifactPath(path), decisionPath(path)]);
    assert.equal(new Set(files).size, files.length);
  });
});
