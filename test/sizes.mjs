#!/usr/bin/env node
// Holds the production build to its budgets, in bytes.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const KB = 1000;
const size = (file) => statSync(join('dist', file)).size;

/** A webview's entry with every chunk it loads at once; what it imports lazily is not part of it. */
const pageSize = (entry) => sizeWith(entry, 'webview', /(?:from|^import|;import)\s*"\.\/([^"]+\.js)"/g);

/** The same of a CommonJS entry: a dynamic import is a `require` in a function of its own. */
const moduleSize = (entry) => sizeWith(entry, '.', /(?<!=>\s*(?:__toESM\()?)require\("(\.[^"]+)"\)/g);

function sizeWith(entry, folder, staticImport) {
  const seen = new Set();
  const visit = (file) => {
    if (seen.has(file)) return;
    seen.add(file);
    const code = readFileSync(join('dist', file), 'utf8');
    for (const [, name] of code.matchAll(staticImport)) visit(join(dirname(file), name));
  };
  visit(join(folder, entry));
  return [...seen].reduce((sum, file) => sum + size(file), 0);
}

const chunks = readdirSync('dist/webview').filter((file) => file.endsWith('.js'));
const budgets = [
  // Functions keep their names, for stack traces: with shortened ones it would be a third less.
  [
    'extension, with the chunks it loads at once',
    moduleSize('extension.js') + moduleSize('chunks/extension.js'),
    310 * KB,
  ],
  // What a reader did not understand is found and compared, keys among other lines, and what a tape does not have: 70 kB. WireMock,
  // ExVCR, Mistral's Conversations, and notices in place of stored sentences: 10 kB. Nineteen new recorders, declared layouts, sixty kinds
  // of secrets, masks for what tools write, and prices by host: 75 kB. Sessions of twelve agents, mocks of six servers, batches, traces of
  // seven services, and forty more kinds of secrets: 55 kB, which is 1.5 kB a format. Sixty kinds of keys and webhooks of 2025 and 2026,
  // and the layouts in which agents read them: 10 kB. Contracts of Pact, messages in lines, states of runs and sessions of ADK, and what
  // logs and mocks have under other names: 10 kB.
  ['extension in the browser, with what reads tapes', size('extension.web.js'), 1645 * KB],
  ['transcript page', pageSize('transcript.js'), 214 * KB],
  ['review page without Monaco', pageSize('review.js'), 100 * KB],
  ['all webview scripts', chunks.reduce((sum, file) => sum + size(`webview/${file}`), 0), 3600 * KB],
];
let over = false;
for (const [name, bytes, budget] of budgets) {
  over ||= bytes > budget;
  console.log(`${bytes > budget ? 'OVER  ' : 'ok    '}${name}: ${(bytes / KB).toFixed(1)} kB of ${budget / KB} kB`);
}
process.exitCode = over ? 1 : 0;
