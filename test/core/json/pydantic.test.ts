import assert from 'node:assert/strict';
import { PYDANTIC_FLOAT, PYDANTIC_INT } from '../../../src/core/json/pydantic';
import { readJson } from '../../../src/core/json/readJson';

function node(json: string): Parameters<typeof PYDANTIC_INT.read>[0] {
  return readJson(json).value ?? assert.fail(json);
}

/** The results of pydantic 2.14. */
describe('reading JSON like pydantic', () => {
  const ints: readonly (readonly [json: string, value: bigint | undefined])[] = [
    ['10', 10n],
    ['10.0', 10n],
    ['10.5', undefined],
    ['1e3', 1000n],
    ['1e22', undefined],
    ['-0', 0n],
    ['123456789012345678901234567890', 123456789012345678901234567890n],
    ['true', 1n],
    ['null', undefined],
    ['"10"', 10n],
    ['"10.0"', 10n],
    ['" +1_000 "', 1000n],
    ['"00012"', 12n],
    ['"1e3"', undefined],
    ['"1."', undefined],
    ['"1__0"', undefined],
    ['""', undefined],
    ['[]', undefined],
  ];
  for (const [json, value] of ints) it(`int: ${json}`, () => assert.equal(PYDANTIC_INT.read(node(json)), value));

  const floats: readonly (readonly [json: string, value: number | undefined])[] = [
    ['10', 10],
    ['-0', 0],
    ['-0.0', -0],
    ['1E400', Infinity],
    ['true', 1],
    ['" 1_0.5 "', 10.5],
    ['"1."', 1],
    ['".5"', 0.5],
    ['"-0"', -0],
    ['"inf"', Infinity],
    ['"nan"', Number.NaN],
    ['"_1"', undefined],
    ['"0x10"', undefined],
    ['""', undefined],
    ['{}', undefined],
  ];
  for (const [json, value] of floats)
    it(`float: ${json}`, () => assert.ok(Object.is(PYDANTIC_FLOAT.read(node(json)), value)));
});
