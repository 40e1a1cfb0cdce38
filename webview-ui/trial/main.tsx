import { render } from 'preact';
import type { TrialHost } from '../../src/protocol/pages/trialPage';
import { RpcPeer } from '../../src/protocol/rpc/rpc';
import '../base/theme.css';
import '../base/report.css';
import '../base/dialog.css';
import './trial.css';
import { usePageTranslation } from '../base/translation';
import { hostChannel, pageState } from '../base/vscodeApi';
import { TrialPage } from './trialPage';

usePageTranslation();
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root element');
const host = new RpcPeer<Record<string, never>, TrialHost>(hostChannel, {}, {});
render(<TrialPage host={host} onKeep={(folder) => pageState.set('folder', folder)} />, root);
