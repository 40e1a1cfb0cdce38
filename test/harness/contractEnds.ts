import {
  type Calls,
  type Connected,
  type Contract,
  connect,
  type Handlers,
  type Params,
  type Result,
} from '../../src/contracts/contract';
import type { CallOptions, Channel } from '../../src/contracts/rpc/rpc';
import { accepts } from '../../src/core/schema/accepts';

/** The connecting end of a contract, whose calls are made by name. */
export interface NamedCaller<C extends Contract> extends Pick<Connected<C>, 'on' | 'close' | 'state'> {
  call<M extends keyof C['calls']>(
    method: M,
    params: Params<C['calls'][M]>,
    options?: CallOptions,
  ): Promise<Result<C['calls'][M]>>;
}

export function callerOf<C extends Contract>(
  contract: C,
  channel: Channel,
  handlers?: Handlers<NonNullable<C['callbacks']>>,
): NamedCaller<C> {
  const { calls, on, close, state } = connect<C>(contract, channel, ...([handlers] as never));
  return { call: (method, params, options) => calls[method](params, options), on, close, state };
}

/** Whether a contract lets an argument of a call through, by the name of the call. */
export function guardsOf<C extends Calls>(calls: C): { readonly [M in keyof C]: (params: unknown) => boolean } {
  const guards = Object.entries(calls).map(([name, { params }]) => [name, (value: unknown) => accepts(params, value)]);
  return Object.fromEntries(guards);
}
