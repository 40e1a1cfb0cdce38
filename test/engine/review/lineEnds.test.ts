import assert from 'node:assert/strict';
import { appendFileSync } from 'node:fs';
import type { CheckDocument } from '../../../src/engine/reporters/jsonDocuments';
import type { TestProject } from '../../harness/builtEngine';
import { tapedeck } from '../../harness/inProcess';
import { git, inRepository, NEW, OLD } from '../../harness/repository';

const ENDS = ['lf', 'crlf'] as const;

const YAML = (answer: string): string => `interactions:
- request:
    body: '{"model":"m","messages":[{"role":"user","content":"Weather?"}]}'
    headers: {}
    method: POST
    uri: https://api.openai.com/v1/chat/completions
  response:
    body:
      string: '{"choices":[{"message":{"role":"assistant","content":"${answer}"}}]}'
    headers:
      content-type:
      - application/json
    status:
      code: 200
      message: OK
version: 1
`;

/** Of each kind of tape: its name, what is committed, another take, and how many changes that has. */
const TAPES = [
  ['.tape.json', OLD, NEW, 2],
  ['.yaml', YAML('It rains'), YAML('It snows'), 1],
] as const;

const withEnds = (text: string, ends: string): string =>
  text.replaceAll('\r\n', '\n').replaceAll('\n', ends === 'crlf' ? '\r\n' : '\n');

async function checked(project: TestProject, ...args: string[]): Promise<Readonly<Record<string, readonly string[]>>> {
  const { stdout } = await tapedeck(project, 'check', '--json', ...args);
  const { files } = JSON.parse(stdout) as CheckDocument;
  return Object.fromEntries(files.map(({ path, changes }) => [path, changes.map(({ decision }) => `${decision}`)]));
}

interface TriedTape {
  readonly path: string;
  readonly committed: string;
  readonly onDisk: string;
  readonly isNew: boolean;
  readonly changes: number;
}

const TRIED: readonly TriedTape[] = ENDS.flatMap((before) =>
  ENDS.flatMap((after) =>
    TAPES.flatMap(([ending, old, next, changes]) =>
      [false, true].map((isNew) => ({
        path: `tapes/${before}-${after}-${isNew ? 'new' : 'same'}${ending}`,
        committed: withEnds(old, before),
        onDisk: withEnds(isNew ? next : old, after),
        isNew,
        changes,
      })),
    ),
  ),
);

describe('tapes whose lines end otherwise in the repository and on disk', function () {
  this.timeout(120_000);

  for (const setting of ['true', 'input', 'false'])
    it(`have the changes of what they say, and no others, where core.autocrlf is ${setting}`, async () => {
      await inRepository(Object.fromEntries(TRIED.map(({ path, committed }) => [path, committed])), async (project) => {
        appendFileSync(project.path('.git/config'), `[core]\n\tautocrlf = ${setting}\n\tsafecrlf = false\n`);
        for (const { path, onDisk } of TRIED) await project.write(path, onDisk);
        const all = (decision: string) =>
          Object.fromEntries(
            TRIED.flatMap(({ path, isNew, changes }) =>
              isNew ? [[path, Array.from({ length: changes }, () => decision)]] : [],
            ),
          );
        assert.deepEqual(await checked(project), all('open'));
        git(project, 'add', '.');
        assert.deepEqual(await checked(project, '--staged'), all('open'));
        git(project, 'reset', '-q');
        const changed = TRIED.filter(({ isNew }) => isNew);
        const accepted = await tapedeck(project, 'accept', ...changed.map(({ path }) => path));
        assert.equal(accepted.code, 0, accepted.stderr);
        assert.deepEqual(await checked(project), all('accepted'));
        git(project, 'add', '.');
        assert.deepEqual(await checked(project, '--staged'), all('accepted'), 'as git has them');
        for (const { path, onDisk } of TRIED) assert.equal(await project.read(path), onDisk, path);
        git(project, 'reset', '-q');
        const rejected = await tapedeck(project, 'reject', '--again', ...changed.map(({ path }) => path));
        assert.equal(rejected.code, 0, rejected.stderr);
        assert.deepEqual(await checked(project), {});
        for (const { path, committed } of changed)
          assert.equal(withEnds(await project.read(path), 'lf'), withEnds(committed, 'lf'), path);
      });
    });
});
