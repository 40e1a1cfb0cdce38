import assert from 'node:assert/strict';
import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strFromU8, unzipSync } from 'fflate';
import { nextVersion } from '../../build/releasePlan.mjs';
import { projectRoot } from '../harness/story';

const REPOSITORY = 'https://example.invalid/team/tapedeck';

/** A release of a clone, as `npm run release` makes it. */
describe('a packaged release', function () {
  this.timeout(300_000);
  const folder = mkdtempSync(join(tmpdir(), 'tapedeck-release-'));
  const clone = join(folder, 'clone');
  const user = { NAME: 'Story', EMAIL: 'story@example.invalid' };
  const author = Object.entries(user).flatMap(([key, value]) => [
    [`GIT_AUTHOR_${key}`, value],
    [`GIT_COMMITTER_${key}`, value],
  ]);
  const { TAPEDECK_REPOSITORY: _, ...inherited } = process.env;
  const env = { ...inherited, ...Object.fromEntries(author) };
  const release = (...args: readonly string[]): SpawnSyncReturns<string> =>
    spawnSync(process.execPath, ['build/release.mjs', ...args], { cwd: clone, env, encoding: 'utf8' });
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: clone, env, encoding: 'utf8' }).trim();
  const read = (path: string) => readFileSync(join(clone, path), 'utf8');
  const versionOf = (text: string) => (JSON.parse(text) as { version: string }).version;
  const unzipped = (vsix: string, path: string) =>
    strFromU8(
      unzipSync(readFileSync(join(clone, vsix)), { filter: ({ name }) => name === path })[path] ?? new Uint8Array(),
    );
  let current: string;

  before(() => {
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', projectRoot, clone]);
    symlinkSync(join(projectRoot, 'node_modules'), join(clone, 'node_modules'));
    // The link is no folder, as .gitignore has it.
    writeFileSync(join(clone, '.git/info/exclude'), 'node_modules\n');
    current = versionOf(read('package.json'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('is only told without --write, and refused where something is not committed', () => {
    const told = release('minor');
    assert.equal(told.status, 0, told.stderr);
    assert.match(told.stdout, new RegExp(`^${current} → ${nextVersion(current, 'minor')}\\n`));
    assert.match(told.stdout, /Nothing is written/);
    assert.equal(git('status', '--porcelain'), '');
    writeFileSync(join(clone, 'new.txt'), '');
    const refused = release('minor', '--write');
    assert.deepEqual([refused.status, /not committed:\n\?\? new\.txt/.test(refused.stderr)], [1, true], refused.stderr);
    rmSync(join(clone, 'new.txt'));
    for (const args of [[], ['large'], ['minor', '--pre-release'], ['minor', '--repository', 'http://example.invalid']])
      assert.equal(release(...args).status, 1, args.join(' '));
  });

  it('writes the version and the changelog, packages both with checksums, commits, and tags', () => {
    const version = nextVersion(current, 'minor');
    const made = release('minor', '--write', '--repository', REPOSITORY);
    assert.equal(made.status, 0, made.stderr);
    assert.equal(git('status', '--porcelain'), '');
    assert.deepEqual([git('log', '-1', '--format=%s'), git('describe')], [`Release ${version}`, `v${version}`]);
    assert.deepEqual([versionOf(read('package.json')), versionOf(read('package-lock.json'))], [version, version]);
    assert.match(read('CHANGELOG.md'), new RegExp(`## Unreleased\\n\\n## ${version} – \\d{4}-\\d\\d-\\d\\d\\n`));

    const out = join('out/release', version);
    const [sums, cli, vsix] = ['SHA256SUMS', `tapedeck-cli-${version}.tgz`, `tapedeck-${version}.vsix`];
    assert.deepEqual(readdirSync(join(clone, out)).sort(), [sums, cli, vsix].sort());
    for (const line of readFileSync(join(clone, out, sums), 'utf8')
      .trimEnd()
      .split('\n')) {
      const [digest, name = ''] = line.split('  ');
      assert.equal(
        createHash('sha256')
          .update(readFileSync(join(clone, out, name)))
          .digest('hex'),
        digest,
        name,
      );
    }
    const manifest = JSON.parse(unzipped(join(out, vsix), 'extension/package.json'));
    assert.deepEqual([manifest.version, manifest.repository.url], [version, `${REPOSITORY}.git`]);
    assert.ok(!('private' in manifest) && !('devDependencies' in manifest));
    assert.match(
      unzipped(join(out, vsix), 'extension/readme.md'),
      /\]\(https:[^)]*\/raw\/HEAD\/media\/pictures\/film\.webp\)/,
    );
    const packed = JSON.parse(read('out/cli/package.json'));
    assert.deepEqual([packed.version, packed.homepage], [version, `${REPOSITORY}#readme`]);
    const told = execFileSync(process.execPath, ['dist/engine.js', '--version'], { cwd: clone, encoding: 'utf8' });
    assert.equal(told, `${version}\n`);
  });

  it('is a pre-release with an odd number, of which the changelog says nothing yet', () => {
    const version = nextVersion(versionOf(read('package.json')), 'pre-release');
    const { stdout } = release('--pre-release');
    assert.match(stdout, new RegExp(`→ ${version}, a pre-release\\nchanges package\\.json, package-lock\\.json\\n`));
    execFileSync(process.execPath, ['build/package.mjs', '--pre-release', '--out', 'pre.vsix'], {
      cwd: clone,
      stdio: 'ignore',
    });
    assert.match(unzipped('pre.vsix', 'extension.vsixmanifest'), /VisualStudio\.Code\.PreRelease" Value="true"/);
  });
});
