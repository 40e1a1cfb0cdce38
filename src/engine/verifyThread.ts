import { serveThread } from './verify/verifierThreads';

serveThread();
