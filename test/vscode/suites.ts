import './manifest.test';
import './lifecycle.test';
import './cases.test';
import './runs.test';
import './transcript.test';
