import { overviewPage } from '../../../src/contracts/pages/overviewPage';
import '../../base/theme.css';
import '../../base/report.css';
import './overview.css';
import { mountPage } from '../../base/mountPage';
import { OverviewPage } from './overviewPage';

mountPage(overviewPage, (host) => <OverviewPage host={host} />);
