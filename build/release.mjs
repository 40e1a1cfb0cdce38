#!/usr/bin/env node
// npm run release -- major | minor | patch | --pre-release [--write] [--repository URL] [--out FOLDER]
// Says what the next release would be. With --write it sets the version, dates what is new in CHANGELOG.md, packages the extension and the
// command line with their checksums, commits, and tags. It publishes and pushes nothing: it ends with the commands that do.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { manifestFields, REPOSITORY } from './publishing.mjs';
import { nextVersion, releasedChangelog, withVersion } from './releasePlan.mjs';

const STEPS = /** @type {const} */ (['major', 'minor', 'patch']);
const MANIFESTS = ['package.json', 'package-lock.json'];
const CHANGELOG = 'CHANGELOG.md';

try {
  main();
} catch (error) {
  console.error(`release: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'pre-release': { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      repository: REPOSITORY,
      out: { type: 'string', default: 'out/release' },
    },
  });
  const isPreRelease = values['pre-release'];
  const step = stepOf(positionals, isPreRelease);
  manifestFields(values.repository);
  requireCleanTree();
  const current = JSON.parse(read('package.json')).version;
  const version = nextVersion(current, step);
  const files = changedFiles(version, isPreRelease);
  console.log(`${current} → ${version}${isPreRelease ? ', a pre-release' : ''}`);
  console.log(`changes ${[...files.keys()].join(', ')}`);
  if (values.repository === '')
    console.log(
      'names no repository, so the pages have no pictures: give --repository URL, or set TAPEDECK_REPOSITORY',
    );
  if (!values.write) return console.log('Nothing is written. Run `npm test -- --slow`, then this again with --write.');
  const folder = join(values.out, version);
  try {
    for (const [path, text] of files) writeFileSync(path, text);
    packageBoth(folder, version, { repository: values.repository, isPreRelease });
    git('commit', '--quiet', '--message', `Release ${version}`, '--', ...files.keys());
    git('tag', '--annotate', '--message', `Tapedeck ${version}`, `v${version}`);
  } catch (error) {
    git('checkout', '--quiet', 'HEAD', '--', ...files.keys());
    throw error;
  }
  console.log(`\n${read(join(folder, 'SHA256SUMS'))}\nTo publish:`);
  for (const command of publishing(folder, version, isPreRelease)) console.log(`  ${command}`);
}

/** @param {readonly string[]} words @param {boolean} isPreRelease */
function stepOf(words, isPreRelease) {
  if (isPreRelease && words.length === 0) return 'pre-release';
  const step = STEPS.find((each) => each === words[0]);
  if (step === undefined || words.length > 1 || isPreRelease)
    throw new Error('say one of: major, minor, patch, --pre-release');
  return step;
}

function requireCleanTree() {
  const changed = git('status', '--porcelain').trimEnd();
  if (changed !== '') throw new Error(`commit or stash first what is not committed:\n${changed}`);
}

/**
 * The new texts of the files that a release changes. What is new stays "Unreleased" in a pre-release: the next release lists all of it.
 * @param {string} version @param {boolean} isPreRelease @returns {Map<string, string>}
 */
function changedFiles(version, isPreRelease) {
  const files = new Map(MANIFESTS.map((path) => [path, withVersion(read(path), version)]));
  const today = new Date().toISOString().slice(0, 10);
  if (!isPreRelease) files.set(CHANGELOG, releasedChangelog(read(CHANGELOG), version, today));
  return files;
}

/** @param {string} folder @param {string} version @param {{ repository: string, isPreRelease: boolean }} options */
function packageBoth(folder, version, { repository, isPreRelease }) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const at = ['--repository', repository];
  node('esbuild.mjs', '--production', 'node', 'web', 'webviews', 'worker');
  const vsix = join(folder, `tapedeck-${version}.vsix`);
  node('build/package.mjs', ...at, ...(isPreRelease ? ['--pre-release'] : []), '--out', vsix);
  node('build/packageCli.mjs', ...at, '--out', folder);
  const sums = readdirSync(folder).map((name) => {
    const digest = createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex');
    return `${digest}  ${name}\n`;
  });
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''));
}

/** @param {string} folder @param {string} version @param {boolean} isPreRelease */
function publishing(folder, version, isPreRelease) {
  return [
    `npx vsce publish --packagePath ${join(folder, `tapedeck-${version}.vsix`)}${isPreRelease ? ' --pre-release' : ''}`,
    `npm publish ${join(folder, `tapedeck-cli-${version}.tgz`)} --access public${isPreRelease ? ' --tag next' : ''}`,
    'git push --follow-tags',
  ];
}

/** @param {readonly string[]} args */
function node(...args) {
  execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** @param {readonly string[]} args */
function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' });
}

/** @param {string} path */
function read(path) {
  return readFileSync(path, 'utf8');
}
