import type { MenuCommand } from '../commands';
import type { Editing } from './editing';

type RunOnInteraction = (editing: Editing, interaction: number) => void;

/** What the menu of an interaction and the keys do to it. */
const RUN_ON_INTERACTION: Readonly<Record<MenuCommand, RunOnInteraction>> = {
  edit: ({ open }, interaction) => open(interaction),
  duplicate: ({ act }, interaction) => act({ type: 'duplicate', interaction }),
  add: ({ act }, interaction) => act({ type: 'add', interaction }),
  moveUp: ({ act }, interaction) => interaction > 0 && act({ type: 'move', interaction, by: -1 }),
  moveDown: ({ act }, interaction) => act({ type: 'move', interaction, by: 1 }),
  delete: ({ act }, interaction) => act({ type: 'delete', interaction }),
  redact: ({ redact }) => redact(),
  copyMarkdown: ({ copyAs }, interaction) => copyAs(interaction, 'markdown'),
  copyText: ({ copyAs }, interaction) => copyAs(interaction, 'text'),
  copyJson: ({ copyAs }, interaction) => copyAs(interaction, 'json'),
  copyCurl: ({ copyAs }, interaction) => copyAs(interaction, 'curl'),
  copyCase: ({ copyAs }, interaction) => copyAs(interaction, 'case'),
  copyLink: ({ copyLink }, interaction) => copyLink(interaction),
  openTranscriptAsText: ({ openTranscriptAsText }) => openTranscriptAsText(),
  exportTranscript: ({ exportTranscript }) => exportTranscript(),
};

export function isMenuCommand(command: string): command is MenuCommand {
  return Object.hasOwn(RUN_ON_INTERACTION, command);
}

export function runOnInteraction(command: MenuCommand, editing: Editing, interaction: number): void {
  RUN_ON_INTERACTION[command](editing, interaction);
}
