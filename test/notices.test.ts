import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PROJECT = resolve(__dirname, '..');

describe('the notices of what is packaged', () => {
  const notices = (): { readonly text: string; readonly found: ReadonlyMap<string, string> } => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['esbuild.mjs', '--notices'], {
      cwd: PROJECT,
      encoding: 'utf8',
      maxBuffer: 64e6,
    });
    assert.equal(status, 0, stderr);
    const sections = stdout.split(`\n${'-'.repeat(80)}\n\n`);
    return {
      text: stdout,
      found: new Map(sections.map((section) => [section.slice(0, section.indexOf(' ')), section])),
    };
  };

  it('have the text of each licence, and what the packages have to say of others', () => {
    const { text: all, found } = notices();
    for (const name of ['brotli', 'fflate', 're2js', '@noble/hashes', 'monaco-editor', 'preact', '@vscode/codicons'])
      assert.ok(found.has(name), `${name} is not among ${[...found.keys()].join(' ')}`);
    for (const [name, text] of found) {
      assert.ok(text.length > 600, `${name}: ${text}`);
      assert.match(
        text,
        /Permission is hereby granted|Permission to use, copy|Apache License|Redistribution and use|Mozilla Public/,
        name,
      );
    }
    assert.match(found.get('brotli') ?? '', /Copyright 2013 Google[\s\S]*Grant of Patent License/);
    const others = readFileSync(join(PROJECT, 'node_modules/monaco-editor/ThirdPartyNotices.txt'), 'utf8');
    assert.ok(all.includes(others.trim()));
  });
});
