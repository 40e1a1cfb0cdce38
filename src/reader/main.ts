import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { TapeFile } from '../core/tapes/tapeFile';
import { useTranslation } from '../core/text/l10n';
import { isListerStart, type ListerApi, listerGuards } from '../protocol/reader/lister';
import {
  isReaderStart,
  portChannel,
  type ReaderApi,
  type ReaderStart,
  readerGuards,
  type ThreadData,
} from '../protocol/reader/reader';
import { type Api, forwardApi, RpcPeer } from '../protocol/rpc/rpc';
import { collectGarbage } from './collectGarbage';
import { FileLister } from './listFile';
import { readTapeFile } from './readFile';
import { openTapeFile } from './releasedTape';
import { TapeSource } from './tapeSource';

/** Milliseconds without a query after which the thread is at rest. */
const REST_MS = 1000;

/** Serves one tape to the parent thread. */
function serve(port: MessagePort, { file, path, version, prices }: ReaderStart): void {
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
  const api = forwardApi(readerGuards, () => source);
  new RpcPeer<ReaderApi, Api>(portChannel(port), readerGuards, api);
  let rest: NodeJS.Timeout | undefined;
  port.on('message', () => {
    clearTimeout(rest);
    rest = setTimeout(collectGarbage, REST_MS);
  });
}

/** Lists files for the parent thread. */
function serveLists(port: MessagePort): void {
  const lister = new FileLister();
  const api = forwardApi(listerGuards, () => lister);
  new RpcPeer<ListerApi, Api>(portChannel(port), listerGuards, api);
}

if (parentPort !== null) {
  // Of the thread that started this one, by the same build.
  const { start, translation } = workerData as ThreadData;
  useTranslation(translation);
  if (isReaderStart(start)) serve(parentPort, start);
  else if (isListerStart(start)) serveLists(parentPort);
}
