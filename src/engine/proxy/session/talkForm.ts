import { GrpcMessages } from '../../../core/wire/grpc/grpcMessages';
import { grpcCode } from '../../../core/wire/grpc/status';
import type { Carrier, TalkEnd, TalkMessage } from '../../../core/wire/realtime/talk';

/** How the messages of a talk go over the network. */
export interface TalkForm {
  readonly carrier: Carrier;
  /** A message as a tape has it. */
  written(from: TalkEnd, data: Buffer, isBinary: boolean): Pick<TalkMessage, 'data' | 'base64'>;
  /** What is sent for a message of a tape; undefined where somebody has made of it what cannot be. */
  sent(message: TalkMessage): { readonly data: string | Buffer; readonly binary: boolean } | undefined;
  /** Tells a client that what it sent is not what the tape allows, or that the agent has ended. */
  readonly violation: number;
  readonly goingAway: number;
  /** In bytes: as much as the end may say. */
  readonly longestReason: number;
}

export const socketForm: TalkForm = {
  carrier: 'websocket',
  written: (_, data, isBinary) =>
    isBinary ? { data: data.toString('base64'), base64: true } : { data: data.toString('utf8') },
  sent: ({ data, base64 }) => (base64 ? { data: Buffer.from(data, 'base64'), binary: true } : { data, binary: false }),
  violation: 1008,
  goingAway: 1001,
  longestReason: 123,
};

/** `url`: that of the method. */
export function grpcForm(url: string): TalkForm {
  const messages = new GrpcMessages(url);
  return {
    carrier: 'grpc',
    written: (from, data) => messages.written(from, data),
    sent: (message) => {
      const bytes = messages.bytes(message);
      return bytes && { data: Buffer.from(bytes), binary: true };
    },
    // A client that is told this does not try again.
    violation: grpcCode('FAILED_PRECONDITION'),
    goingAway: grpcCode('UNAVAILABLE'),
    longestReason: 4096,
  };
}
