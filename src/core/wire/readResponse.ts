import type { Json } from '../json/json';
import type { Chunk } from '../tapes/tape';
import { present } from './fields';
import { framesOf } from './frames';
import { describeAnswer } from './otherEndpoints';
import { detectProtocol } from './protocols';
import { type Answer, eventsOf, framesOfList, readAnswer } from './readAnswer';
import { reportedTiming } from './reportedTiming';
import { nameCalls } from './toolCalls';
import { vectorSummary } from './vectorSummary';
import type { WireReading } from './wireReading';

/** For recordings that keep only what was answered: the protocol is told by the shape of the answer alone. */

/** Reads an answer that came as one piece of JSON. `http` where no protocol answers like this. */
export function readResponseJson(json: Json): WireReading {
  const frames = framesOfList(json);
  return read({ json, frames }, []);
}

/** Reads an answer that came as a stream: the data of its events, in their order. */
export function readResponseFrames(pieces: readonly (string | Chunk)[]): WireReading {
  const { frames, problems } = framesOf(pieces.map((piece) => (typeof piece === 'string' ? { data: piece } : piece)));
  return read({ frames }, problems);
}

function read({ json, frames = [] }: Answer, problems: readonly string[]): WireReading {
  const protocol = detectProtocol({ request: undefined, response: json, events: eventsOf(frames) });
  if (protocol === undefined) return present({ kind: 'http', summary: describeAnswer(json), problems });
  const isWhole = json !== undefined && protocol.isResponse(json);
  const answer = readAnswer(protocol, isWhole ? { json } : { frames });
  return present({
    kind: protocol.kind,
    api: protocol.api,
    ...nameCalls(present({ response: answer.response })),
    timing: reportedTiming(answer.whole),
    summary: vectorSummary(answer.response),
    problems: [...problems, ...answer.problems],
  });
}
