import { flag, list, needed, table, text, type Value } from '../schema/schema';
import { message } from '../text/l10n';

const path = (description: string) => text(description);

/** A `[[tapes.layout]]` of `tapedeck.toml`: how a recorder of one's own lays out what it records. */
export const LAYOUT = table(
  message('How recordings are laid out that no format of Tapedeck describes. Each key is the path of a member.'),
  {
    name: needed(text(message('What such a recording is called.'))),
    files: needed(list(text(message('The files, as globs relative to this file: `recordings/**/*.json`.')))),
    lines: flag(message('Whether each line of a file is JSON of its own.')),
    entries: path(message('The list of calls: `steps`. Without it, the file is that list, or one call.')),
    kind: path(message('The member of an entry that says what it is, where some are no calls: `type`.')),
    models: list(text(message('The values of `kind` of calls of a model.'))),
    tools: list(text(message('The values of `kind` of calls of a tool.'))),
    method: path(message('The HTTP method. Without it, it is POST.')),
    url: path(message('The URL. Without it, it is the usual one of the protocol.')),
    request_headers: path(message('The headers of the request.')),
    request: path(message('The body of the request, as text or JSON, or the arguments that an SDK was called with.')),
    status: path(message('The status of the response. Without it, it is 200, or 500 where there is an error.')),
    response_headers: path(message('The headers of the response.')),
    response: path(message('The body of the response, as text or JSON, or what an SDK returned.')),
    chunks: path(message('The pieces of a stream: texts, or objects of an SDK.')),
    error: path(message('What an error says that stands in place of a response.')),
    tool_name: path(message('The name of a tool, in an entry that is a call of it.')),
    tool_input: path(message('What a tool was called with.')),
    tool_output: path(message('What a tool returned.')),
    duration: path(message('How long a call took, in milliseconds.')),
  },
);

export type DeclaredLayout = Value<typeof LAYOUT>;
