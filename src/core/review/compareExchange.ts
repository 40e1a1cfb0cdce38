import type { Json } from '../json/json';
import type { HttpBody, HttpExchange, Interaction, Timing, ToolDefinition, Usage } from '../tapes/tape';
import { decodeBody } from '../wire/body';
import { type Found, found } from './found';
import type { NormaliseRules } from './normaliser';

/** What differs in the tools that the model could choose from. Tools are known by their names; their order is free. */
export function compareTools(before: readonly ToolDefinition[], after: readonly ToolDefinition[]): readonly Found[] {
  const [old, now] = [byName(before), byName(after)];
  return [...new Set([...old.keys(), ...now.keys()])].map((name) => {
    const definition = (tool: ToolDefinition | undefined): Json | undefined => tool && { ...tool };
    return found('tool definition', ['request', 'tools', name], definition(old.get(name)), definition(now.get(name)), {
      name,
    });
  });
}

function byName(tools: readonly ToolDefinition[]): ReadonlyMap<string, ToolDefinition> {
  return new Map(tools.map((tool) => [tool.name, tool]));
}

/** What differs in the sampling parameters, one by one. */
export function compareParams(
  before: Readonly<Record<string, Json>>,
  after: Readonly<Record<string, Json>>,
): readonly Found[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].map((name) =>
    found('parameter', ['request', 'params', name], own(before, name), own(after, name), {
      name,
      ...(name === 'seed' && { rules: ['seed'] }),
    }),
  );
}

function own(record: Readonly<Record<string, Json>>, key: string): Json | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

/** Token counts, as one change. */
export function compareUsage(before: Usage | undefined, after: Usage | undefined, rules: NormaliseRules): Found {
  const within = before !== undefined && after !== undefined && isWithin(before, after, rules.usageTolerance);
  return found('usage', ['response', 'usage'], before && { ...before }, after && { ...after }, {
    ...(within && { rules: ['usage tolerance'] }),
  });
}

/** Durations and the time of recording, as one change; hidden unless a tolerance for durations is set and exceeded. */
export function compareTiming(before: Timing | undefined, after: Timing | undefined, rules: NormaliseRules): Found {
  const { recordedAt: _, ...old } = before ?? {};
  const { recordedAt: __, ...now } = after ?? {};
  const tolerance = rules.timingTolerance ?? Number.POSITIVE_INFINITY;
  return found('timing', ['timing'], before && { ...before }, after && { ...after }, {
    ...(isWithin(old, now, tolerance) && { rules: ['timing'] }),
  });
}

/** Is each number on both sides, and no further from the other than this part of it? */
function isWithin(before: object, after: object, tolerance: number): boolean {
  if (tolerance === Number.POSITIVE_INFINITY) return true;
  const now = new Map<string, unknown>(Object.entries(after));
  return (
    Object.keys(before).length === now.size &&
    Object.entries(before).every(([key, value]) => {
      const other = now.get(key);
      if (typeof value !== 'number' || typeof other !== 'number') return false;
      return Math.abs(value - other) <= tolerance * Math.max(Math.abs(value), Math.abs(other));
    })
  );
}

/** What differs on the wire. Of a call that could be read, the bodies are compared by what was read of them. */
export function compareHttp(before: Interaction, after: Interaction): readonly Found[] {
  const [old, now] = [before.http, after.http];
  if (old === undefined || now === undefined) return [];
  const at = (name: string) => ['http', name];
  const models = [after.request?.model, before.request?.model];
  const isRead = before.request !== undefined || before.response !== undefined;
  const bodies = isRead
    ? []
    : [
        found('http', at('requestBody'), bodyValue(old.requestBody), bodyValue(now.requestBody), { name: 'request' }),
        found('http', at('responseBody'), bodyValue(old.responseBody), bodyValue(now.responseBody), {
          name: 'response',
        }),
      ];
  return [
    found('http', at('method'), old.method, now.method, { name: 'method' }),
    found('http', at('url'), addressOf(old, models), addressOf(now, models), { name: 'address' }),
    found('http', at('status'), old.status, now.status, { name: 'status' }),
    ...bodies,
    found('details', at('headers'), headers(old), headers(now), { rules: ['headers'] }),
  ];
}

/** The address without the models of both sides, which some providers name there: that is a change of the model. */
function addressOf({ url }: HttpExchange, models: readonly (string | undefined)[]): string {
  const longestFirst = models.filter((model) => model !== undefined).sort((left, right) => right.length - left.length);
  return longestFirst.reduce((text, model) => text.replace(model, '…'), url);
}

function headers({ requestHeaders, responseHeaders }: HttpExchange): Json {
  return {
    request: requestHeaders.map((header) => [...header]),
    response: responseHeaders.map((header) => [...header]),
  };
}

function bodyValue(body: HttpBody): Json | undefined {
  if (body.type === 'none') return undefined;
  const { json, text } = decodeBody(body);
  return json ?? text ?? (body.type === 'base64' ? body.base64 : undefined);
}
