import assert from 'node:assert/strict';
import {
  isIndex,
  isListOf,
  isMapOf,
  isMaybe,
  isNothing,
  isOneOf,
  isShape,
  isText,
} from '../../../src/protocol/rpc/guards';
import type { Guard } from '../../../src/protocol/rpc/rpc';

/** What each guard lets through and what it stops. */
const guards: Record<string, { guard: Guard<unknown>; yes: unknown[]; no: unknown[] }> = {
  isNothing: { guard: isNothing, yes: [undefined, null], no: [0, '', false, {}, []] },
  isText: { guard: isText, yes: ['', 'x'], no: [undefined, null, 1, ['x'], { length: 1 }] },
  isIndex: { guard: isIndex, yes: [0, 1, 2 ** 53 - 1], no: [-1, 1.5, 2 ** 53, Number.NaN, Infinity, '1', null] },
  isOneOf: { guard: isOneOf('a', 'b'), yes: ['a', 'b'], no: ['c', '', 'A', 0, ['a'], null, 'constructor'] },
  isListOf: {
    guard: isListOf(isText),
    yes: [[], ['a'], ['a', 'b']],
    no: [['a', 1], 'a', {}, { 0: 'a', length: 1 }, null],
  },
  isMapOf: {
    guard: isMapOf(isText),
    yes: [{}, { a: 'x' }, JSON.parse('{"__proto__": "x"}')],
    no: [{ a: 1 }, ['x'], null, 'x', JSON.parse('{"__proto__": 1}')],
  },
  isMaybe: { guard: isMaybe(isText), yes: [undefined, 'x'], no: [null, 1] },
  isShape: {
    guard: isShape<{ name: string; size: number | undefined }>({ name: isText, size: isMaybe(isIndex) }),
    yes: [{ name: 'x' }, { name: 'x', size: 1 }, { name: 'x', other: {} }],
    no: [{}, { name: 1 }, { name: 'x', size: -1 }, ['x'], null, 'x', JSON.parse('{"__proto__": {"name": "x"}}')],
  },
};

for (const [name, { guard, yes, no }] of Object.entries(guards)) {
  describe(name, () => {
    for (const value of yes) it(`takes ${JSON.stringify(value)}`, () => assert.equal(guard(value), true));
    for (const value of no) it(`stops ${JSON.stringify(value)}`, () => assert.equal(guard(value), false));
  });
}
