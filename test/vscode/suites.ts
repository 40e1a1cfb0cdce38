import './manifest.test';
import './lifecycle.test';
import './cases.test';
import './runs.test';
import './tapes.test';
import './transcript.test';
import './agentTools.test';
import './caseWriting.test';
