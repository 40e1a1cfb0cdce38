import { readFile } from 'node:fs/promises';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { type Api, type Channel, RpcPeer } from '../../protocol/rpc';
import { isReadingStart, type ReadingStart, readingGuards, type TapeReading } from '../../protocol/tapeReading';
import { tapeReading } from '../base/tapeReading';
import { TapeSource } from './tapeSource';

/** The thread: holds one tape, and answers from it. */
function serve(port: MessagePort, { file, path, version, prices }: ReadingStart): void {
  const document = {
    ...{ uri: { path }, version },
    file: async () => (await tapeReading()).tapeFile(path, await readFile(file)),
  };
  const source = new TapeSource(document, async () => prices);
  const calls: TapeReading = {
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
  new RpcPeer<TapeReading, Api>(channelOf(port), readingGuards, calls);
}

function channelOf(port: MessagePort): Channel {
  return {
    send: (message) => port.postMessage(message),
    onMessage: (listener) => {
      port.on('message', listener);
      return () => port.off('message', listener);
    },
  };
}

if (parentPort !== null && isReadingStart(workerData)) serve(parentPort, workerData);
