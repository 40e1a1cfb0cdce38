import { t } from '../../core/text/l10n';
import { addressOf, type Destination } from '../network/destination';
import type { RejectedTunnel } from '../network/tunnels';
import type { InteractionReport } from './session/report';
import type { ProxyMode } from './session/sessionOptions';

/** The report on a connection that carried no request. */
export function rejectionReport(
  destination: Destination,
  { kind, detail }: RejectedTunnel,
  mode: ProxyMode,
): Pick<InteractionReport, 'verdict' | 'explanation'> {
  const address = addressOf(destination);
  switch (kind) {
    case 'untrusted':
      return {
        verdict: 'unreachable',
        explanation: t(
          'the client that called {0} did not accept the certificate of Tapedeck ({1}): it reads none of SSL_CERT_FILE, REQUESTS_CA_BUNDLE, NODE_EXTRA_CA_CERTS and the Java trust store. Give it the certificates in $SSL_CERT_FILE, or set the base URL of its API to $OPENAI_BASE_URL or the like.',
          address,
          detail,
        ),
      };
    case 'http2':
      return {
        verdict: 'unreachable',
        explanation: t(
          'the client that called {0} speaks neither HTTP/1.1 nor HTTP/2 ({1}), so what it says cannot be recorded.',
          address,
          detail,
        ),
      };
    case 'not-http':
      return mode === 'replay'
        ? {
            verdict: 'unreachable',
            explanation: t(
              'the connection to {0} is not HTTP, so it is not on the tape, and a replay reaches nobody.',
              address,
            ),
          }
        : {
            verdict: 'passed',
            explanation: t('the connection to {0} is not HTTP, so it was passed on and not recorded.', address),
          };
    case 'broken':
      return { verdict: 'unreachable', explanation: t('the TLS connection to {0} failed: {1}', address, detail) };
  }
}
