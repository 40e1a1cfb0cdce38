import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { forward, serve } from '../contracts/contract';
import { lister, listerStart } from '../contracts/reader/lister';
import { portChannel, type ReaderStart, reader, readerStart, type ThreadData } from '../contracts/reader/reader';
import { accepts } from '../core/schema/accepts';
import { useLayouts } from '../core/tapes/declaredLayouts';
import type { TapeFile } from '../core/tapes/tapeFile';
import { useTranslation } from '../core/text/l10n';
import { collectGarbage } from './collectGarbage';
import { FileLister } from './listFile';
import { readTapeFile } from './readFile';
import { openTapeFile } from './releasedTape';
import { TapeSource } from './tapeSource';

/** Milliseconds without a query after which the thread is at rest. */
const REST_MS = 1000;

/** Serves one tape to the parent thread. */
function serveTape(port: MessagePort, { file, path, version, prices }: ReaderStart): void {
  const document = {
    uri: { path },
    version,
    file: () => readTapeFile(file, path),
    open: async <T>(read: (tape: TapeFile) => T) => {
      const opened = await openTapeFile(file, path, read);
      // The text, which is not held any more.
      setImmediate(collectGarbage);
      return opened;
    },
  };
  const source = new TapeSource(document, async () => prices);
  serve(
    reader,
    portChannel(port),
    forward(reader.calls, () => source),
  );
  let rest: NodeJS.Timeout | undefined;
  port.on('message', () => {
    clearTimeout(rest);
    rest = setTimeout(collectGarbage, REST_MS);
  });
}

/** Lists files for the parent thread. */
function serveLists(port: MessagePort): void {
  const files = new FileLister();
  serve(
    lister,
    portChannel(port),
    forward(lister.calls, () => files),
  );
}

if (parentPort !== null) {
  // Of the thread that started this one, by the same build.
  const { start, translation, layouts } = workerData as ThreadData;
  useTranslation(translation);
  useLayouts(layouts);
  if (accepts(readerStart, start)) serveTape(parentPort, start);
  else if (accepts(listerStart, start)) serveLists(parentPort);
}
