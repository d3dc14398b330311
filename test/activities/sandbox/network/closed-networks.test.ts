// Some of a machine's routes are closed to a command that has a network.
import { describe, expect, test } from 'vitest';
import { closedNetworks } from '../../../../activities/sandbox/network/closed-networks.ts';
import { isOfThisMachine } from '../../../../activities/sandbox/network/find-way-out.ts';

const always = ['0.0.0.0/8', '169.254.0.0/16', '224.0.0.0/4', '240.0.0.0/4'];
const wayOut = { type: 'unicast', dst: 'default', gateway: '192.168.1.1', dev: 'eth0' };

describe('closed networks', () => {
  test.each([
    ['an own address', { type: 'local', dst: '192.168.1.5', dev: 'eth0' }, ['192.168.1.5']],
    ['a whole network of own addresses', { type: 'local', dst: '10.9.0.0/16', dev: 'lo' }, ['10.9.0.0/16']],
    ['a broadcast address', { type: 'broadcast', dst: '192.168.1.255', dev: 'eth0' }, ['192.168.1.255']],
    ['loopback, which is the own of the command too', { type: 'local', dst: '127.0.0.0/8', dev: 'lo' }, []],
    ['a network of containers', { type: 'unicast', dst: '172.17.0.0/16', dev: 'docker0' }, ['172.17.0.0/16']],
    ['one container', { dst: '10.1.2.3', dev: 'cali1' }, ['10.1.2.3']],
    ['the network of the way out', { type: 'unicast', dst: '192.168.1.0/24', dev: 'eth0' }, []],
    ['a network behind a gateway', { dst: '10.0.0.0/8', gateway: '10.8.0.1', dev: 'tun0' }, []],
  ])('%s', (_, route, closed) => {
    expect(closedNetworks(JSON.stringify([wayOut, route]))).toEqual([...always, ...closed]);
  });

  test('every device of several ways out is one', () => {
    const ways = { dst: 'default', nexthops: [{ dev: 'a' }, { dev: 'b' }] };
    const beside = ['a', 'b', 'c'].map((dev, index) => ({ dst: `10.0.${index}.0/24`, dev }));
    expect(closedNetworks(JSON.stringify([ways, ...beside]))).toEqual([...always, '10.0.2.0/24']);
  });

  test.each(['', '{}', '[{"dev":"eth0"}]', '[{"type":"local","dst":"x; link"}]', '[{"type":"local","dst":"::1"}]'])(
    'what is no list of routes is refused: %s',
    (text) => {
      expect(() => closedNetworks(text)).toThrow();
    },
  );
});

test.each([
  ['127.0.0.1:7233', true],
  ['localhost:7233', true],
  ['http://127.0.0.1:7233', true],
  ['[::1]:7233', true],
  ['temporal:7233', false],
  ['127.0.0.1.example:7233', false],
  ['192.0.2.77:7233', false],
  ['', false],
])('a server at %j is on this machine: %j', (address, isOwn) => {
  expect(isOfThisMachine(address)).toBe(isOwn);
});
