import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { caseKindOf } from '../../../src/core/cases/registry';
import { readTape } from '../../../src/core/tapes/readTape';
import { tapeFileFromText } from '../../../src/core/tapes/tapeFile';
import { buildEngine } from '../../harness/builtEngine';
import { inCorpus } from '../../harness/engineCorpus';

const FOLDERS = ['mofa', 'mofa-project', 'flakestorm-yaml', 'loader-scripted'];

describe('the cases of the corpus', function () {
  this.timeout(60_000);
  before(buildEngine);

  for (const folder of FOLDERS) {
    it(`in ${folder} are recognised, have the place of their lenses, and run or say what they lack`, async function () {
      await inCorpus(this, folder, async (project) => {
        const table: string[] = [];
        for (const file of filesBelow(project.root)) {
          const text = await project.read(file);
          const kind = caseKindOf(text, file);
          if (kind === undefined) {
            assert.ok(readTape(tapeFileFromText(text, file)), `${file} is neither a case nor a tape`);
            continue;
          }
          const { cases, problems } = kind.list(text, file);
          assert.ok(cases.length > 0 || problems.length > 0, `${file} lists nothing`);
          for (const { span } of cases) assert.ok(span.start >= 0 && span.start <= text.length);
          const { stdout, code } = await project.cli(['run', '--reporter', 'json', file]);
          for (const { name, status, failures } of JSON.parse(stdout).results) {
            const [failure] = failures;
            const outcome = status === 'passed' ? 'passed' : `${failure.message.split('\n')[0]} ${failure.fix ?? ''}`;
            if (status !== 'passed') {
              assert.ok(
                failure.fix || failures.some(({ message }: { message: string }) => message.length > 30),
                outcome,
              );
              assert.notEqual(code, 0);
            }
            table.push(`${kind.id.padEnd(20)} ${name.padEnd(40)} ${outcome}`);
          }
        }
        assert.ok(table.length > 0);
        console.log(table.map((line) => `      ${line}`).join('\n'));
      });
    });
  }
});

function filesBelow(root: string): string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(root, join(parentPath, name)))
    .sort();
}
