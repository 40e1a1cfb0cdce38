import { itemsOf, type JsonNode } from '../../../json/jsonNode';
import { member } from '../../../json/readJson';

/** The spans of a document: of resources and scopes, in a list, or itself. */
export function* spansIn(root: JsonNode): Generator<JsonNode> {
  const scoped = ['scopeSpans', 'instrumentationLibrarySpans'];
  if (root.type === 'array') yield* objectsOf(root);
  else if (member(root, 'resourceSpans') !== undefined)
    for (const resource of listOf(root, 'resourceSpans'))
      for (const name of scoped) for (const scope of listOf(resource, name)) yield* listOf(scope, 'spans');
  else {
    const list = ['scopeSpans', 'spans', 'data', 'rows'].find((name) => member(root, name)?.type === 'array');
    if (list === 'scopeSpans') for (const scope of listOf(root, list)) yield* listOf(scope, 'spans');
    else if (list !== undefined) yield* listOf(root, list);
    else if (member(root, 'resourceLogs') === undefined && root.type === 'object') yield root;
  }
}

/** The log records of a document. Some SDKs write messages as events, which are log records. */
export function* recordsIn(root: JsonNode): Generator<JsonNode> {
  for (const resource of listOf(root, 'resourceLogs'))
    for (const scope of listOf(resource, 'scopeLogs')) yield* listOf(scope, 'logRecords');
}

function* listOf(node: JsonNode, name: string): Generator<JsonNode> {
  const list = member(node, name);
  if (list?.type === 'array') yield* objectsOf(list);
}

function* objectsOf(list: JsonNode & { readonly type: 'array' }): Generator<JsonNode> {
  for (const item of itemsOf(list)) if (item.type === 'object') yield item;
}
