// Reads a file as the list of tapes in the sidebar does.
import { readFile, stat } from 'node:fs/promises';
import { listTape } from '../../src/reader/lazyCore';

const [path = ''] = process.argv.slice(2);
stat(path)
  .then(({ size }) => listTape(path, size, () => readFile(path)))
  .then((listed) => {
    console.log(
      listed?.format.label,
      listed?.interactions,
      listed?.problems.slice(0, 3).map(({ message }) => message.slice(0, 200)),
    );
  });
