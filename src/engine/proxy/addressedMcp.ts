import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LoopbackServer } from '../network/listen';
import type { HiddenInteraction } from '../recording/hidden';
import type { LazyRecorder } from '../recording/openRecorder';
import type { InteractionReport } from './session/report';

/** A request to the own address of a host that is no model's. */
export interface AddressedMcp {
  /** The address that the agent asked for. */
  readonly asked: URL;
  /** The one that it is sent to. */
  readonly target: URL;
  readonly body: Buffer;
}

/** The run of a proxy, for what is recorded or replayed beside its HTTP interactions. */
export interface BesideRun {
  /** The next position among all that the run records. */
  nextNumber(): number;
  report(report: InteractionReport): void;
  readonly recorder: LazyRecorder;
}

/** What an agent says to MCP servers: on the same tape, and in the same order as its HTTP interactions. */
export interface McpBeside {
  /** Variables for the agent. */
  readonly variables: Readonly<Record<string, string>>;
  /** That of the run, which also knows where servers of a configuration are led. */
  readonly recorder: LazyRecorder;
  /** Where they are led; absent if there is no configuration. */
  readonly bridge: LoopbackServer | undefined;
  readonly recordedByNumber: readonly (readonly [number: number, HiddenInteraction])[];
  /** The indexes of the interactions that were served. */
  readonly served: ReadonlySet<number>;
  /** Takes a request if it speaks MCP; otherwise it is one like all others. */
  takes(request: IncomingMessage, response: ServerResponse, addressed: AddressedMcp): Promise<boolean>;
  drain(): Promise<void>;
  close(): Promise<void>;
}
