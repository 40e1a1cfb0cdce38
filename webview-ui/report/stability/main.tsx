import { stabilityPage } from '../../../src/contracts/pages/stabilityPage';
import '../../base/theme.css';
import '../../base/report.css';
import './stability.css';
import { mountPage } from '../../base/mountPage';
import { pageState } from '../../base/vscodeApi';
import { StabilityPage } from './stabilityPage';

mountPage(stabilityPage, (host) => <StabilityPage host={host} onKeep={(report) => pageState.set('report', report)} />);
