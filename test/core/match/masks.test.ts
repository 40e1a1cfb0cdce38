import assert from 'node:assert/strict';
import fc from 'fast-check';
import { MASK_PRESETS } from '../../../src/core/match/maskPresets';

const PIECES = [
  ...[
    'call_',
    'toolu-',
    'item',
    'a1b2c3d4e5',
    '0f3a9c11',
    '-4d5e',
    '-9ABC',
    '-0123456789ab',
    '2026',
    '-04',
    '-05',
    '4/5/2026',
  ],
  ...[
    'Jan',
    'February ',
    'Mar',
    'April 4, ',
    'May 5 ',
    'June',
    'July',
    'Aug',
    'September ',
    'Sept',
    'Oct',
    'Nov',
    'Dec 24 ',
  ],
  ...[
    'Mon, ',
    '12',
    ':30',
    ':59.123',
    ' PM',
    'T',
    'Z',
    ' +02:00',
    '17',
    '00000000',
    '1999999999',
    '1500000000.5',
    ' at ',
  ],
  ...[
    '/private',
    '/var/folders/',
    'xy/z1',
    '/T/',
    '/tmp/',
    'tmp.a1',
    'C:\\',
    'Users',
    '\\\\',
    '/',
    'AppData',
    'Local',
    'Temp',
  ],
  ...[
    'localhost',
    '127.0.0.1',
    '0.0.0.0',
    ' [::1]',
    ':8080',
    'port',
    ' in ',
    '12d',
    '0.12s',
    ' took: ',
    '٢٠٢٦',
    ' νοε ',
    ' ago',
    '年',
    '5月',
    '1日',
    '下午',
    '10点',
    '5分',
    '前',
    'mai ',
    '.',
    ' ',
    'é',
    '\n',
  ],
];
const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(''));
const MATCHED = [
  ...[
    'call_a1b2c3d4',
    'x 0f3a9c11-4d5e-4d5e-9ABC-0123456789ab',
    '2026-04-04T12:30:00Z',
    'Sept 4, 2026 at 12:30 PM',
    '1712345678',
  ],
  ...[
    '24 Dec 2026',
    '4/5/2026',
    '/var/folders/ab/cd/T/x1',
    '/private/tmp/x',
    'C:\\\\Users\\\\me\\\\AppData\\\\Local\\\\Temp\\\\x',
  ],
  ...[
    ['C:', 'Users', 'me', 'AppData', 'Local', 'Temp', 'x'].join('/'),
    'localhost:8080',
    '127.0.0.1:80',
    'x 0.0.0.0:80',
    ' [::1]:80',
    'port 40123',
  ],
  ...[
    '6f9619ff8b864d01b42d00cf4fc964ff',
    'note_294dd138',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'cjld2cjxh0000qzrmn831i7rn',
    'V1StGXR8_Z5jdHi6B-myT',
    '0ujtsYcgvSTl8PAuAdqWYSMnLOv',
  ],
  ...[
    'Fri May  1 10:00:00 2026',
    '20260501_100000',
    '20260501',
    '05/01/26',
    '28-Nov-26',
    '1 мая 2026',
    '10:00:01',
    '2 minutes ago',
    'datetime.datetime(2026, 5, 1, 10, 0)',
  ],
  ...[
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    '9m4e2mr0ui3e8a215n4g',
    'on :40123',
    '/run/user/1000/app-12ab/x',
    '3 passed in 0.12s',
    'elapsed=12',
  ],
  ...['Monday, May 4', 'lunes, 4 mayo', '5月4日', '5월 4일', '2026年5月', 'mars 2026', '上午 9时5分', 'an hour ago'],
];

describe('The presets of masks', () => {
  const patterns = MASK_PRESETS.flatMap((preset) => preset.patterns);

  it('match no text without their hint', () => {
    const holds = (text: string) => {
      for (const [pattern, , hint] of patterns) if (text.search(pattern) !== -1) assert.match(text, hint, `${pattern}`);
    };
    fc.assert(fc.property(texts, holds), { numRuns: 20_000 });
    for (const text of MATCHED) holds(text);
  });

  it('each match something here', () => {
    for (const [pattern] of patterns)
      assert.ok(
        MATCHED.some((text) => text.search(pattern) !== -1),
        `${pattern}`,
      );
  });
});
