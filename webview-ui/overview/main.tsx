import { render } from 'preact';
import type { OverviewHost } from '../../src/protocol/pages/overviewPage';
import { RpcPeer } from '../../src/protocol/rpc/rpc';
import '../base/theme.css';
import '../base/report.css';
import './overview.css';
import { usePageTranslation } from '../base/translation';
import { hostChannel } from '../base/vscodeApi';
import { OverviewPage } from './overviewPage';

usePageTranslation();
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root element');
render(<OverviewPage host={new RpcPeer<Record<string, never>, OverviewHost>(hostChannel, {}, {})} />, root);
