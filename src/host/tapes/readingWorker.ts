import { readFileSync } from 'node:fs';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { TapeFile } from '../../core/tapes/tapeFile';
import { type Api, type Channel, RpcPeer } from '../../protocol/rpc';
import { isReadingStart, type ReadingStart, readingGuards, type TapeReading } from '../../protocol/tapeReading';
import { tapeReading } from '../base/tapeReading';
import { TapeSource } from './tapeSource';

/** The thread: holds one tape, and answers from it. */
function serve(port: MessagePort, { file, path, version, prices }: ReadingStart): void {
  const document = {
    ...{ uri: { path }, version },
    file: () => read(file, path),
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

/** Of a text, Node gives the bytes back before it returns; as a buffer they would stay until the engine collects them. */
async function read(file: string, path: string): Promise<TapeFile> {
  const { decodeTapeFile, tapeFileFromText } = await tapeReading();
  const text = readFileSync(file, 'utf8');
  return text.includes(NO_TEXT) ? decodeTapeFile(path, readFileSync(file)) : tapeFileFromText(text, path);
}

/** What stands in the place of bytes that are no UTF-8. Where the file itself has it, it is read twice. */
const NO_TEXT = '\uFFFD';

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
