import * as assert from 'node:assert/strict';
import fc from 'fast-check';
import { windowsCommand } from '../../../src/engine/process/windowsCommand';

const FILES: Readonly<Record<string, number>> = {
  'C:\\node\\node.exe': 1,
  'C:\\node\\npx.cmd': 1,
  'C:\\Windows\\System32\\cmd.exe': 1,
  'C:\\node\\npx': 1,
  'C:\\p\\node.exe': 1,
  'C:\\p\\run.bat': 1,
  'C:\\p\\.venv\\pyvenv.cfg': 1,
  'C:\\p\\.venv\\Scripts\\python.exe': 1,
  'C:\\p\\.venv\\Scripts\\pytest.exe': 1,
  'C:\\store\\python3.exe': 0,
  'C:\\python\\python.exe': 1,
  'C:\\Program Files\\100%\\tool.cmd': 1,
};

function start(command: readonly string[], path = 'C:\\node;relative;"C:\\Program Files\\100%";C:\\store;C:\\python') {
  const files = new Map(Object.entries(FILES).map(([file, size]) => [file.toLowerCase(), size]));
  const environment = { Path: path, PathExt: '.COM;.EXE;.BAT;.CMD;.JS', SystemRoot: 'C:\\Windows' };
  return windowsCommand(command, { cwd: 'C:\\p', environment, sizeOf: (file) => files.get(file.toLowerCase()) });
}

/** The line that `cmd` has after its own reading: quotes decide, and `%cd:~,%` is nothing. Throws where something is outside of the quotes. */
function readByCmd(line: string): string {
  let isQuoted = false;
  for (const char of line) {
    if (char === '"') isQuoted = !isQuoted;
    else assert.ok(isQuoted || /[\w#$*+./:?@\\ -]/.test(char), `${char} is outside of the quotes of ${line}`);
  }
  assert.ok(!isQuoted, line);
  const withoutNothing = line.replaceAll('%%cd:~,%', '');
  assert.ok(!withoutNothing.includes('%'), line);
  return line.replaceAll('%%cd:~,%', '%');
}

/** The arguments in a line as the C library of Windows reads them: https://learn.microsoft.com/cpp/c-language/parsing-c-command-line-arguments */
function argumentsIn(line: string): string[] {
  const found: string[] = [];
  let argument: string | undefined;
  let isQuoted = false;
  for (let at = 0; at < line.length; at += 1) {
    const [, backslashes = '', quote] = /^(\\*)(")?/.exec(line.slice(at)) ?? [];
    if (quote !== undefined) {
      at += backslashes.length;
      argument = (argument ?? '') + '\\'.repeat(backslashes.length / 2);
      if (backslashes.length % 2 === 1) argument += '"';
      else if (isQuoted && line[at + 1] === '"') {
        argument += '"';
        at += 1;
      } else isQuoted = !isQuoted;
    } else if (line[at] === ' ' && !isQuoted) {
      if (argument !== undefined) found.push(argument);
      argument = undefined;
    } else argument = (argument ?? '') + line[at];
  }
  return argument === undefined ? found : [...found, argument];
}

describe('a command on Windows', () => {
  it('is found on the PATH with the endings of PATHEXT, and never in the working folder first', () => {
    assert.deepEqual(start(['node', 'a.js']), { program: 'C:\\node\\node.exe', args: ['a.js'], isQuoted: false });
    assert.equal(start(['.\\node']).program, 'C:\\p\\node.exe');
    assert.equal(start(['NODE.EXE']).program.toLowerCase(), 'c:\\node\\node.exe');
    assert.deepEqual(start(['missing', 'a']), { program: 'missing', args: ['a'], isQuoted: false });
  });

  it('is Python by the name that it has there', () => {
    assert.equal(start(['.venv/bin/python', 'a.py']).program, 'C:\\p\\.venv\\Scripts\\python.exe');
    assert.equal(start(['./.venv/bin/python3.12']).program, 'C:\\p\\.venv\\Scripts\\python.exe');
    assert.equal(start(['.venv/bin/pytest']).program, 'C:\\p\\.venv\\Scripts\\pytest.exe');
    assert.equal(start(['.venv/Scripts/python.exe']).program, 'C:\\p\\.venv\\Scripts\\python.exe');
    assert.equal(start(['python3', 'a.py']).program, 'C:\\python\\python.exe');
    assert.equal(start(['python3'], 'C:\\store').program, 'C:\\store\\python3.exe');
  });

  it('is a line of cmd where it is a batch file', () => {
    const { program, args, isQuoted } = start(['npx', 'tsx', 'my agent.ts', '--model=a']);
    assert.equal(program, 'C:\\Windows\\System32\\cmd.exe');
    assert.equal(isQuoted, true);
    assert.equal(args.at(-1), '""C:\\node\\npx.cmd" tsx "my agent.ts" "--model=a""');
    assert.match(start(['tool']).args.at(-1) ?? '', /^""C:\\Program Files\\100%%cd:~,%\\tool\.cmd""$/);
  });

  it('is a line as it was typed where cmd is told to run one', () => {
    const line = 'set KEY=x && node "my agent.js" | more';
    const { args, isQuoted } = start(['cmd', '/d', '/c', line], 'C:\\Windows\\System32');
    assert.deepEqual(args, ['/d', '/s', '/c', `"${line}"`]);
    assert.equal(isQuoted, true);
  });

  for (const argument of [
    'a&calc',
    'a"&calc',
    '"',
    '\\"&calc&"',
    '%PATH%',
    '%CD%&calc',
    '!PATH!',
    '^&calc',
    'a|b>c<d',
    '(a)',
    'a\\',
    'a b\\',
    '',
    '日本 é',
  ])
    it(`gives a batch file ${JSON.stringify(argument)} as it is, and runs nothing of it`, () => {
      const line = start(['run.bat', argument], 'C:\\p').args.at(-1)?.slice(1, -1) ?? '';
      assert.deepEqual(argumentsIn(readByCmd(line)).slice(1), [argument]);
    });

  it('keeps whatever is in an argument in its quotes', () =>
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'a"\\%&|^<>!() ,;=日') }), (argument) => {
        const line = start(['run.bat', argument], 'C:\\p').args.at(-1)?.slice(1, -1) ?? '';
        assert.deepEqual(argumentsIn(readByCmd(line)).slice(1), [argument]);
      }),
      { numRuns: 2000 },
    ));

  it('is refused with several lines, which end the line of cmd', () => {
    for (const argument of ['a\nb', 'a\rb', 'a\0b']) assert.throws(() => start(['npx', argument]), /several lines/);
    assert.deepEqual(start(['node', 'a\nb']).args, ['a\nb']);
  });
});
