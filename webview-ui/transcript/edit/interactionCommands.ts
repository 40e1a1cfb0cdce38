import type { MenuCommand } from '../commands';
import type { EditingSession } from './editingSession';

type RunOnInteraction = (session: EditingSession, interaction: number) => unknown;

/** The commands of an interaction's menu, which also have keys. */
const RUN_ON_INTERACTION: Readonly<Record<MenuCommand, RunOnInteraction>> = {
  edit: (session, interaction) => session.open(interaction),
  duplicate: (session, interaction) => session.edit({ type: 'duplicate', interaction }),
  add: (session, interaction) => session.edit({ type: 'add', interaction }),
  moveUp: (session, interaction) => interaction > 0 && session.edit({ type: 'move', interaction, by: -1 }),
  moveDown: (session, interaction) => session.edit({ type: 'move', interaction, by: 1 }),
  delete: (session, interaction) => session.edit({ type: 'delete', interaction }),
  redact: (session) => session.planRedaction(),
  fork: (session, interaction) => session.fork(interaction),
  makeCase: (session) => session.makeCase(),
  copyMarkdown: (session, interaction) => session.copyAs(interaction, 'markdown'),
  copyText: (session, interaction) => session.copyAs(interaction, 'text'),
  copyJson: (session, interaction) => session.copyAs(interaction, 'json'),
  copyCurl: (session, interaction) => session.copyAs(interaction, 'curl'),
  copyCase: (session, interaction) => session.copyAs(interaction, 'case'),
  copyLink: (session, interaction) => session.copyLink(interaction),
  openTranscriptAsText: (session, interaction) => session.openTranscriptAsText(interaction),
  exportTranscript: (session) => session.exportTranscript(),
};

export function isMenuCommand(command: string): command is MenuCommand {
  return Object.hasOwn(RUN_ON_INTERACTION, command);
}

export function runOnInteraction(command: MenuCommand, session: EditingSession, interaction: number): void {
  RUN_ON_INTERACTION[command](session, interaction);
}
