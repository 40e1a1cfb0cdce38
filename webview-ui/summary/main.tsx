import { render } from 'preact';
import { RpcPeer } from '../../src/protocol/rpc';
import type { RunSummaryHost } from '../../src/protocol/runSummary';
import '../base/theme.css';
import '../base/report.css';
import '../base/diffText.css';
import { hostChannel } from '../base/vscodeApi';
import { SummaryPage } from './summaryPage';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root element');
render(<SummaryPage host={new RpcPeer<Record<string, never>, RunSummaryHost>(hostChannel, {}, {})} />, root);
