import { render } from 'preact';
import type { RunSummaryHost } from '../../src/protocol/pages/runSummary';
import { RpcPeer } from '../../src/protocol/rpc/rpc';
import '../base/theme.css';
import '../base/report.css';
import '../base/diffText.css';
import { usePageTranslation } from '../base/translation';
import { hostChannel, pageState } from '../base/vscodeApi';
import { SummaryPage } from './summaryPage';

usePageTranslation();
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root element');
const host = new RpcPeer<Record<string, never>, RunSummaryHost>(hostChannel, {}, {});
render(<SummaryPage host={host} onKeep={(cases) => pageState.set('cases', cases)} />, root);
