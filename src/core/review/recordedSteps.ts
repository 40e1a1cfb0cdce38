import { formatJson, shortJson } from '../json/formatJson';
import { type Json, prettyJson } from '../json/json';
import type { Artifact } from '../model/artifact';
import type { RecordedStep } from '../model/change';
import type { Interaction } from '../model/interaction';
import type { Message, ToolCall } from '../model/message';
import type { Tape } from '../model/tape';
import { counted } from '../text/counts';
import { message, t } from '../text/l10n';
import { roleName } from '../transcript/roleName';

/** The title of the step that says how many are left out. */
const MORE = message('More');
/** More steps, or longer texts, are in the transcript. */
const MAX_STEPS = 80;
const MAX_TEXT = 2_000;
/** Longer JSON is shown as it was recorded. */
const MAX_FORMATTED = 1_000_000;

/** What an agent did in a run: its tool calls with their results, its output, errors, and files. */
export function runSteps({ tool_calls, output_text, runner_error, workspace_after, status }: Artifact): RecordedStep[] {
  const files = workspace_after.files.map(({ relative_path }) => relative_path);
  const steps = [
    ...tool_calls.flatMap(({ tool_name, input, output, success }) => [
      jsonStep(t('Called {0}', tool_name), input),
      jsonStep(success ? t('Result of {0}', tool_name) : t('{0} failed', tool_name), output),
    ]),
    textStep(t('Output'), output_text),
    textStep(t('Error'), runner_error),
    textStep(t('Files'), files.join('\n')),
  ];
  const shown = limited(steps.filter(({ text }) => text !== ''));
  return shown.length > 0 ? shown : [textStep(t('Status'), status)];
}

/** What a tape holds, as a conversation. */
export function tapeSteps({ interactions }: Tape): RecordedStep[] {
  return limited(
    interactions
      .slice(0, MAX_STEPS)
      .flatMap(interactionSteps)
      .filter(({ text }) => text !== ''),
  );
}

function interactionSteps({ request, response, http, summary }: Interaction): RecordedStep[] {
  if (request === undefined && response === undefined)
    return [
      textStep(
        http === undefined ? t('Interaction') : `${http.method} ${http.url}`,
        summary ?? `${http?.status ?? ''}`,
      ),
    ];
  const messages = request?.messages ?? [];
  // Earlier turns are the responses of earlier interactions.
  const asked = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant') + 1);
  return [
    ...asked.map(messageStep),
    textStep(t('Assistant'), response?.content),
    ...(response?.toolCalls ?? []).map(callStep),
    textStep(t('Error'), response?.error),
  ];
}

function messageStep({ role, content, name }: Message): RecordedStep {
  if (role === 'tool') return jsonStep(name === undefined ? t('Tool result') : t('Result of {0}', name), content);
  return textStep(roleName(role), content);
}

function callStep({ name, arguments: given }: ToolCall): RecordedStep {
  return jsonStep(t('Called {0}', name), given);
}

function textStep(title: string, text: string | null | undefined): RecordedStep {
  return { title, text: text ?? '', language: 'plaintext' };
}

/** JSON as the transcript lays it out, also where it was sent as a text. */
function jsonStep(title: string, value: Json): RecordedStep {
  const text = typeof value === 'string' ? formatted(value) : value === null ? '' : prettyJson(value);
  return text === undefined ? textStep(title, String(value)) : { title, text: shortJson(text), language: 'json' };
}

function formatted(text: string): string | undefined {
  return text.length > MAX_FORMATTED ? undefined : formatJson(text);
}

function limited(steps: readonly RecordedStep[]): RecordedStep[] {
  const shown = steps.slice(0, MAX_STEPS).map((step) => ({
    ...step,
    text: step.text.length > MAX_TEXT ? `${step.text.slice(0, MAX_TEXT)}…` : step.text,
  }));
  const more = steps.length - shown.length;
  return more > 0
    ? [
        ...shown,
        textStep(
          t(MORE),
          counted(more, '{0} more step is in the transcript.', '{0} more steps are in the transcript.'),
        ),
      ]
    : shown;
}

/** Whether steps or parts of texts are left out. */
export function endsEarly(steps: readonly RecordedStep[]): boolean {
  return steps.some(({ title, text }) => title === t(MORE) || (text.length > MAX_TEXT && text.endsWith('…')));
}
