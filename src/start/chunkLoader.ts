import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { type CachedChunk, type CodeCache, canBeCached, readCodeCache, writeCodeCache } from './codeCache';

type Require = (id: string) => unknown;

interface Loaded {
  readonly module: { exports: unknown };
  readonly compiled: Compiled;
}

interface Compiled extends Omit<CachedChunk, 'data'> {
  readonly script: Script;
  readonly kept: Buffer | undefined;
}

type Wrapper = (exports: unknown, require: Require, module: object, filename: string, dirname: string) => void;

/** How Node wraps a CommonJS module. */
const HEAD = '(function (exports, require, module, __filename, __dirname) {';
const TAIL = '\n})';

export interface Start {
  /** What is started: what one start compiles is for the next start of the same. */
  readonly name: string;
  /** The folder of the program. Compiled code is kept in it, where whoever can write can also change the program. */
  readonly folder: string;
  /** The digest of all chunks. */
  readonly build: string;
  /** Of a module that is no chunk. */
  readonly require: Require;
  /** Calls what has V8 compile, or gives what it compiled. */
  readonly compile?: <T>(task: () => T) => T;
}

/**
 * Loads the chunks of the program like Node does, with the code that V8 compiled for an earlier start. It neither parses nor compiles
 * the functions that were called then, and Node need not look for the files.
 */
export class ChunkLoader {
  readonly #start: Start;
  readonly #path: string;
  readonly #kept: CodeCache;
  readonly #loaded = new Map<string, Loaded>();
  #isNew = false;

  constructor(start: Start) {
    this.#start = start;
    const { v8 } = process.versions;
    this.#path = join(start.folder, 'compiled', `${start.name}-${v8}-${process.arch}`);
    this.#kept = readCodeCache(this.#path, start.build);
  }

  /** The exports of a chunk; `path` is that from the program's folder. */
  load(path: string): unknown {
    const loaded = this.#loaded.get(path);
    if (loaded !== undefined) return loaded.module.exports;
    const file = join(this.#start.folder, path);
    const compiled = this.#compile(path, file);
    const module = { exports: {} };
    this.#loaded.set(path, { module, compiled });
    const folder = dirname(path);
    const require: Require = (id) => (id.startsWith('.') ? this.load(join(folder, id)) : this.#start.require(id));
    const wrapper = compiled.script.runInThisContext() as Wrapper;
    try {
      wrapper.call(module.exports, module.exports, require, module, file, dirname(file));
    } catch (error) {
      this.#loaded.delete(path);
      throw error;
    }
    return module.exports;
  }

  /** Keeps what has been compiled so far for the next start, if that is more than what was kept. Never throws: nothing depends on it. */
  keep(): void {
    if (!this.#isNew || !canBeCached(this.#path)) return;
    this.#isNew = false;
    try {
      const code = new Map(this.#kept);
      for (const [path, { compiled }] of this.#loaded) code.set(path, this.#keptOf(compiled));
      writeCodeCache(this.#path, this.#start.build, code);
    } catch {
      // The disk may be full.
    }
  }

  #compile(path: string, filename: string): Compiled {
    const { text, size, mtimeMs } = readChunk(filename);
    const known = this.#kept.get(path);
    const cachedData = known?.size === size && known.mtimeMs === mtimeMs ? known.data : undefined;
    const options = { filename, columnOffset: -HEAD.length, ...(cachedData && { cachedData }) };
    const script = this.#using(() => new Script(`${HEAD}${text}${TAIL}`, options));
    const kept = script.cachedDataRejected === false ? cachedData : undefined;
    if (kept === undefined) this.#isNew = true;
    return { script, size, mtimeMs, kept };
  }

  /** V8 forgets functions that are no longer called: what has more of them is kept. */
  #keptOf({ script, size, mtimeMs, kept }: Compiled): CachedChunk {
    const data = this.#using(() => script.createCachedData());
    return { size, mtimeMs, data: kept !== undefined && kept.length > data.length ? kept : data };
  }

  #using<T>(task: () => T): T {
    const { compile } = this.#start;
    return compile === undefined ? task() : compile(task);
  }
}

function readChunk(path: string): { text: string; size: number; mtimeMs: number } {
  const file = openChunk(path);
  try {
    const { size, mtimeMs } = fstatSync(file);
    return { text: readFileSync(file, 'utf8'), size, mtimeMs };
  } finally {
    closeSync(file);
  }
}

/** Throws no system error, which would be taken for one of a file that the user named. */
function openChunk(path: string): number {
  try {
    return openSync(path, 'r');
  } catch (cause) {
    throw new Error(`a part of the program is missing: ${path}`, { cause });
  }
}
