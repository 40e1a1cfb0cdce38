import { lstatSync, readdirSync } from 'node:fs';
import { dirname, join, parse, resolve } from 'node:path';
import { parseCaseAddress, writeCaseAddress } from '../../core/project/caseAddress';
import { isSystemError } from '../errors/systemError';
import { isElsewhere } from './machines';
import { ownPaths } from './paths';

const { isInside, segments } = ownPaths;

/**
 * The whole path of what the user named in a folder, or in a file of it, each name as its folder has it. Where capital letters do not
 * count, as on Windows and macOS, or how letters are composed, several names lead to one file, and git, decisions, and reports know it by
 * that one. What is not there yet keeps the name that was typed. The path may
 * be the address of one of several cases in a file.
 */
export function pathOfUser(folder: string, named: string): string {
  const path = resolve(folder, named);
  if (isElsewhere(path)) return path;
  const start = sharedFolder(folder, path);
  return segments(start, path).reduce((place, name) => join(place, storedName(place, name)), start);
}

/** The nearest folder that both are in: its own name is known. */
function sharedFolder(folder: string, path: string): string {
  if (isInside(folder, path)) return folder;
  const parent = dirname(folder);
  return parent === folder ? parse(path).root : sharedFolder(parent, path);
}

function storedName(folder: string, name: string): string {
  const { path: file, id } = parseCaseAddress(name);
  if (id !== undefined && !isThere(folder, name)) return writeCaseAddress({ path: storedName(folder, file), id });
  if (!isThere(folder, name) || !otherSpellings(name).some((other) => isThere(folder, other))) return name;
  const stored = namesIn(folder);
  return stored.includes(name) ? name : (stored.find((one) => folded(one) === folded(name)) ?? name);
}

function otherSpellings(name: string): readonly string[] {
  const all = [name.toUpperCase(), name.toLowerCase(), name.normalize('NFC'), name.normalize('NFD')];
  return all.filter((one) => one !== name);
}

function folded(name: string): string {
  return name.normalize('NFC').toUpperCase();
}

function isThere(folder: string, name: string): boolean {
  return unlessRefused(() => lstatSync(join(folder, name), { throwIfNoEntry: false })) !== undefined;
}

function namesIn(folder: string): readonly string[] {
  return unlessRefused(() => readdirSync(folder)) ?? [];
}

/** Undefined where the system gives nothing: whoever opens the file says why. */
function unlessRefused<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return undefined;
  }
}
