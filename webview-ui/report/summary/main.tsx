import { summaryPage } from '../../../src/contracts/pages/runSummary';
import '../../base/theme.css';
import '../../base/report.css';
import '../../base/diffText.css';
import { mountPage } from '../../base/mountPage';
import { pageState } from '../../base/vscodeApi';
import { SummaryPage } from './summaryPage';

mountPage(summaryPage, (host) => <SummaryPage host={host} onKeep={(cases) => pageState.set('cases', cases)} />);
