import { frame, LineFraming, parseFrame } from '../../protocol/ndjson';
import type { Channel } from '../../protocol/rpc';

/** A channel over two streams, one JSON value a line. A line that is no JSON is passed over. `ended`: no more comes. */
export function stdioChannel(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): { readonly channel: Channel; readonly ended: Promise<void> } {
  const lines = new LineFraming();
  input.setEncoding('utf8');
  const ended = new Promise<void>((resolve) => {
    for (const event of ['end', 'close', 'error']) input.once(event, () => resolve());
  });
  const channel: Channel = {
    send: (message) => void output.write(frame(message)),
    onMessage(listener) {
      const receive = (chunk: string): void => {
        for (const message of lines.push(chunk).map(parseFrame)) if (message !== undefined) listener(message);
      };
      input.on('data', receive);
      return () => input.off('data', receive);
    },
  };
  return { channel, ended };
}
