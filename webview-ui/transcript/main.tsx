import { transcriptPage } from '../../src/contracts/transcript/transcript';
import '../base/theme.css';
import '../base/code/codeText.css';
import '../base/dialog.css';
import '../base/markdown.css';
import { mountPage } from '../base/mountPage';
import { App } from './app';
import './transcript.css';

mountPage(transcriptPage, (host) => <App host={host} />);
