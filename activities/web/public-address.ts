import { BlockList, isIP } from 'node:net';

/**
 * The reach of an address. `public`: anybody may be there. `private`: this machine or a network of its own, for which the user's word is
 * needed. `never`: link-local (where clouds keep credentials), several receivers, reserved, or unreadable.
 */
export type Reach = 'public' | 'private' | 'never';

type Range = readonly [network: string, prefix: number];

/** This machine, and networks of an organisation or a provider. */
const privateV4: readonly Range[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
];

/** Ranges that are no single host of the internet, by the registry of special addresses. */
const reservedV4: readonly Range[] = [
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

const privateV6: readonly Range[] = [
  ['::1', 128],
  ['fc00::', 7],
];

/** The one block of IPv6 in which hosts of the internet are, and the parts of it that are something else. */
const globalV6: readonly Range[] = [['2000::', 3]];
const reservedV6: readonly Range[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** Gateways between the two protocols: such an address is the IPv4 address in its last 32 bits. */
const translatedV6: readonly Range[] = [['64:ff9b::', 96]];

const build = (ranges: readonly Range[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family);
  return list;
};

const v4 = { private: build(privateV4, 'ipv4'), reserved: build(reservedV4, 'ipv4') };
const v6 = {
  private: build(privateV6, 'ipv6'),
  global: build(globalV6, 'ipv6'),
  reserved: build(reservedV6, 'ipv6'),
  translated: build(translatedV6, 'ipv6'),
};

/** The reach of an address in its textual form. What is no address, or has a zone, is never dialled. */
export function reachOf(address: string): Reach {
  if (address.includes('%')) return 'never';
  switch (isIP(address)) {
    case 4:
      return reachOfV4(address);
    case 6:
      return reachOfV6(address);
    default:
      return 'never';
  }
}

function reachOfV4(address: string): Reach {
  if (v4.reserved.check(address, 'ipv4')) return 'never';
  return v4.private.check(address, 'ipv4') ? 'private' : 'public';
}

function reachOfV6(address: string): Reach {
  if (v6.translated.check(address, 'ipv6')) return reachOfV4(lastFourBytes(address));
  if (v6.private.check(address, 'ipv6')) return 'private';
  return v6.global.check(address, 'ipv6') && !v6.reserved.check(address, 'ipv6') ? 'public' : 'never';
}

/** The IPv4 address at the end of an IPv6 address; URL writes both of its forms as two groups of hex digits. */
function lastFourBytes(address: string): string {
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':');
  // A `::` at the end leaves empty groups, which are zeros.
  const [high = 0, low = 0] = groups.slice(-2).map((group) => Number.parseInt(group || '0', 16));
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}
