import { render } from 'preact';
import { RpcPeer } from '../../src/protocol/rpc/rpc';
import '../base/theme.css';
import '../base/code/codeText.css';
import '../base/dialog.css';
import '../base/markdown.css';
import { usePageTranslation } from '../base/translation';
import { hostChannel } from '../base/vscodeApi';
import { App } from './app';
import './transcript.css';
import type { TranscriptPeer } from './state/useTranscript';

usePageTranslation();
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root element');
const peer: TranscriptPeer = new RpcPeer(hostChannel, {}, {});
render(<App peer={peer} />, root);
