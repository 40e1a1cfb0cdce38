import * as assert from 'node:assert/strict';
import { posix, win32 } from 'node:path';
import fc from 'fast-check';
import { pathsOf } from '../../../src/engine/files/paths';

const windows = pathsOf(win32);
const unix = pathsOf(posix);

const name = fc.constantFrom('a', 'b', 'a.b', '.a', '...', '..', '.', '', 'A', 'é', 'É', 'İş', 'ß', 'a b', '日本');
const names = fc.array(name, { maxLength: 5 });
const unixPath = fc.tuple(fc.constantFrom('', '/', '.'), names).map(([start, below]) => start + below.join('/'));
const windowsPath = fc
  .tuple(fc.constantFrom('C:\\', 'c:/', 'D:\\', '\\\\host\\share\\'), names, fc.constantFrom('\\', '/'))
  .map(([start, below, separator]) => start + below.join(separator));
/** A folder with paths that begin like it, and others. */
const pairOf = (path: fc.Arbitrary<string>, separator: string) =>
  fc
    .tuple(path, path, names, fc.boolean())
    .map(([folder, other, below, isBelow]) => [folder, isBelow ? folder + below.join(separator) : other] as const);
const unixPair = pairOf(unixPath, '/');
const windowsPair = pairOf(windowsPath, '\\');

const check = <T>(values: fc.Arbitrary<T>, holds: (value: T) => void): void =>
  fc.assert(fc.property(values, holds), { numRuns: 3000 });

describe('the way from a folder to a path', () => {
  it('is that of Node on posix, however both are written', () =>
    check(unixPair, ([folder, other]) => {
      const way = posix.relative(folder, other);
      assert.equal(unix.fromRoot(folder, other), way);
      assert.equal(unix.isInside(folder, other), way !== '..' && !way.startsWith('../'));
    }));

  it('leads back to the path, on Windows too', () =>
    check(windowsPair, ([folder, other]) => {
      const way = windows.fromRoot(folder, other);
      assert.ok(!way.includes('\\'), way);
      assert.ok(windows.isSame(win32.resolve(folder, way), other), `${folder} and ${way} is not ${other}`);
    }));

  it('is that of Node on Windows, for letters as many as their small ones', () =>
    check(windowsPair, ([folder, other]) => {
      if (/İ/.test(folder + other)) return;
      const way = win32.relative(folder, other);
      assert.equal(windows.fromRoot(folder, other), way.replaceAll('\\', '/'));
      assert.equal(windows.isInside(folder, other), !win32.isAbsolute(way) && !/^\.\.(?:\\|$)/.test(way));
    }));

  it('has names of which none climbs, where the path is inside', () =>
    check(windowsPair, ([folder, other]) => {
      const segments = windows.segments(folder, other);
      assert.equal(windows.isInside(folder, other), segments[0] !== '..' && !win32.isAbsolute(segments[0] ?? ''));
    }));
});

describe('a path of Windows', () => {
  const inside: readonly (readonly [folder: string, path: string, way: string])[] = [
    ['C:\\p', 'c:\\P\\Tapes\\a.json', 'Tapes/a.json'],
    ['C:\\p', 'C:/p/a.json', 'a.json'],
    ['C:\\', 'C:\\a.json', 'a.json'],
    ['C:\\p', '\\\\?\\C:\\p\\a.json', 'a.json'],
    ['\\\\?\\C:\\p', 'C:\\p\\a.json', 'a.json'],
    ['\\\\?\\UNC\\host\\share\\p', '\\\\HOST\\share\\p\\a.json', 'a.json'],
    ['\\\\host\\share', '\\\\host\\share\\a.json', 'a.json'],
    ['C:\\İş', 'C:\\İş\\a.json', 'a.json'],
    ['C:\\Ä日本', 'C:\\ä日本\\a.json', 'a.json'],
    [`C:\\${'d'.repeat(240)}`, `C:\\${'d'.repeat(240)}\\a.json`, 'a.json'],
    ['C:\\p', 'C:\\p\\..a\\b', '..a/b'],
    ['C:\\p', 'C:\\p', ''],
  ];
  for (const [folder, path, way] of inside)
    it(`${path} is in ${folder}`, () => {
      assert.equal(windows.isInside(folder, path), true);
      assert.equal(windows.fromRoot(folder, path), way);
    });

  const outside: readonly (readonly [folder: string, path: string])[] = [
    ['C:\\p', 'D:\\p\\a.json'],
    ['C:\\p', 'C:\\pp\\a.json'],
    ['C:\\p', 'C:\\p\\..\\a.json'],
    ['C:\\p', '\\\\host\\share\\p\\a.json'],
    ['\\\\host\\share', '\\\\host\\other\\a.json'],
    ['C:\\p', '\\\\.\\pipe\\p'],
    ['C:\\p', '\\\\?\\GLOBALROOT\\Device\\p'],
    // Two names to NTFS: a letter beyond ASCII is none of ASCII, whatever a language says.
    ['C:\\k', 'C:\\\u212a\\a.json'],
    ['C:\\strasse', 'C:\\straße\\a.json'],
    ['C:\\i', 'C:\\ı\\a.json'],
  ];
  for (const [folder, path] of outside)
    it(`${path} is not in ${folder}`, () => assert.equal(windows.isInside(folder, path), false));

  it('is whole where no way leads there', () => {
    assert.equal(windows.fromRoot('C:\\p', 'D:\\x\\a.json'), 'D:/x/a.json');
    assert.equal(windows.fromRoot('C:\\p', '\\\\host\\share\\a.json'), '//host/share/a.json');
  });

  const unusable = [
    ['C:\\p\\CON', 'CON'],
    ['C:\\p\\NUL.tape.json', 'NUL.tape.json'],
    ['C:\\aux\\a.json', 'aux'],
    ['C:\\p\\com1.json', 'com1.json'],
    ['C:\\p\\COM¹', 'COM¹'],
    ['C:\\p\\lpt9 .txt', 'lpt9 .txt'],
    ['C:\\p\\a:b', 'a:b'],
    ['C:\\p\\a.json::$DATA', 'a.json::$DATA'],
    ['C:\\p\\.tapedeck.\\a', '.tapedeck.'],
    ['C:\\p\\.tapedeck \\a', '.tapedeck '],
    ['C:\\p\\what?.json', 'what?.json'],
    ['C:\\p\\tab\t.json', 'tab\t.json'],
  ] as const;
  for (const [path, named] of unusable)
    it(`${JSON.stringify(path)} is no name of a file`, () => {
      assert.equal(windows.unusableName(path), named);
      assert.equal(unix.unusableName(path.replaceAll('\\', '/')), undefined);
    });

  for (const path of [
    'C:\\p\\console.json',
    'C:\\p\\nuls',
    'C:\\p\\com10',
    'C:\\PROGRA~1\\a.json',
    '\\\\?\\C:\\p\\a',
    'C:\\p\\..\\a',
  ])
    it(`${path} is usable`, () => assert.equal(windows.unusableName(path), undefined));
});

describe('a hostile path of Windows', () => {
  const ROOT = 'C:\\p';
  const device = fc
    .tuple(
      fc.constantFrom('con', 'prn', 'aux', 'nul', 'com1', 'com9', 'com¹', 'lpt2', 'lpt³', 'CONIN$', 'conout$'),
      fc.constantFrom('', ' ', '.', '.json', '.tape.json', ' .txt', '. . .', '::$DATA', ':a'),
      fc.boolean(),
    )
    .map(([word, ending, isLarge]) => (isLarge ? word.toUpperCase() : word) + ending);
  const hiding = fc
    .tuple(
      fc.constantFrom('a.json', '.git', '.tapedeck', 'tapes'),
      fc.constantFrom('.', ' ', '...', ' .', ':a', '::$DATA', ':$I30'),
    )
    .map(([word, ending]) => word + ending);
  const plain = fc.constantFrom('a', 'tapes', 'A b', '日本', '.tapedeck');

  it('is that of no file, wherever a name of a device, of a stream, or one that hides its end stands', () =>
    check(
      fc.tuple(fc.array(plain, { maxLength: 3 }), fc.oneof(device, hiding), fc.array(plain, { maxLength: 2 })),
      ([before, hostile, after]) => {
        const path = [ROOT, ...before, hostile, ...after].join('\\');
        assert.notEqual(windows.unusableName(path), undefined, path);
        assert.notEqual(windows.unusableName(path.replaceAll('\\', '/')), undefined, path);
      },
    ));

  it('is inside of no project, unless it is a plain name below it', () => {
    const starts = [
      '\\\\.\\pipe\\',
      '\\\\.\\',
      '\\\\?\\GLOBALROOT\\',
      '//?/Volume{1}/',
      '\\\\host\\p\\',
      'D:',
      'D:\\p\\',
      'C:\\',
      '\\',
      '..\\',
      'a\\..\\..\\',
      '\\\\?\\C:\\q\\',
    ];
    check(fc.tuple(fc.constantFrom(...starts), fc.array(plain, { minLength: 1, maxLength: 3 })), ([start, below]) => {
      const path = win32.resolve(ROOT, start + below.join('\\'));
      assert.equal(windows.isInside(ROOT, path), false, path);
      assert.equal(
        windows.segments(ROOT, path).every((one) => plainNames.has(one)),
        false,
        path,
      );
    });
  });
  const plainNames: ReadonlySet<string> = new Set(['a', 'tapes', 'A b', '日本', '.tapedeck']);
});

describe('the machine of a path', () => {
  const machines = {
    '\\\\host\\share\\a.json': 'host',
    '//Host.example/share/a.json': 'host.example',
    '\\\\?\\UNC\\host\\share\\a': 'host',
    '\\\\host@SSL@443\\DavWWWRoot\\a': 'host@ssl@443',
    '\\/192.0.2.1/c$/a': '192.0.2.1',
    'C:\\p\\a.json': undefined,
    '\\\\?\\C:\\p\\a': undefined,
    '\\\\.\\pipe\\a': undefined,
    '\\a.json': undefined,
    '\\\\wsl$\\Debian\\home': undefined,
    '\\\\localhost\\c$\\a': undefined,
  };
  for (const [path, machine] of Object.entries(machines))
    it(`${path} is of ${machine ?? 'this one'}`, () => {
      assert.equal(windows.machineOf(path), machine);
      assert.equal(unix.machineOf(path), undefined);
    });
});

describe('a text about files', () => {
  it('names those of a folder from there, with / on Windows too', () => {
    const text = 'C:\\p\\cases\\a.toml:3: tape C:\\p\\tapes\\a.json is missing, and D:\\b.json';
    assert.equal(windows.shortened('C:\\p', text), 'cases/a.toml:3: tape tapes/a.json is missing, and D:\\b.json');
    assert.equal(unix.shortened('/p', '/p/cases/a\\b.toml and /q/p/a'), 'cases/a\\b.toml and /q/p/a');
  });
});
