import type { CopyKind } from '../../../src/core/along/copyKind';
import type { Editing } from './editing';

export interface MenuItem {
  readonly label: string;
  /** The key that does the same. */
  readonly key?: string;
  /** Begins a new group. */
  readonly separated?: boolean;
  readonly disabled?: boolean;
  run(): void;
}

/** What can be done to an interaction. */
export function editItems(editing: Editing, interaction: number): readonly MenuItem[] {
  const disabled = editing.readOnly !== undefined;
  const { open, act, redact, copyAs } = editing;
  const copy = (kind: CopyKind, label: string, separated = false): MenuItem => {
    return { label, separated, run: () => copyAs(interaction, kind) };
  };
  return [
    { label: 'Edit Answer', key: 'F2', disabled, run: () => open(interaction) },
    { label: 'Duplicate', key: 'd', disabled, run: () => act({ type: 'duplicate', interaction }) },
    {
      label: 'Move Up',
      key: 'Alt+\u2191',
      disabled: disabled || interaction === 0,
      run: () => act({ type: 'move', interaction, by: -1 }),
    },
    {
      label: 'Move Down',
      key: 'Alt+\u2193',
      disabled,
      run: () => act({ type: 'move', interaction, by: 1 }),
    },
    { label: 'Delete', key: 'Delete', disabled, run: () => act({ type: 'delete', interaction }) },
    { label: 'Redact a Value\u2026', separated: true, disabled, run: redact },
    copy('text', 'Copy as Text', true),
    copy('markdown', 'Copy as Markdown'),
    copy('json', 'Copy as JSON'),
    copy('curl', 'Copy as curl'),
    copy('case', 'Copy as Case (TOML)'),
    { label: 'Open Transcript as Text', separated: true, run: editing.openTranscriptAsText },
    { label: 'Export Transcript\u2026', run: editing.exportTranscript },
  ];
}
