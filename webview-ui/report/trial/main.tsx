import { trialPage } from '../../../src/contracts/pages/trialPage';
import '../../base/theme.css';
import '../../base/report.css';
import '../../base/dialog.css';
import './trial.css';
import { mountPage } from '../../base/mountPage';
import { pageState } from '../../base/vscodeApi';
import { TrialPage } from './trialPage';

mountPage(trialPage, (host) => <TrialPage host={host} onKeep={(folder) => pageState.set('folder', folder)} />);
