/** First and last address of every range that is not public, and the addresses beside it that are. The code has a list of its own. */
export const ranges: readonly { first: string; last: string; outside?: readonly string[] }[] = [
  { first: '0.0.0.0', last: '0.255.255.255', outside: ['1.0.0.0'] },
  { first: '10.0.0.0', last: '10.255.255.255', outside: ['9.255.255.255', '11.0.0.0'] },
  { first: '100.64.0.0', last: '100.127.255.255', outside: ['100.63.255.255', '100.128.0.0'] },
  { first: '127.0.0.0', last: '127.255.255.255', outside: ['126.255.255.255', '128.0.0.0'] },
  { first: '169.254.0.0', last: '169.254.255.255', outside: ['169.253.255.255', '169.255.0.0'] },
  { first: '172.16.0.0', last: '172.31.255.255', outside: ['172.15.255.255', '172.32.0.0'] },
  { first: '192.0.0.0', last: '192.0.0.255', outside: ['191.255.255.255', '192.0.1.0'] },
  { first: '192.0.2.0', last: '192.0.2.255', outside: ['192.0.1.255', '192.0.3.0'] },
  { first: '192.31.196.0', last: '192.31.196.255', outside: ['192.31.195.255', '192.31.197.0'] },
  { first: '192.52.193.0', last: '192.52.193.255', outside: ['192.52.192.255', '192.52.194.0'] },
  { first: '192.88.99.0', last: '192.88.99.255', outside: ['192.88.98.255', '192.88.100.0'] },
  { first: '192.168.0.0', last: '192.168.255.255', outside: ['192.167.255.255', '192.169.0.0'] },
  { first: '192.175.48.0', last: '192.175.48.255', outside: ['192.175.47.255', '192.175.49.0'] },
  { first: '198.18.0.0', last: '198.19.255.255', outside: ['198.17.255.255', '198.20.0.0'] },
  { first: '198.51.100.0', last: '198.51.100.255', outside: ['198.51.99.255', '198.51.101.0'] },
  { first: '203.0.113.0', last: '203.0.113.255', outside: ['203.0.112.255', '203.0.114.0'] },
  { first: '224.0.0.0', last: '239.255.255.255', outside: ['223.255.255.255'] },
  { first: '240.0.0.0', last: '255.255.255.255' },
  { first: '::', last: '::' },
  { first: '::1', last: '::1' },
  { first: '::2', last: '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', outside: ['2003::'] },
  { first: '::ffff:0.0.0.0', last: '::ffff:255.255.255.255' },
  { first: '64:ff9b::10.0.0.1', last: '64:ff9b::169.254.169.254', outside: ['64:ff9b::8.8.8.8', '64:ff9b::100:0'] },
  { first: '64:ff9b:1::', last: '64:ff9b:1:ffff:ffff:ffff:ffff:ffff' },
  { first: '100::', last: '100::ffff:ffff:ffff:ffff' },
  { first: '2001::', last: '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', outside: ['2000::', '2001:200::'] },
  { first: '2001:db8::', last: '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', outside: ['2001:db7::1', '2001:db9::1'] },
  { first: '2002::', last: '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', outside: ['2001:ffff::1', '2003::1'] },
  { first: '3fff::', last: '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', outside: ['3ffe::1', '3fff:1000::1'] },
  { first: '4000::', last: 'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', outside: ['3ffe:ffff::1'] },
  { first: 'fc00::', last: 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
  { first: 'fe80::', last: 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
  { first: 'fec0::', last: 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
  { first: 'ff00::', last: 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff' },
];

/** Hosts of this machine, of networks behind it, and of a cloud's credentials. */
const targets = [
  '127.0.0.1',
  '127.1.2.3',
  '10.0.0.1',
  '172.16.5.4',
  '192.168.1.1',
  '169.254.169.254',
  '100.100.100.200',
  '0.0.0.0',
  '198.18.0.1',
  '224.0.0.251',
  '255.255.255.255',
] as const;

const fullWidth = (text: string): string =>
  text.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));
const circled = (text: string): string =>
  text.replace(/[0-9]/g, (digit) => (digit === '0' ? '⓪' : String.fromCodePoint(0x245f + Number(digit))));
const bold = (text: string): string => text.replace(/[0-9]/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit)));
const percent = (text: string): string => [...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('');

/** Ways to write an IPv4 address that URL, or an inattentive check, may read differently. */
function spellingsOf(address: string): string[] {
  const bytes = address.split('.').map(Number);
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  const hex = (value: number): string => `0x${value.toString(16)}`;
  const octal = (value: number): string => `0${value.toString(8)}`;
  const groups = [((a << 8) | b).toString(16), ((c << 8) | d).toString(16)].join(':');
  const last24 = (b << 16) | (c << 8) | d;
  const last16 = (c << 8) | d;
  return [
    address,
    `${address}.`,
    String(whole),
    hex(whole),
    hex(whole).toUpperCase().replace('X', 'x'),
    octal(whole),
    `0${octal(whole)}`,
    bytes.map(hex).join('.'),
    bytes.map(octal).join('.'),
    bytes.map((byte) => `000${octal(byte)}`).join('.'),
    [hex(a), String(b), octal(c), String(d)].join('.'),
    `${a}.${last24}`,
    `${hex(a)}.${hex(last24)}`,
    `${a}.${b}.${last16}`,
    `${octal(a)}.${b}.${hex(last16)}`,
    fullWidth(address),
    circled(address),
    bold(address),
    percent(address),
    percent(String(whole)),
    address.replaceAll('.', '。'),
    address.replaceAll('.', '．'),
    address.replaceAll('.', '｡'),
    address.replaceAll('.', '%2e'),
    address.replaceAll('.', '%E3%80%82'),
    `${address.slice(0, 1)}\u00ad${address.slice(1)}`,
    `${address.slice(0, 1)}\u200b${address.slice(1)}`,
    `${address.slice(0, 1)}\t${address.slice(1)}`,
    `[::ffff:${address}]`,
    `[::FFFF:${groups}]`,
    `[0:0:0:0:0:ffff:${groups}]`,
    `[::${address}]`,
    `[::ffff:0:${address}]`,
    `[64:ff9b::${address}]`,
    `[64:FF9B:0:0:0:0:${groups}]`,
    `[64:ff9b:1::${address}]`,
    `[2002:${groups}::1]`,
    `[2001:0:${groups}:0:ffff:ffff:ffff]`,
    `[fe80::5efe:${address}]`,
  ];
}

const others = [
  'localhost',
  'LOCALHOST',
  'localhost.',
  'Local%68ost',
  'ⓛocalhost',
  'db.localhost',
  'a.b.localhost.',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[0000:0000:0000:0000:0000:0000:0000:0001]',
  '[fe80::1]',
  '[fe80::1%25eth0]',
  '[fc00::1]',
  '[fd12:3456:789a::1]',
  '[ff02::1]',
  '[fec0::1]',
  '[2001:db8::1]',
  '[100::1]',
  '[4000::1]',
  '[64:ff9b::7f00:1]',
  '0',
  '0x0',
  '00',
  '1',
  '127',
  '0x7f',
  '4294967295',
  '127.0.0.1:80@127.0.0.1',
];

/** Hosts that are not public, in every spelling. */
export const spellings: readonly string[] = [...targets.flatMap(spellingsOf), ...others];
