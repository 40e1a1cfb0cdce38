import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { quoteForShell } from '../../core/text/shellWord';
import { pathExists } from './fileStatus';
import { readUserState, userStateFile, writeUserState } from './userState';

const SCRIPT = join('bin', 'tapedeck');
const BATCH = join('bin', 'tapedeck.cmd');

/**
 * Writes the program by which others start this command line, in the user's own state: git runs hooks where no terminal's PATH
 * is, and the folder of an extension has another name after each update.
 */
export async function writeLauncher(): Promise<void> {
  await writeUserState(SCRIPT, script());
  await chmod(userStateFile(SCRIPT), 0o700);
  if (process.platform === 'win32') await writeUserState(BATCH, batch());
}

/** Has a launcher lead to this version, where the one that it leads to is gone. */
export async function refreshLauncher(): Promise<void> {
  const [, engine] = /! -f '(.+)' \]/.exec((await readUserState(SCRIPT)) ?? '') ?? [];
  if (engine !== undefined && !(await pathExists(engine))) await writeLauncher();
}

function script(): string {
  const engine = quoteForShell(enginePath());
  return [
    '#!/bin/sh',
    `if [ ! -f ${engine} ]; then`,
    "  echo 'tapedeck: the extension is not there any more. Install it again, or remove the pre-commit hook.' >&2",
    '  exit 127',
    'fi',
    `ELECTRON_RUN_AS_NODE=1 exec ${quoteForShell(process.execPath)} ${engine} "$@"`,
    '',
  ].join('\n');
}

function batch(): string {
  return `@echo off\r\nset ELECTRON_RUN_AS_NODE=1\r\n"${process.execPath}" "${enginePath()}" %*\r\n`;
}

function enginePath(): string {
  return process.argv[1] ?? '';
}
