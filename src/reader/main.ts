import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { isReaderStart, type ReaderApi, type ReaderStart, readerGuards } from '../protocol/reader';
import { type Api, type Channel, RpcPeer } from '../protocol/rpc';
import { readTapeFile } from './readFile';
import { TapeSource } from './tapeSource';

/** The thread: holds one tape, and answers from it. */
function serve(port: MessagePort, { file, path, version, prices }: ReaderStart): void {
  const document = {
    ...{ uri: { path }, version },
    file: () => readTapeFile(file, path),
  };
  const source = new TapeSource(document, async () => prices);
  const calls: ReaderApi = {
    state: () => source.state(),
    grow: async () => (await source.grow()) ?? null,
    bodies: ({ interactions }) => source.bodies(interactions),
    more: (place) => source.more(place),
    search: (query) => source.search(query),
    playback: ({ interaction }) => source.playback(interaction),
    raw: ({ interaction }) => source.raw(interaction),
    span: ({ interaction }) => source.span(interaction),
    readOnlyReason: async () => (await source.readOnlyReason()) ?? null,
  };
  new RpcPeer<ReaderApi, Api>(portChannel(port), readerGuards, calls);
}

function portChannel(port: MessagePort): Channel {
  return {
    send: (message) => port.postMessage(message),
    onMessage: (listener) => {
      port.on('message', listener);
      return () => port.off('message', listener);
    },
  };
}

if (parentPort !== null && isReaderStart(workerData)) serve(parentPort, workerData);
