import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { isReaderStart, portChannel, type ReaderApi, type ReaderStart, readerGuards } from '../protocol/reader';
import { type Api, forwardApi, RpcPeer } from '../protocol/rpc';
import { readTapeFile } from './readFile';
import { TapeSource } from './tapeSource';

/** Serves one tape to the parent thread. */
function serve(port: MessagePort, { file, path, version, prices }: ReaderStart): void {
  const document = {
    uri: { path },
    version,
    file: () => readTapeFile(file, path),
  };
  const source = new TapeSource(document, async () => prices);
  const api = forwardApi(readerGuards, () => source);
  new RpcPeer<ReaderApi, Api>(portChannel(port), readerGuards, api);
}

if (parentPort !== null && isReaderStart(workerData)) serve(parentPort, workerData);
