#!/usr/bin/env node
// node test/soak/jsonSchema.mjs   JSON-Schema-Test-Suite on our validator: the required tests of the drafts that are claimed, without
// those that need schemas from elsewhere. The suite is taken from the sources of jsonschema on PyPI. Exit code 1 for any other verdict.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const PACKAGE = 'jsonschema==4.23.0';
const DRAFTS = {
  draft4: 'http://json-schema.org/draft-04/schema#',
  draft6: 'http://json-schema.org/draft-06/schema#',
  draft7: 'http://json-schema.org/draft-07/schema#',
  'draft2019-09': undefined,
  'draft2020-12': undefined,
};
/** The addresses of the suite's own server, and of the drafts' own schemas. */
const ELSEWHERE = /localhost:1234|json-schema\.org\/draft/;
/** A vocabulary of its own, which its own schema would say. */
const OWN_VOCABULARY = /^http:\/\/localhost:1234\//;
const NOT_FETCHED = /is not part of it, and nothing is fetched$/;

const root = mkdtempSync(join(tmpdir(), 'tapedeck-schemas-'));
try {
  const { findSchemaMismatch } = await loadValidator();
  const suite = unpackSuite();
  for (const [draft, meta] of Object.entries(DRAFTS)) run(join(suite, draft), draft, meta, findSchemaMismatch);
} finally {
  rmSync(root, { recursive: true, force: true });
}

/** @param {string} folder @param {string} draft @param {string | undefined} meta @param {(schema: unknown, value: unknown) => string | undefined} mismatch */
function run(folder, draft, meta, mismatch) {
  let [passed, left] = [0, 0];
  /** @type {string[]} */
  const wrong = [];
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
    for (const { description, schema, tests } of JSON.parse(readFileSync(join(folder, file), 'utf8'))) {
      const dated = meta === undefined || typeof schema === 'boolean' ? schema : { $schema: meta, ...schema };
      for (const { description: what, data, valid } of tests) {
        const found = mismatch(dated, data);
        const isElsewhere = NOT_FETCHED.test(found ?? '') && ELSEWHERE.test(JSON.stringify(schema));
        if (isElsewhere || OWN_VOCABULARY.test(schema.$schema)) left += 1;
        else if ((found === undefined) === valid) passed += 1;
        else wrong.push(`${file}: ${description}: ${what}`);
      }
    }
  }
  console.log(`${draft}: ${passed} of ${passed + wrong.length} as the suite says; ${left} need schemas from elsewhere`);
  for (const one of wrong) console.log(`  WRONG ${one}`);
  if (wrong.length > 0) process.exitCode = 1;
}

function unpackSuite() {
  const pip = ['-m', 'pip', 'download', PACKAGE, '--no-deps', '--no-binary', 'jsonschema', '--quiet', '-d', root];
  execFileSync('python3', pip, { stdio: ['ignore', 'ignore', 'inherit'] });
  const archive = readdirSync(root).find((name) => name.endsWith('.tar.gz')) ?? '';
  const folder = join(root, 'sources');
  mkdirSync(folder);
  execFileSync('tar', ['xzf', join(root, archive), '--strip-components=1', '-C', folder]);
  return join(folder, 'json/tests');
}

async function loadValidator() {
  const outfile = join(root, 'validator.cjs');
  await build({
    entryPoints: [resolve('src/core/json/schema/findSchemaMismatch.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
  });
  return createRequire(import.meta.url)(outfile);
}
