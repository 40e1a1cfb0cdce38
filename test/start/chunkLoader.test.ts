import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { chunkLoader } from '../../src/start/chunkLoader';
import { inFolder } from '../harness/support';

const MAIN = `
const other = require("./other.js");
exports.loads = (id) => require(id);
exports.says = () => other.says() + __dirname.slice(-6) + __filename.slice(-7);`;
const OTHER = `exports.says = () => 'old ';
exports.main = require("./main.js");`;

async function inProgram(test: (program: Program) => void): Promise<void> {
  await inFolder(async (folder) => {
    mkdirSync(join(folder, 'chunks'));
    const program = new Program(folder);
    program.write('main', MAIN);
    program.write('other', OTHER);
    test(program);
  });
}

class Program {
  constructor(readonly folder: string) {}

  write(name: string, text: string): void {
    writeFileSync(join(this.folder, 'chunks', `${name}.js`), text);
  }

  loader(): ReturnType<typeof chunkLoader> {
    return chunkLoader(this.folder, 'main', (id) => `node's ${id}`);
  }

  /** What the program says when it is started, and has kept what was compiled. */
  start(): string {
    const loader = this.loader();
    const { says } = loader.load('chunks/main.js') as { says: () => string };
    const said = says();
    loader.keep();
    return said;
  }

  /** The files of kept code. */
  get kept(): readonly string[] {
    const folder = join(this.folder, 'compiled');
    return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  }

  /** Which version of the kept code there is. */
  get stamp(): string {
    const [path = ''] = this.kept;
    const { ino, mtimeNs } = statSync(path, { bigint: true });
    return `${ino} ${mtimeNs}`;
  }
}

describe('the loader of chunks', () => {
  it('loads like Node: once, in cycles, from where they are, and by Node what is no chunk', async () => {
    await inProgram((program) => {
      const loader = program.loader();
      const main = loader.load('chunks/main.js') as { says: () => string; loads: (id: string) => unknown };
      assert.equal(main.says(), 'old chunksmain.js');
      assert.equal(loader.load('chunks/main.js'), main);
      assert.equal((main.loads('../chunks/other.js') as { main: unknown }).main, main);
      assert.equal(main.loads('node:fs'), "node's node:fs");
    });
  });

  it('says which chunk is missing', async () => {
    await inProgram((program) => {
      assert.throws(() => program.loader().load('chunks/none.js'), /none\.js/);
    });
  });

  it('places an error where it is in the file, also in code that was kept', async () => {
    await inProgram((program) => {
      program.write('failing', 'exports.fails = () => { throw new Error("no"); };');
      for (const _ of [1, 2]) {
        const loader = program.loader();
        const { fails } = loader.load('chunks/failing.js') as { fails: () => void };
        assert.throws(fails, ({ stack }: Error) => /failing\.js:1:31\b/.test(stack ?? ''));
        loader.keep();
      }
    });
  });

  it('keeps what was compiled, and writes it again only for more', async () => {
    await inProgram((program) => {
      program.start();
      assert.equal(program.kept.length, 1);
      const first = program.stamp;
      assert.equal(program.start(), 'old chunksmain.js');
      assert.equal(program.stamp, first, 'all of it was used');
      program.write('more', 'exports.more = 1;');
      const loader = program.loader();
      loader.load('chunks/more.js');
      loader.keep();
      const second = program.stamp;
      assert.notEqual(second, first);
      program.start();
      assert.equal(program.stamp, second, 'what was not loaded is still kept');
    });
  });

  it('uses nothing that was compiled of another text, even of as many characters', async () => {
    await inProgram((program) => {
      program.start();
      program.write('other', OTHER.replace('old', 'new'));
      assert.equal(program.start(), 'new chunksmain.js');
      assert.equal(program.start(), 'new chunksmain.js');
    });
  });

  it('uses nothing that is damaged, wherever it is, and replaces it', async () => {
    await inProgram((program) => {
      program.start();
      const [path = ''] = program.kept;
      const whole = readFileSync(path);
      const places = Array.from({ length: 40 }, (_, index) => Math.floor((index * (whole.length - 1)) / 39));
      const damaged = places.map((place) => {
        const bytes = Buffer.from(whole);
        bytes.writeUInt8(bytes.readUInt8(place) ^ 16, place);
        return bytes;
      });
      for (const bytes of [...damaged, whole.subarray(0, 3), whole.subarray(0, 1000), Buffer.alloc(0)]) {
        writeFileSync(path, bytes);
        assert.equal(program.start(), 'old chunksmain.js');
        assert.notDeepEqual(readFileSync(path), bytes);
        const { stamp } = program;
        program.start();
        assert.equal(program.stamp, stamp, 'it is whole again');
      }
    });
  });

  it('starts where nothing can be kept, and leaves nothing there', async () => {
    await inProgram((program) => {
      writeFileSync(join(program.folder, 'compiled'), 'a file');
      assert.equal(program.start(), 'old chunksmain.js');
      assert.equal(readFileSync(join(program.folder, 'compiled'), 'utf8'), 'a file');
    });
  });

  const isRoot = process.getuid?.() === 0;
  it('as root, leaves nothing in the folder of another user', async function () {
    if (!isRoot) this.skip();
    await inProgram((program) => {
      chownSync(program.folder, 65534, 65534);
      assert.equal(program.start(), 'old chunksmain.js');
      assert.deepEqual(program.kept, []);
    });
  });

  it('lets only the user write what it keeps', async function () {
    if (process.platform === 'win32') this.skip();
    await inProgram((program) => {
      chmodSync(program.folder, 0o777);
      const mask = process.umask(0);
      try {
        program.start();
      } finally {
        process.umask(mask);
      }
      for (const path of [join(program.folder, 'compiled'), ...program.kept])
        assert.equal(statSync(path).mode & 0o022, 0, path);
    });
  });
});
