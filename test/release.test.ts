import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { sourceFiles } from '../build/l10n.mjs';
import { nextVersion, releasedChangelog, withVersion } from '../build/releasePlan.mjs';
import { version as engineVersion } from '../src/engine/version';

const read = (path: string) => readFileSync(join(resolve(__dirname, '..'), path), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

describe('a release', () => {
  it('has an even minor number, and a pre-release an odd one', () => {
    const following = (current: string) =>
      (['major', 'minor', 'patch', 'pre-release'] as const).map((step) => {
        try {
          return nextVersion(current, step);
        } catch {
          return 'refused';
        }
      });
    assert.deepEqual(following('0.2.3'), ['1.0.0', '0.4.0', '0.2.4', '0.3.0']);
    assert.deepEqual(following('0.3.1'), ['1.0.0', '0.4.0', 'refused', '0.3.2']);
    assert.deepEqual(following('1.2.3-beta'), ['refused', 'refused', 'refused', 'refused']);
  });

  it('dates what is new in the changelog, and is none without anything new', () => {
    const released = releasedChangelog('# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.2.0\n', '0.4.0', '2026-01-31');
    assert.equal(released, '# Changelog\n\n## Unreleased\n\n## 0.4.0 – 2026-01-31\n\n- New.\n\n## 0.2.0\n');
    assert.throws(() => releasedChangelog(released, '0.6.0', '2026-02-01'), /nothing below "Unreleased"/);
    assert.throws(() => releasedChangelog('# Changelog\n', '0.4.0', '2026-01-31'), /no part "Unreleased"/);
  });

  it('sets the version where it is written, and changes no other', () => {
    const changed = (path: string) => {
      const [before, after] = [read(path).split('\n'), withVersion(read(path), '9.8.7').split('\n')];
      return after.filter((line, index) => line !== before[index]).map((line) => line.trim());
    };
    const line = '"version": "9.8.7",';
    assert.deepEqual(changed('package.json'), [line]);
    assert.deepEqual(changed('package-lock.json'), [line, line]);
  });

  it('has one version, which is written in the manifest and its lock alone', () => {
    const lock = JSON.parse(read('package-lock.json'));
    assert.deepEqual([lock.version, lock.packages[''].version, engineVersion], [version, version, version]);
    const own = new RegExp(`(?<![\\d.])${version.replaceAll('.', '\\.')}(?![\\d.])`);
    // A comment tells what this version kept, in a room that knows its history.
    const written = sourceFiles(['src', 'webview-ui']).filter(([, code]) =>
      own.test(code.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')),
    );
    assert.deepEqual(
      written.map(([path]) => path),
      [],
    );
    assert.doesNotMatch(read('README.md'), own);
  });
});
