import { missingResult } from '../../../core/forks/forkEdits';
import { message, t } from '../../../core/text/l10n';
import {
  editRequest,
  modelOf,
  type RequestEdits,
  type RequestText,
  resultsIn,
} from '../../../core/wire/edit/editRequest';
import { comparablePath } from '../../../core/wire/endpoints';
import type { Route } from '../routes/route';
import type { ReplayTape } from '../tape/replayTape';
import type { Call } from './call';

/** Changes the requests of an agent before they are recorded and sent. */
export class RequestRewriter {
  readonly #edits: RequestEdits;
  #isFirst = true;

  constructor(edits: RequestEdits) {
    this.#edits = edits;
  }

  /**
   * A request before the fork with the model that was recorded: an agent that asks for the model of TAPEDECK_MODEL does so from
   * its first request on.
   */
  async withRecordedModel(call: Call, tape: ReplayTape | undefined): Promise<Call> {
    const { model } = this.#edits;
    const recorded = model === undefined ? undefined : (await tape?.loaded())?.interaction(call.number)?.request?.model;
    const { target } = call.route;
    if (model === undefined || recorded === undefined || target === undefined || call.request.method !== 'POST')
      return call;
    const sent = { url: target.href, body: call.body.toString('utf8') };
    if (modelOf(sent) !== model) return call;
    const edited = editRequest(sent, { model: recorded });
    return 'refused' in edited ? call : changed(call, target, edited);
  }

  /** The changed request, or why it cannot be sent. */
  rewrite(call: Call): Call | { readonly refused: string } {
    const { request, route, body } = call;
    const { target } = route;
    if (request.method !== 'POST' || target === undefined || route.isIgnored || body.length === 0) return call;
    if (/\S/.test(request.headers['content-encoding'] ?? '') && request.headers['content-encoding'] !== 'identity')
      return { refused: t('{0} It was not sent.', COMPRESSED) };
    const sent = { url: target.href, body: body.toString('utf8') };
    const edited = editRequest(sent, this.#edits);
    if ('refused' in edited) return { refused: t('{0} It was not sent.', edited.refused) };
    if (edited === sent) return call;
    const missing = this.#isFirst ? this.#missingIn(sent) : undefined;
    if (missing !== undefined) return { refused: t('{0} It was not sent.', missingResult(missing).join('. ')) };
    this.#isFirst = false;
    return changed(call, target, edited);
  }

  #missingIn(sent: { readonly url: string; readonly body: string }): string | undefined {
    const ids = Object.keys(this.#edits.toolResults ?? {});
    const found = resultsIn(sent, ids);
    return ids.find((id) => !found.includes(id));
  }
}

const COMPRESSED = message('The request is compressed, so it cannot be changed as the fork asks.');

function changed(call: Call, target: URL, { url, body }: RequestText): Call {
  return { ...call, body: Buffer.from(body), route: routeTo(call.route, target, new URL(url)) };
}

/** The same way to another path of the upstream. */
function routeTo(route: Route, before: URL, after: URL): Route {
  if (before.href === after.href) return route;
  const fullPath = `${after.pathname}${after.search}`;
  return { ...route, target: after, fullPath, path: comparablePath(fullPath) };
}
