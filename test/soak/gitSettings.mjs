#!/usr/bin/env node
// node test/soak/gitSettings.mjs   sets every setting that git knows to a program that leaves a mark, in a repository
// with changed tapes, and asks for everything that Tapedeck does with git. Exit code 1 when a program ran.
import { createRequire } from 'node:module';
import 'tsx';

const require = createRequire(import.meta.url);
const { tryGitSettings } = require('../harness/gitSettings.ts');

const { tried, refused, ran } = await tryGitSettings((/** @type {string} */ text) => console.log(text));
for (const key of ran) console.log(`RAN  ${key}`);
console.log(`${tried} settings: ${ran.length} ran a program, ${refused} were refused by git as invalid`);
process.exit(ran.length > 0 ? 1 : 0);
