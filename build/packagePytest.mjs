#!/usr/bin/env node
// node build/packagePytest.mjs [--out FOLDER]   packages `pytest-tapedeck` as a wheel, with the engine of what `npm run package:cli` staged in `out/cli`.
// Needs Python with pip, which builds it.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

const SOURCE = 'src/runners/python';
const COMMAND_LINE = 'out/cli';
const STAGE = 'out/pytest';
/** What the engine is made of, in the package of the command line. */
const ENGINE = ['dist', 'l10n', 'media', 'LICENSE', 'THIRD-PARTY-NOTICES.txt'];

const { values } = parseArgs({
  options: { out: { type: 'string', default: '.' }, python: { type: 'string', default: 'python3' } },
});
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));

rmSync(STAGE, { recursive: true, force: true });
cpSync(SOURCE, STAGE, { recursive: true, filter: (path) => !/__pycache__|\.egg-info/.test(path) });
for (const name of ENGINE)
  cpSync(join(COMMAND_LINE, name), join(STAGE, 'pytest_tapedeck/engine', name), { recursive: true });
cpSync('LICENSE', join(STAGE, 'LICENSE'));
// Its last line leads back to the manual, which is not in the wheel.
writeFileSync(join(STAGE, 'README.md'), readFileSync('docs/pytest.md', 'utf8').replace(/\n\[All pages\].*\n$/, ''));
writeFileSync(join(STAGE, 'VERSION'), `${version}\n`);
mkdirSync(values.out, { recursive: true });
const options = ['--no-deps', '--quiet', '--disable-pip-version-check', '--wheel-dir', resolve(values.out)];
execFileSync(values.python, ['-m', 'pip', 'wheel', ...options, '.'], { cwd: STAGE, stdio: 'inherit' });
const wheel = readdirSync(values.out).find((name) => name.startsWith(`pytest_tapedeck-${version}-`));
if (wheel === undefined) throw new Error(`pip made no wheel of ${version}`);
console.log(join(values.out, wheel));
