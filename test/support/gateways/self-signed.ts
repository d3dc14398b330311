import { generateKeyPairSync, sign } from 'node:crypto';

/** A value of ASN.1's distinguished encoding. */
function der(tag: number, ...parts: (Buffer | Uint8Array)[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const pem = (kind: string, bytes: Buffer): string =>
  `-----BEGIN ${kind}-----\n${bytes.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END ${kind}-----\n`;

/** A certificate for 127.0.0.1 that signs itself, made anew for a test: no key lies in the repository, no other program is needed. */
export function selfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const algorithm = sequence(oid('2a8648ce3d040302'));
  const name = sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from('heddle test')))));
  const validity = sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('491231235959Z')));
  const address = sequence(der(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = sequence(sequence(oid('551d11'), der(0x04, address)));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    algorithm,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const certificate = sequence(body, algorithm, der(0x03, Buffer.from([0]), sign('sha256', body, privateKey)));
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: pem('CERTIFICATE', certificate),
  };
}
