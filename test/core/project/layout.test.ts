import assert from 'node:assert/strict';
import { dirname, normalize } from 'node:path/posix';
import {
  artifactPath,
  baselinePath,
  decisionPath,
  decisionPathOf,
  forkBasePath,
  isForkBasePath,
  sampleInPath,
  stabilityFolder,
  takesFolder,
  trialCellFolder,
} from '../../../src/core/project/layout';

describe('the layout of a project', () => {
  it('keeps the baseline beside its case, and everything else in .tapedeck', () => {
    assert.equal(baselinePath('cases/a.toml'), 'cases/a.baseline.json');
    assert.equal(artifactPath('cases/a.toml'), '.tapedeck/runs/cases/a.artifact.json');
    assert.equal(decisionPath('cases/a.toml'), '.tapedeck/reviews/cases/a.json');
    assert.equal(takesFolder('tapes/a.tape.json'), '.tapedeck/takes/tapes/a.tape.json');
  });

  it('keeps the decisions about a file elsewhere inside, also about one on another drive of Windows', () => {
    assert.equal(decisionPathOf('../b.tape.json'), '.tapedeck/reviews/(up)/b.tape.json.decisions.json');
    assert.equal(decisionPathOf('D:/x/b.tape.json'), '.tapedeck/reviews/(D)/x/b.tape.json.decisions.json');
  });

  it('drops the extension of a case in any spelling, and only at the end', () => {
    assert.equal(baselinePath('A.TOML'), 'A.baseline.json');
    assert.equal(baselinePath('a.toml.d/b.toml'), 'a.toml.d/b.baseline.json');
  });

  it('tells from the path of a sample which it is', () => {
    const folder = trialCellFolder('cases/a.b.toml', 'openai/gpt-5', '0123abcd');
    const sample = { caseName: 'a.b', model: 'openai-gpt-5', sample: 12 };
    for (const root of ['', '/project/'])
      assert.deepEqual(sampleInPath(`${root}${folder}/sample-12/artifact.json`), sample);
    for (const other of ['cases/sample-1/a.json', '.tapedeck/trials/trial.json', `${folder}/sample-1`])
      assert.equal(sampleInPath(other), undefined);
  });

  it('has a folder of its own for each case, also for one whose name is dots', () => {
    for (const name of ['.toml', '..toml', '...toml', '....toml', '.git.toml'])
      for (const path of [name, `cases/${name}`]) {
        const parents = path.split('/').slice(0, -1);
        const folders = [stabilityFolder(path), dirname(trialCellFolder(path, 'gpt-4o', '0123abcd'))];
        const kinds = ['.tapedeck/stability', '.tapedeck/trials'];
        for (const [at, folder] of folders.entries())
          assert.equal(dirname(normalize(folder)), [kinds[at], ...parents].join('/'), `${folder} of ${path}`);
      }
  });

  it('knows the copy of a tape that a fork continues, and no path that leads elsewhere', () => {
    assert.ok(isForkBasePath(forkBasePath('0123456789ab', 'a.tape.json')));
    for (const path of [
      '.tapedeck/forks/.git/HEAD',
      '.tapedeck/forks/0123456789ab',
      '.tapedeck/forks/0123456789ab/..',
      '.tapedeck/forks/0123456789ab/../../../src/a',
      '.tapedeck/forks/0123456789ab/..\\..\\a',
      '.tapedeck/forks/../ab/a',
      '.tapedeck/forks/0123456789ab/b/a',
      '/.tapedeck/forks/0123456789ab/a',
      'x/.tapedeck/forks/0123456789ab/a',
      '.tapedeck/takes/0123456789ab/a',
      'src/a.ts',
    ])
      assert.ok(!isForkBasePath(path), path);
  });

  it('gives different cases different files', () => {
    const files = ['a.toml', 'b/a.toml', 'b/a.b.toml'].flatMap((path) => [artifactPath(path), decisionPath(path)]);
    assert.equal(new Set(files).size, files.length);
  });
});
