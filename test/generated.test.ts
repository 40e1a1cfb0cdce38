import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generatedFiles } from '../build/generated';
import { projectFolder } from './corpus';

const read = (path: string): string => readFileSync(join(projectFolder, path), 'utf8');
const parsed = (path: string, text: string): unknown => (path.endsWith('.json') ? JSON.parse(text) : text);

describe('what is generated from the source', () => {
  for (const { path, content } of generatedFiles(read))
    it(`${path} is as it was written last: run "npm run generate" after a change`, async () => {
      assert.deepEqual(parsed(path, read(path)), parsed(path, await content()));
    });
});
