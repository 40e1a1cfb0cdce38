import assert from 'node:assert/strict';
import { readSocketTable } from '../../../src/engine/files/socketTable';

const HEAD = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';

describe('The table of sockets of Linux', () => {
  it('has addresses of both kinds, and the names of sockets', () => {
    const text = `${HEAD}   0: 01D8B85D:B6FE 22D8B85D:1F90 01 00000000:00000000 02:0000175E 00000000  1000        0 283930 3 0 20 0 0 11 -1
   1: 00000000000000000000000001000000:0016 06140026000000000000000034000000:01BB 06 00000000:00000000 03:0000175B 00000000     0        0 0 3 0
   2: 0000000000000000FFFF00000100007F:0050 0000000000000000FFFF00000200007F:0051 01 00000000:00000000 00:00000000 00000000     0        0 7 1 0
`;
    assert.deepEqual(readSocketTable(text), [
      {
        local: { ip: '93.184.216.1', port: 46846 },
        remote: { ip: '93.184.216.34', port: 8080 },
        state: '01',
        uid: 1000,
        socket: 'socket:[283930]',
      },
      {
        local: { ip: '::1', port: 22 },
        remote: { ip: '2600:1406::34', port: 443 },
        state: '06',
        uid: 0,
        socket: undefined,
      },
      {
        local: { ip: '127.0.0.1', port: 80 },
        remote: { ip: '127.0.0.2', port: 81 },
        state: '01',
        uid: 0,
        socket: 'socket:[7]',
      },
    ]);
  });

  it('is empty where the system has none', () => {
    assert.deepEqual([readSocketTable(''), readSocketTable(HEAD)], [[], []]);
  });
});
