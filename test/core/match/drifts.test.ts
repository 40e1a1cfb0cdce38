import assert from 'node:assert/strict';
import { canonicalJson } from '../../../src/core/json/canonicalJson';
import { isRecord } from '../../../src/core/json/json';
import { jsonPointer } from '../../../src/core/json/jsonPointer';
import { parseJson } from '../../../src/core/json/readJson';
import type { RequestChanges } from '../../../src/core/match/compareRequests';
import type { Drift } from '../../../src/core/match/explainDrift';
import { createMatcher, type RequestMatcher } from '../../../src/core/match/matcher';
import { recordedRequests } from '../../../src/core/match/recordings';
import type { HttpExchange } from '../../../src/core/model/http';
import type { Interaction } from '../../../src/core/model/interaction';
import { readTape } from '../../../src/core/tapes/readTape';
import { decodeBody } from '../../../src/core/wire/body/body';
import { corpusSuite } from '../../corpus';
import { type Random, randomOf } from '../../harness/random.mjs';
import { readSamples } from '../tapes/corpusSamples';
import { generatedTapes } from './generatedTapes';
import { type Body, seedDrift } from './seededDrifts';

/** A request of a tape that a change can be made to. */
interface Asked {
  readonly index: number;
  readonly http: HttpExchange;
  readonly body: Body;
}

interface DriftTape {
  readonly path: string;
  readonly asked: readonly Asked[];
  readonly matcher: RequestMatcher;
}

function driftTape(path: string, interactions: readonly Interaction[]): DriftTape {
  const asked = interactions.flatMap(({ index, kind, http }): Asked[] => {
    const text = http && kind === 'llm' ? decodeBody(http.requestBody, http.requestHeaders).text : undefined;
    const body = parseJson(text ?? '');
    return http && isRecord(body) ? [{ index, http, body }] : [];
  });
  const recorded = recordedRequests({ format: 'vcrpy', interactions, problems: [] }, {});
  return { path, asked, matcher: createMatcher(recorded, { match: 'exact', masks: [] }) };
}

/** Everything that an explanation names, in the words of `seededDrifts.ts`. */
function named({ address, model, params, messages, tools }: RequestChanges): string[] {
  return [
    ...(address === undefined ? [] : ['address']),
    ...(model === undefined ? [] : ['model']),
    ...params.map(({ path }) => `parameter ${jsonPointer(path)}`),
    ...messages.map((change) => `message ${(change.type === 'added' ? change.to : change.from).at(-1)} ${change.type}`),
    ...tools.flatMap((change) =>
      change.type === 'changed'
        ? change.values.map(({ path }) => `tool ${change.name} ${jsonPointer(path)}`)
        : [`tool ${change.name} ${change.type}`],
    ),
  ].sort();
}

interface Tally {
  drifts: number;
  kinds: Map<string, number>;
  /** Changed requests that another recording answers, or is as near to. */
  elsewhere: number;
}

/** Makes known changes to requests of a tape, and checks what is said of them. */
function checkDrifts({ path, asked, matcher }: DriftTape, count: number, random: Random, tally: Tally): void {
  for (let tries = 0, done = 0; done < count && tries < 4 * count; tries += 1) {
    const original = asked[random(asked.length)];
    const seeded = original && seedDrift(original.body, random);
    if (original === undefined || seeded === undefined) continue;
    const { method, url } = original.http;
    const body = new TextEncoder().encode(canonicalJson(seeded.body));
    const missed = matcher.take({ method, url, headers: [], body });
    matcher.release();
    if (!('explain' in missed)) {
      tally.elsewhere += 1;
      continue;
    }
    const drift = missed.explain();
    if (isElsewhere(drift, original, seeded.expected.length, asked)) {
      tally.elsewhere += 1;
      continue;
    }
    assert.equal(drift.kind, 'drifted', `${path} ${original.index}: ${seeded.expected.join(', ')}`);
    assert.deepEqual(drift.changes && named(drift.changes), seeded.expected, `${path}, interaction ${original.index}`);
    done += 1;
    tally.drifts += 1;
    for (const said of seeded.expected) {
      const kind = said.replace(/ \S+/, '').replace(/ ?\/.*/, '');
      tally.kinds.set(kind, (tally.kinds.get(kind) ?? 0) + 1);
    }
  }
}

/** Another request of the tape, not an equal one, is at least as near: then the explanation is about that, and right. */
function isElsewhere(
  { nearest, changes }: Drift,
  { index, body }: Asked,
  changed: number,
  asked: readonly Asked[],
): boolean {
  if (nearest === undefined || changes === undefined || nearest.index === index) return false;
  const other = asked.find((one) => one.index === nearest.index);
  if (other !== undefined && canonicalJson(other.body) === canonicalJson(body)) return false;
  return named(changes).length <= changed;
}

function report({ drifts, kinds, elsewhere }: Tally): void {
  const table = [...kinds]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([kind, count]) => `${kind} ${count}`);
  console.log(`      ${drifts} drifts explained (${table.join(', ')}); ${elsewhere} were as near to another recording`);
}

describe('seeded drifts', () => {
  it('are named exactly, in generated requests of four protocols', () => {
    const tally: Tally = { drifts: 0, kinds: new Map(), elsewhere: 0 };
    for (const [index, { name, interactions }] of generatedTapes().entries())
      checkDrifts(driftTape(name, interactions), 50, randomOf(index), tally);
    report(tally);
    assert.ok(tally.drifts >= 200, `${tally.drifts} drifts`);
  });
});

corpusSuite('drifts seeded into the requests of the corpus', (corpus) => {
  it('are named exactly, 1,000 of 1,000', () => {
    const tapes = readSamples(corpus).flatMap(({ path, file }) => {
      const tape = readTape(file);
      const drift = driftTape(path, tape?.interactions ?? []);
      return drift.asked.length > 0 ? [drift] : [];
    });
    const tally: Tally = { drifts: 0, kinds: new Map(), elsewhere: 0 };
    const random = randomOf(20_261_122);
    for (let at = 0; tally.drifts < 1000; at += 1) {
      const tape = tapes[at % tapes.length];
      if (tape !== undefined) checkDrifts(tape, Math.min(5, 1000 - tally.drifts), random, tally);
    }
    report(tally);
    assert.equal(tally.drifts, 1000);
  });
});
