import { applySplices } from '../text/splice';
import { type EventMessage, readEventStream, writeEventStream } from './awsEventStream';
import { decodeBase64, encodeBase64 } from './base64';
import { concatBytes } from './bytes';
import { type AnswerChanger, type JsonChange, jsonTextSplices } from './changeText';
import { recordOf, textOf } from './fields';
import { eventStreamFrames } from './frames';
import { parseJson } from './parseJson';

/** Changes an answer in the messages of an AWS event stream. Those that change get new checksums, the others stay. */
export function editEventStream(bytes: Uint8Array, changer: AnswerChanger): Uint8Array {
  const { messages } = readEventStream(bytes);
  const changes = changer.inFrames(eventStreamFrames(bytes).frames);
  const end = messages.at(-1)?.end ?? 0;
  const written = messages.map((message, index) => {
    const inFrame = changes[index] ?? [];
    if (inFrame.length === 0) return bytes.subarray(message.start, message.end);
    return writeEventStream([{ ...message, payload: editPayload(message, inFrame) }]);
  });
  return concatBytes([...written, bytes.subarray(end)]);
}

function editPayload({ payload }: EventMessage, changes: readonly JsonChange[]): Uint8Array {
  const text = new TextDecoder().decode(payload);
  return new TextEncoder().encode(editWrapped(text, changes) ?? editJsonText(text, changes));
}

/** `invoke-with-response-stream` wraps the model's own frames: `{"bytes": base64, "p": padding}`. */
function editWrapped(text: string, changes: readonly JsonChange[]): string | undefined {
  const wrapped = textOf(recordOf(parseJson(text)).bytes);
  const bytes = wrapped === undefined ? undefined : decodeBase64(wrapped);
  if (bytes === undefined) return undefined;
  const inner = editJsonText(new TextDecoder().decode(bytes), changes);
  return editJsonText(text, [{ path: ['bytes'], value: encodeBase64(new TextEncoder().encode(inner)) }]);
}

function editJsonText(text: string, changes: readonly JsonChange[]): string {
  return applySplices(text, jsonTextSplices(text, changes));
}
