import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** How Node wraps a CommonJS module. */
const HEAD = '(function (exports, require, module, __filename, __dirname) {';

/**
 * Loads the program's chunks like Node does, with what V8 compiled for an earlier start of this name. That is known by the checksum of its
 * text, so that nothing stale is used; Node has no checksum before 20.15.
 */
export function chunkLoader(folder: string, name: string, requireOther: (id: string) => unknown) {
  const path = join(folder, 'compiled', `${name}-${process.versions.v8}-${process.arch}`);
  const kept = readKept(path);
  const compiled = new Map<number, Script>();
  const modules = new Map<string, { exports: unknown }>();
  const load = (chunk: string): unknown => {
    const file = join(folder, chunk);
    const module = modules.get(file) ?? { exports: {} };
    if (modules.has(file)) return module.exports;
    const text = readFileSync(file);
    const sum = crc32?.(text);
    const cachedData = kept.get(sum);
    const script = new Script(`${HEAD}${text}\n})`, { filename: file, columnOffset: -HEAD.length, cachedData });
    if (script.cachedDataRejected !== false) compiled.set(sum, script);
    const require = (id: string) => (id.startsWith('.') ? load(join(chunk, '..', id)) : requireOther(id));
    modules.set(file, module);
    script.runInThisContext().call(module.exports, module.exports, require, module, file, join(file, '..'));
    return module.exports;
  };
  /** As root, it leaves nothing that the program's owner could not remove. The checksum tells what was written in part. */
  const keep = (): void => {
    try {
      if (compiled.size === 0 || statSync(folder).uid !== (process.getuid?.() ?? 0)) return;
      for (const [sum, script] of compiled) kept.set(sum, script.createCachedData());
      const code = serialize(kept);
      mkdirSync(join(path, '..'), { recursive: true, mode: 0o755 });
      writeFileSync(path, serialize([crc32(code), code]), { mode: 0o644 });
    } catch {
      // Nothing depends on it.
    }
  };
  return { load, keep };
}

function readKept(path: string): Map<number, Buffer> {
  try {
    const [sum, code] = deserialize(readFileSync(path)) as [number, Buffer];
    return crc32(code) === sum ? (deserialize(code) as Map<number, Buffer>) : new Map();
  } catch {
    return new Map();
  }
}
