import { flag, list, needed, table, text, type Value } from '../schema/schema';
import { message } from '../text/l10n';

/** A `[[tapes.layout]]` of `tapedeck.toml`: how a recorder of one's own lays out what it records. */
export const LAYOUT = table(
  message('The layout of recordings in a format of your own. Each key is the path of a member.'),
  {
    name: needed(text(message('The name of this format.'))),
    files: needed(list(text(message('The files, as globs relative to this file: `recordings/**/*.json`.')))),
    lines: flag(message('Whether each line of a file is JSON of its own.')),
    entries: text(message('The list of calls: `steps`. Without it, the file is that list, or one call.')),
    kind: text(message('The member of an entry that says what it is, where some are no calls: `type`.')),
    models: list(text(message('The values of `kind` of calls of a model.'))),
    tools: list(text(message('The values of `kind` of calls of a tool.'))),
    method: text(message('The HTTP method. Without it, it is POST.')),
    url: text(message('The URL. Without it, it is the usual one of the protocol.')),
    request_headers: text(message('The headers of the request.')),
    request: text(message('The body of the request, as text or JSON, or the arguments that an SDK was called with.')),
    status: text(message('The status of the response. Without it, it is 200, or 500 where there is an error.')),
    response_headers: text(message('The headers of the response.')),
    response: text(message('The body of the response, as text or JSON, or the object that an SDK returned.')),
    chunks: text(message('The pieces of a stream: texts, or objects of an SDK.')),
    error: text(message('The error, where there is one in place of a response.')),
    tool_name: text(message('The name of the tool, in an entry for a tool call.')),
    tool_input: text(message('The arguments of a tool call.')),
    tool_output: text(message('The result of a tool call.')),
    duration: text(message('How long a call took, in milliseconds.')),
  },
);

export type DeclaredLayout = Value<typeof LAYOUT>;
