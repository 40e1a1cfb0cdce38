import { render } from 'preact';
import { REVIEW_HELP, type ReviewHost } from '../../src/protocol/pages/reviewPanel';
import { isAnything, isListOf, isMaybe, isShape, isText } from '../../src/protocol/rpc/guards';
import { RpcPeer } from '../../src/protocol/rpc/rpc';
import { usePageTranslation } from '../base/translation';
import { hostChannel } from '../base/vscodeApi';
import '../base/dialog.css';
import '../base/theme.css';
import '../base/code/codeText.css';
import { vscodeApi } from '../base/vscodeApi';
import './list/changeList.css';
import './review.css';
import { preloadMonacoDiff } from './diff/loadMonacoDiff';
import { type PageMemory, ReviewPage } from './reviewPage';
import { ReviewSession } from './session/reviewSession';

const isMemory = isShape<PageMemory>({
  caseUri: isText,
  sideBySide: (value): value is boolean => typeof value === 'boolean',
  selected: isMaybe(isText),
  viewed: isListOf(isText),
});

const stored = vscodeApi.getState();
const { selected, sideBySide = true, viewed = [] } = isMemory(stored) ? stored : {};
const host = new RpcPeer<Record<string, never>, ReviewHost>(hostChannel, {}, {});
const session = new ReviewSession(host, selected, viewed);
usePageTranslation();
const root = document.getElementById('root');
if (root !== null) {
  const remember = (memory: PageMemory): void => vscodeApi.setState(memory);
  const onHelp = (open: () => void): (() => void) => host.on(REVIEW_HELP, isAnything, open);
  render(<ReviewPage session={session} sideBySide={sideBySide} onRemember={remember} onHelp={onHelp} />, root);
}
preloadMonacoDiff();
void session.open();
