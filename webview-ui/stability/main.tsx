import { render } from 'preact';
import type { StabilityHost } from '../../src/protocol/engine/stability';
import { RpcPeer } from '../../src/protocol/rpc/rpc';
import '../base/theme.css';
import '../base/report.css';
import './stability.css';
import { usePageTranslation } from '../base/translation';
import { hostChannel, pageState } from '../base/vscodeApi';
import { StabilityPage } from './stabilityPage';

usePageTranslation();
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root element');
const host = new RpcPeer<Record<string, never>, StabilityHost>(hostChannel, {}, {});
render(<StabilityPage host={host} onKeep={(report) => pageState.set('report', report)} />, root);
