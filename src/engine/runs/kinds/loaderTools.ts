import type { LoaderScenario, LoaderTool } from '../../../core/cases/loader/loaderScenario';
import { isRecord, type Json } from '../../../core/json/json';
import type { ToolCall } from '../../../core/model/message';
import type { ToolOutcome, ToolRunner } from '../../agent/toolRunner';
import type { LoaderEvent } from './loaderBackend';

const ASK_USER = /^ask_?user_?question$/i;
const READ: LoaderTool = {
  name: 'read',
  description: 'Reads a file of the scenario.',
  result: null,
  confirm: false,
  writes: false,
};

/** The tools of a scenario: declared ones, `read` for its files, and the question to the user, answered from the script. */
export function loaderTools(scenario: LoaderScenario, events: LoaderEvent[], unknown: Set<string>): ToolRunner {
  const confirmations = [...scenario.confirmations];
  const answers = [...scenario.answers];
  const declared = new Map([READ, ...scenario.tools].map((tool) => [tool.name, tool]));
  return async (call) => {
    events.push({ type: 'tool_call', tool: call.name });
    const outcome = ASK_USER.test(call.name) ? ask(call) : use(call, declared.get(call.name));
    events.push({ type: 'tool_result', tool: call.name });
    return outcome;
  };

  function ask({ arguments: args }: ToolCall): ToolOutcome {
    const answer = answers.shift();
    if (answer === undefined) return { problem: 'the script has no answer left for the user: add it to "answers"' };
    const question = isRecord(args) && typeof args.question === 'string' ? args.question : JSON.stringify(args);
    events.push({ type: 'question', question, answer });
    return { output: answer };
  }

  function use(call: ToolCall, tool: LoaderTool | undefined): ToolOutcome {
    if (tool === undefined) {
      unknown.add(call.name);
      return { problem: `there is no tool \`${call.name}\`` };
    }
    if (scenario.config.mode === 'explore' && tool.writes) {
      events.push({ type: 'refused', tool: tool.name });
      return { problem: `\`${tool.name}\` changes something, which explore mode does not allow` };
    }
    if (tool.confirm && !confirmed(tool)) return { problem: `the user declined \`${tool.name}\`` };
    return tool.name === 'read' && tool.result === null ? read(call.arguments) : { output: tool.result };
  }

  /** A confirmation that the script does not answer is declined, as by a user who is away. */
  function confirmed({ name }: LoaderTool): boolean {
    const answer = confirmations.shift() ?? false;
    events.push({ type: 'confirmation', tool: name, confirmed: answer });
    return answer;
  }

  function read(args: Json): ToolOutcome {
    const written = isRecord(args) ? String(args.file_path ?? args.path ?? '') : '';
    const path = written.replace(/^\{\{\s*temp_dir\s*\}\}\//, '');
    const content = Object.hasOwn(scenario.files, path) ? scenario.files[path] : undefined;
    if (content === undefined) unknown.add(`read of ${path}`);
    return content === undefined
      ? { problem: `the scenario has no file ${path}: add it to "files"` }
      : { output: content };
  }
}
