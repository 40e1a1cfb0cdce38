import assert from 'node:assert/strict';
import { applyMasks, formatMask, parseMask } from '../../../src/core/match/masks';
import type { Mask } from '../../../src/core/model/case';
import { matchOf } from './requestPairs';

function mask(text: string): Mask {
  const parsed = parseMask(text);
  assert.ok(parsed, text);
  return parsed;
}

/** Values of one kind that are the same under their preset. */
const EQUAL: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'temp-path': [
    ['/tmp/pytest-of-ann/pytest-12/test_a0', '/tmp/pytest-of-bob/pytest-3/test_a0'],
    ['/tmp/pytest-of-ann/pytest-12/test_a0/x.db', '/tmp/pytest-of-ann/pytest-13/test_a0/x.db'],
    ['/tmp/pytest-of-ann/pytest-1/popen-gw0/test_a0', '/tmp/pytest-of-ann/pytest-1/popen-gw3/test_a0'],
    [
      '/private/var/folders/zz/abc123/T/pytest-of-ann/pytest-0/test_b1',
      '/private/var/folders/q1/xyz999/T/pytest-of-ann/pytest-7/test_b1',
    ],
    [String.raw`C:\Temp\tmp1a\f.txt`, String.raw`C:\Temp\tmp2b\f.txt`],
    ['/var/folders/zz/abc123def/T/tmpab12cd', '/var/folders/zz/abc123def/T/tmpzz99yy'],
    ['/tmp/tmpab12cd/out.txt', '/tmp/tmpzz99yy/out.txt'],
    ['/tmp/TestRun1234567/001/file', '/tmp/TestRun7654321/001/file'],
    ['/tmp/.tmpAbC12x/w', '/tmp/.tmpQrS34y/w'],
    ['file:///tmp/agent-AbC123', 'file:///tmp/agent-XyZ987'],
    [
      String.raw`C:\Users\ann\AppData\Local\Temp\tmpab12cd\f.txt`,
      String.raw`C:\Users\bob\AppData\Local\Temp\tmpzz99yy\f.txt`,
    ],
    [
      String.raw`C:\Users\ann\AppData\Local\Temp\pytest-of-ann\pytest-3\test_a0`,
      String.raw`C:\Users\ann\AppData\Local\Temp\pytest-of-ann\pytest-9\test_a0`,
    ],
    [
      String.raw`C:\\Users\\Ann Lee\\AppData\\Local\\Temp\\tmp1a`,
      String.raw`C:\\Users\\RUNNER~1\\AppData\\Local\\Temp\\tmp2b`,
    ],
    [String.raw`C:\Windows\Temp\tmp1a\x`, String.raw`C:\WINDOWS\TEMP\tmp2b\x`],
    ['/mnt/c/Users/ann/AppData/Local/Temp/tmp1a', '/mnt/c/Users/ann/AppData/Local/Temp/tmp2b'],
    ['/dev/shm/tmpab12/f', '/dev/shm/tmpzz99/f'],
    ['/var/tmp/build-1/f', '/var/tmp/build-2/f'],
    ['/run/user/1000/app-12ab/x', '/run/user/1000/app-34cd/x'],
    ['~/runner/work/_temp/12ab/a.sh', '~/runner/work/_temp/34cd/a.sh'],
    [String.raw`D:\a\_temp\12ab\a.ps1`, String.raw`D:\a\_temp\34cd\a.ps1`],
  ],
  date: [
    ['Friday, May 1, 2026', 'Saturday, Nov 28, 2026'],
    ['2026-05-01', '2026-11-28'],
    ['2026/05/01', '2026/11/28'],
    ['2026.05.01', '2026.11.28'],
    ['5/1/2026', '11/28/2026'],
    ['01-05-2026', '28-11-2026'],
    ['01-May-2026', '28-Nov-2026'],
    ['01.05.2026', '28.11.2026'],
    ['1 May 2026', '28 November 2026'],
    ['May 1st, 2026', 'November 28th, 2026'],
    ['1st of May 2026', '28th of November 2026'],
    ['Fri May  1 2026', 'Sat Nov 28 2026'],
    ['May 2026', 'November 2026'],
    ['Tue, Aug 25', 'Wed, Aug 26'],
    ['Tuesday, 25 August', 'Wednesday, 26 August'],
    ['20260501', '20261128'],
    ['report_20260501.csv', 'report_20261128.csv'],
    ['2026年5月1日', '2026年11月28日'],
    ['2026年05月01日 星期五', '2026年11月28日 星期六'],
    ['5月1日', '11月28日'],
    ['2026年5月', '2026年11月'],
    ['令和8年5月1日（金）', '令和8年11月28日（土）'],
    ['2026년 5월 1일', '2026년 11월 28일'],
    ['1er mai 2026', '28 novembre 2026'],
    ['vendredi 1er mai 2026', 'samedi 28 novembre 2026'],
    ['1. Mai 2026', '28. November 2026'],
    ['Freitag, den 1. Mai 2026', 'Samstag, den 28. November 2026'],
    ['1 de mayo de 2026', '28 de noviembre de 2026'],
    ['viernes, 1 de mayo de 2026', 'sábado, 28 de noviembre de 2026'],
    ['1 de maio de 2026', '28 de novembro de 2026'],
    ['1 maggio 2026', '28 novembre 2026'],
    ['1 mei 2026', '28 november 2026'],
    ['1 мая 2026', '28 ноября 2026'],
    ['1 maja 2026', '28 listopada 2026'],
    ['1 mayıs 2026', '28 kasım 2026'],
    ['1. maj 2026', '28. december 2026'],
    ['Friday, 01-May-26', 'Saturday, 28-Nov-26'],
    ['05/01/26', '11/28/26'],
    ['2026-W18-5', '2026-W48-6'],
    ['01.05.26', '28.11.26'],
    ['01-05-26', '28-11-26'],
    ['datetime.date(2026, 5, 1)', 'datetime.date(2026, 11, 28)'],
    ['vrijdag 1 mei 2026', 'zaterdag 28 november 2026'],
    ['пятница, 1 мая 2026 г.', 'суббота, 28 ноября 2026 г.'],
    ['piątek, 1 maja 2026', 'sobota, 28 listopada 2026'],
    ['fredag 1 maj 2026', 'lördag 28 november 2026'],
    ['cuma, 1 mayıs 2026', 'cumartesi, 28 kasım 2026'],
    ['1. května 2026', '28. listopadu 2026'],
    ['1. toukokuuta 2026', '28. marraskuuta 2026'],
    ['1 mai 2026', '28 noiembrie 2026'],
    ['1 Mei 2026', '28 Desember 2026'],
    ['1 травня 2026', '28 листопада 2026 р.'],
    ['Παρασκευή, 1 Μαΐου 2026', 'Σάββατο, 28 Νοεμβρίου 2026'],
    ['1 במאי 2026', '28 בנובמבר 2026'],
    ['1 مايو 2026', '28 نوفمبر 2026'],
    ['١ مايو ٢٠٢٦', '٢٨ نوفمبر ٢٠٢٦'],
    ['1 मई 2026', '28 नवंबर 2026'],
    ['1 พฤษภาคม 2569', '28 พฤศจิกายน 2569'],
    ['ngày 1 tháng 5 năm 2026', 'ngày 28 tháng 11 năm 2026'],
  ],
  timestamp: [
    ['2026-05-01T10:00:00Z', '2026-11-28T11:22:33Z'],
    ['2026-05-01 10:00:00.123+02:00', '2026-11-28 11:22:33.9-05:00'],
    ['2026-05-01 10:00:00,123', '2026-11-28 11:22:33,456'],
    ['20260501T100000Z', '20261128T112233Z'],
    ['run_20260501_100000', 'run_20261128_112233'],
    ['2026-05-01_10-00-00.log', '2026-11-28_11-22-33.log'],
    ['2026-05-01T10-11-12-123Z', '2026-11-28T01-02-03-456Z'],
    ['1746093600', '1764329000'],
    ['1746093600123', '1764329000456'],
    ['1746093600123456', '1764329000456789'],
    ['1746093600123456789', '1764329000456789123'],
    ['Friday, 01-May-26 10:00:00 GMT', 'Saturday, 28-Nov-26 11:22:33 GMT'],
    ['10:00:01', '23:59:59'],
    ['10:00 AM', '11:59 PM'],
    ['10:00 a.m.', '11:59 p.m.'],
    ['Fri, 01 May 2026 10:00:00 GMT', 'Sat, 28 Nov 2026 11:22:33 GMT'],
    ['Fri, 01 May 2026 10:00:00 +0000 (UTC)', 'Sat, 28 Nov 2026 11:22:33 +0200 (UTC)'],
    ['Fri May  1 10:00:00 2026', 'Sat Nov 28 11:22:33 2026'],
    ['Fri May  1 10:00:00 UTC 2026', 'Sat Nov 28 11:22:33 CET 2026'],
    [
      'Fri May 01 2026 10:00:00 GMT+0200 (Central European Summer Time)',
      'Sat Nov 28 2026 11:22:33 GMT+0100 (Central European Standard Time)',
    ],
    ['01/May/2026:10:00:00 +0000', '28/Nov/2026:11:22:33 +0100'],
    ['May  1 10:00:00', 'Nov 28 11:22:33'],
    ['Tue, Aug 25, 02:00', 'Wed, Aug 26, 12:30'],
    ['4/24/2026, 4:25:53 PM (America/Los_Angeles, UTC-7:00)', '11/1/2026, 9:14:40 AM (Europe/Oslo, UTC+1:00)'],
    ['2 minutes ago', '5 minutes ago'],
    ['an hour ago', '3 days ago'],
    ['(in 12d 16h)', '(in 11d 3h)'],
    ['3m ago', '1h 12m ago'],
    ['2 hours and 3 minutes ago', '1 hour, 4 minutes ago'],
    ['datetime.datetime(2026, 5, 1, 10, 0)', 'datetime.datetime(2026, 11, 28, 11, 22, 33, 123456)'],
    ['Screenshot 2026-05-01 at 10.00.00', 'Screenshot 2026-11-28 at 11.22.33'],
    ['2分钟前', '5小时前'],
    ['vor 2 Minuten', 'vor 3 Stunden'],
    ['2025/10/15 下午9:14:40', '2025/11/16 上午8:13:39'],
    ['2026年5月1日10:00', '2026年11月28日 下午11:22'],
    ['2026年5月1日10时00分', '2026年11月28日11时22分33秒'],
    ['1. Mai 2026 um 10:00', '28. November 2026 um 11:22'],
  ],
  uuid: [
    ['6f9619ff-8b86-4d01-b42d-00cf4fc964ff', '11111111-2222-4333-8444-555555555555'],
    ['6f9619ff8b864d01b42d00cf4fc964ff', '11111111222243338444555555555555'],
    ['6F9619FF8B864D01B42D00CF4FC964FF', '1A111111222243338444555555555555'],
    ['run-6f9619ff-8b86-4d01-b42d-00cf4fc964ff', 'run-11111111-2222-4333-8444-555555555555'],
    ['01ARZ3NDEKTSV4RRFFQ69G5FAV', '01HZXW5V9GQ8M2T3K4N5P6R7S8'],
    ['user_01h455vb4pex5vsknk084sn02q', 'user_01h455vb4pex5vsknk0aaaan99'],
    ['note_294dd138', 'note_9be77aa0'],
    ['job-294dd138ab12', 'job-9be77aa0cd34'],
    ['65f1c0ffee0ddba11ab1e5f0', '65f1c0ffee0ddba11ab1e5f9'],
    ['cjld2cjxh0000qzrmn831i7rn', 'clh3am1f30000udocl363eofy'],
    ['tz4a98xxat96iws9zmbrgj3a', 'pfh0haxfpzowht3oi213cqos'],
    ['V1StGXR8_Z5jdHi6B-myT', 'Uakgb_J5m9g-0JDMbcJqL'],
    ['0ujtsYcgvSTl8PAuAdqWYSMnLOv', '1srOrx2ZWZBpBUvZwXKQmoEYga2'],
    ['vytxeTZskVKR7C7WgdSP3d', 'PWHbTzeCcbXFfJUXr2Lmgs'],
    ['Drmhze6EPcv0fN_81Bj-nA', 'aB3_x9Kq2LMpQrStUvWx-Y'],
    ['9m4e2mr0ui3e8a215n4g', 'c0ffee5k3v2s73a1b2c0'],
    ['9f86d081884c7d65', '2c26b46b68ffc68f'],
    ['3f4e8a1c9b2d', '9b2d3f4e8a1c'],
    [
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00',
    ],
    ['urn:uuid:6f9619ff-8b86-4d01-b42d-00cf4fc964ff', 'urn:uuid:11111111-2222-4333-8444-555555555555'],
  ],
  'provider-id': [
    ['call_abc123DEFghi456', 'call_zzz999YYYxxx888'],
    ['toolu_01AbCdEfGhIjKlMnOpQrStUv', 'toolu_01ZyXwVuTsRqPoNmLkJiHgFe'],
    ['tooluse_QaAkomQSyRkyE7qF4liUqX', 'tooluse_ZzAkomQSyRkyE7qF4liUqY'],
    ['resp_0269f3aed1fd4159', 'resp_ffffeeeeddddcccc'],
    ['file-abc123XYZ789abc123', 'file-zzz999QQQ111zzz999'],
    ['vs_abc123def456', 'vs_999888777666'],
    ['conv_689667905b048191b4740501625afd94', 'conv_68d0ffee5b048191b4740501625afd94'],
    ['msgbatch_013Zva2CMHLNnXjNJJKqJ2EF', 'msgbatch_013Zva2CMHLNnXjNJJKqJ2EG'],
    ['thread_abc123XYZ', 'thread_zzz999QQQ'],
    ['msg_01AbCdEf', 'msg_01ZyXwVu'],
    ['run_abcdef123', 'run_zzzxxx999'],
    ['mcp_68f0a1b2c3d4e5f60718', 'mcp_1234567890abcdef1234'],
  ],
  port: [
    ['http://127.0.0.1:40123/x', 'http://127.0.0.1:51987/x'],
    ['localhost:3000', 'localhost:3001'],
    ['http://[::1]:40123', 'http://[::1]:51987'],
    ['http://[::]:40123', 'http://[::]:51987'],
    ['0.0.0.0:8000', '0.0.0.0:8001'],
    ['127.0.1.1:8000', '127.0.1.1:8001'],
    ['listening on port 40123', 'listening on port 51987'],
    ['listening on :40123', 'listening on :51987'],
    ["('127.0.0.1', 40123)", "('127.0.0.1', 51987)"],
    ['{"port": 40123}', '{"port": 51987}'],
    ['--port=40123', '--port=51987'],
    ['http://host.containers.internal:40123', 'http://host.containers.internal:51987'],
    ['http%3A%2F%2F127.0.0.1%3A40123', 'http%3A%2F%2F127.0.0.1%3A51987'],
  ],
  duration: [
    ['3 passed in 0.12s', '3 passed in 1.07s'],
    ['ok  example.com/shop  0.012s', 'ok  example.com/shop  1.204s'],
    ['--- PASS: TestRefund (0.00s)', '--- PASS: TestRefund (0.13s)'],
    ['test result: ok; finished in 0.02s', 'test result: ok; finished in 12.5s'],
    ['Time:        0.512 s', 'Time:        1.034 s'],
    ['Duration  312ms (transform 41ms)', 'Duration  1,298ms (transform 7ms)'],
    ['Done in 35 ms', 'Done in 7 ms'],
    ['done in 0.97 s', 'done in 1.02 s'],
    ['Finished in 0.02345 seconds', 'Finished in 1.3 seconds'],
    ['Ran 3 tests in 0.001s', 'Ran 3 tests in 0.010s'],
    ['Built in 4s', 'Built in 12s'],
    ['took 1m 3s', 'took 12m 40s'],
    ['real    0m0.123s', 'real    1m2.004s'],
    ['1h2m3.5s', '4m10s'],
    ['12.5µs', '900ns'],
    ['{"duration_ms": 312}', '{"duration_ms": 7}'],
    ['elapsed=0.123', 'elapsed=4.5'],
    ['0:00:01.234567', '0:00:00.000123'],
  ],
};

/** Other values, which stay two under every preset. */
const DIFFERENT: readonly (readonly [string, string])[] = [
  ['order 4711', 'order 4712'],
  ['order_12345678', 'order_12345679'],
  ['get_customer_order_id', 'get_customer_order_no'],
  ['getHTTPServerResponse', 'getHTTPServerRequests'],
  ['Claude-Sonnet-4-5-abc', 'Claude-Sonnet-4-5-abd'],
  ['run_test_suite', 'run_text_suite'],
  ['mcp__context7__resolve', 'mcp__context8__resolve'],
  ['version 1.10.2', 'version 1.10.3'],
  ['10.0.0.1', '10.0.0.2'],
  ['https://shop.example:8443/x', 'https://shop.example:9443/x'],
  ['a score of 3:45', 'a score of 4:45'],
  ['it may take 2026 steps', 'it may take 2027 steps'],
  ['Ann', 'Bob'],
  ['/srv/ann/tmp/report', '/srv/bob/tmp/report'],
  ['in 5 minutes', 'in 6 minutes'],
  ['within 30 days', 'within 45 days'],
  ['a timeout of 30 seconds', 'a timeout of 60 seconds'],
  ['5 m of cable', '6 m of cable'],
  ['version 1.12.26', 'version 1.12.27'],
  ['DeadBeefCafe', 'DeadBeefCaff'],
  ['12 orders in 2026', '13 orders in 2026'],
  ['deadbeefcafebabe', 'deadbeefcafebabf'],
  ['items 1/40/10', 'items 1/41/10'],
  ['src/1/2/100', 'src/1/3/100'],
  ['10:00 AM (see notes)', '10:00 AM (see photos)'],
];

describe('The presets of masks', () => {
  const call = (text: string) => ({ model: 'gpt-4o', messages: [{ role: 'user', content: `value is ${text} ok` }] });

  for (const [preset, pairs] of Object.entries(EQUAL))
    describe(preset, () => {
      for (const [one, other] of pairs)
        it(`masks ${one}`, () => {
          const left = (text: string) => applyMasks(`value is ${text} ok`, [mask(preset)]);
          assert.equal(left(one), left(other));
          assert.equal(matchOf(call(one), call(other), { masks: [preset] }).kind, 'masked');
          const missed = matchOf(call(one), call(other));
          assert.ok('explain' in missed);
          const { masks } = missed.explain();
          assert.ok(masks.length > 0, 'no mask is proposed');
          assert.equal(matchOf(call(one), call(other), { masks: masks.map(formatMask) }).kind, 'masked');
        });
    });

  it('hold in whatever order they are named', () => {
    const dated = ['2026-05-01 10:00:00', '20261128T112233Z', '29/11/2026 21:30'];
    for (const text of dated)
      for (const masks of [
        ['timestamp', 'date'],
        ['date', 'timestamp'],
      ])
        assert.equal(applyMasks(text, masks.map(mask)), '<timestamp>', masks.join(', '));
  });

  it('leave other values alone', () => {
    const all = Object.keys(EQUAL);
    for (const [one, other] of DIFFERENT)
      assert.equal(matchOf(call(one), call(other), { masks: all }).kind, 'drifted', `${one} and ${other}`);
  });

  it('do not take the version of a model or a tool for a date', () => {
    const [one, other] = ['gpt-4o-2024-08-06', 'gpt-4o-2024-11-20'].map((model) => ({ ...call('x'), model }));
    assert.equal(matchOf(one ?? null, other ?? null, { masks: ['date'] }).kind, 'drifted');
    const tools = ['web_search_20250305', 'web_search_20260101'].map((type) => ({
      ...call('x'),
      tools: [{ type, name: 'web_search' }],
    }));
    assert.equal(matchOf(tools[0] ?? null, tools[1] ?? null, { masks: ['date'] }).kind, 'drifted');
  });
});

describe('A mask that is a pattern', () => {
  const call = (text: string) => ({ model: 'gpt-4o', messages: [{ role: 'user', content: text }] });
  const matched = (one: string, other: string, ...masks: readonly string[]) =>
    matchOf(call(one), call(other), { masks }).kind;

  it('covers what it matches, and nothing else', () => {
    assert.equal(matched('saved as f4af.', 'saved as 09be.', 'pattern:\\b[0-9a-f]{4}\\b'), 'masked');
    assert.equal(matched('saved as f4af.', 'kept as 09be.', 'pattern:\\b[0-9a-f]{4}\\b'), 'drifted');
    assert.equal(matched('build 7 on a', 'build 8 on b', 'pattern:(?<=build )\\d+', 'pattern:\\b[ab]$'), 'masked');
    assert.equal(matched('编号：甲一', '编号：乙二', 'pattern:(?<=编号：).+'), 'masked');
    assert.equal(matched('a/b', 'a/c', 'pattern:/.'), 'masked');
  });

  it('is proposed for random words, beside presets, and not for other words', () => {
    const proposed = (one: string, other: string) => {
      const missed = matchOf(call(one), call(other));
      const masks = 'explain' in missed ? missed.explain().masks.map(formatMask) : [];
      if (masks.length > 0) assert.equal(matched(one, other, ...masks), 'masked');
      return masks;
    };
    assert.deepEqual(
      proposed(
        'Scheduled f4af for Tue, Aug 25, 02:00 (in 12d 16h)',
        'Scheduled 09be for Wed, Aug 26, 02:00 (in 11d 3h)',
      ),
      ['timestamp', 'pattern:(?<=Scheduled )[0-9a-f]+'],
    );
    assert.deepEqual(proposed('saved as job_7f3a.', 'saved as job_09be.'), ['pattern:\\bjob_[0-9a-f]+']);
    for (const [one, other] of [
      ['order 4711', 'order 4712'],
      ['a cat', 'a dog'],
      ['job_7f3a by Ann', 'job_09be by Bob'],
      ['use gpt4o now', 'use gpt5o now'],
    ] as const)
      assert.deepEqual(proposed(one, other), [], one);
  });

  it('is written as it was', () => {
    for (const text of ['pattern:a/b', 'pattern:\\d+', 'pattern:', 'tool-order', 'uuid', '/a~1b'])
      assert.equal(formatMask(mask(text)), text);
  });

  it('takes linear time, and is refused where it cannot', () => {
    assert.equal(parseMask('pattern:('), undefined);
    assert.equal(parseMask('pattern:(a)\\1'), undefined);
    const text = `${'a'.repeat(30_000)}!`;
    const start = process.cpuUsage();
    assert.equal(matched(text, `${text}b`, 'pattern:(?:a+)+$'), 'drifted');
    assert.ok(process.cpuUsage(start).user < 5_000_000);
  });
});
