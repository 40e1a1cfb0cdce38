import { reviewPage } from '../../src/contracts/pages/reviewPanel';
import { accepts } from '../../src/core/schema/accepts';
import { flag, list, optional, shape, text } from '../../src/core/schema/schema';
import '../base/dialog.css';
import '../base/theme.css';
import '../base/code/codeText.css';
import './list/changeList.css';
import './review.css';
import { mountPage } from '../base/mountPage';
import { vscodeApi } from '../base/vscodeApi';
import { preloadMonacoDiff } from './diff/loadMonacoDiff';
import { ReviewPage } from './reviewPage';
import { ReviewSession } from './session/reviewSession';

const MEMORY = shape({ caseUri: text(), sideBySide: flag(), selected: optional(text()), viewed: list(text()) });

const stored = vscodeApi.getState();
const { selected, sideBySide = true, viewed = [] } = accepts(MEMORY, stored) ? stored : {};
mountPage(reviewPage, (host) => {
  const session = new ReviewSession(host, selected, viewed);
  session.open();
  return (
    <ReviewPage
      session={session}
      sideBySide={sideBySide}
      onRemember={(memory) => vscodeApi.setState(memory)}
      onHelp={(open) => host.on('help', open)}
    />
  );
});
preloadMonacoDiff();
