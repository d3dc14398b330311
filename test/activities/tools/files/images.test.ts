// Facts of an image in its header, and the types that are shown.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readHeader } from '../../../../activities/documents/read-header.ts';
import { activityLimits } from '../../../../activities/limits/activity-limits.ts';
import { imageTokens } from '../../../../domain/conversation/image.ts';
import { gifOf, jpegOf, pngOf, redPixel, webpOf } from '../../../support/images.ts';
import { makeRig } from './support.ts';

const { imageBytes, imageSide } = activityLimits.tools;

const kinds = {
  'image/png': pngOf,
  'image/gif': gifOf,
  'image/jpeg': jpegOf,
  'image/webp': (width: number, height: number) => webpOf.lossy(width, height),
};

describe('a header', () => {
  test.each([
    ['PNG', redPixel, 'image/png 1x1'],
    ['PNG, large', pngOf(70_000, 3), 'image/png 70000x3'],
    ['GIF', gifOf(640, 480), 'image/gif 640x480'],
    ['JPEG behind other segments', jpegOf(640, 480), 'image/jpeg 640x480'],
    ['JPEG, progressive', jpegOf(4_000, 3_000, 0xc2), 'image/jpeg 4000x3000'],
    ['WebP, lossy', webpOf.lossy(640, 480), 'image/webp 640x480'],
    ['WebP, lossless', webpOf.lossless(16_384, 9_999), 'image/webp 16384x9999'],
    ['WebP, extended', webpOf.extended(100_000, 2), 'image/webp 100000x2'],
    ['one without a side', pngOf(0, 480), undefined],
    ['one that ends too early', redPixel.subarray(0, 20), undefined],
    ['a JPEG without a frame', Buffer.from([0xff, 0xd8, 0xff, 0xda, 0, 2, 1, 2, 3, 4, 5, 6]), undefined],
    ['text', Buffer.from('GIF is a format. It is older than PNG.'), undefined],
  ])('%s', (_, bytes, expected) => {
    const header = readHeader(bytes);
    expect(header === undefined ? undefined : `${header.type} ${header.width}x${header.height}`).toBe(expected);
  });

  test('of any bytes is read or not, and never fails', () => {
    const starts = [redPixel, gifOf(3, 4), jpegOf(3, 4), webpOf.lossy(3, 4), webpOf.extended(3, 4)];
    fc.assert(
      fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 64 }), fc.nat(64), (start, bytes, at) => {
        const mixed = Buffer.concat([start.subarray(0, at), bytes]);
        const header = readHeader(mixed);
        if (header !== undefined) expect(Math.min(header.width, header.height)).toBeGreaterThan(0);
      }),
      { numRuns: 3_000 },
    );
  });

  test('says the sides that its program wrote', () => {
    const side = fc.integer({ min: 1, max: 16_000 });
    fc.assert(
      fc.property(fc.constantFrom(...Object.entries(kinds)), side, side, ([type, write], width, height) => {
        expect(readHeader(write(width, height))).toEqual({ type, width, height });
      }),
    );
  });
});

describe('read_file', () => {
  test.each([
    ['a.png', pngOf(640, 480), 'PNG image', 'image/png'],
    ['a.txt', gifOf(640, 480), 'GIF image', 'image/gif'],
    ['a.jpg', jpegOf(640, 480), 'JPEG image', 'image/jpeg'],
    ['a.webp', webpOf.lossless(640, 480), 'WebP image', 'image/webp'],
  ])('finds an image by its content: %s', async (path, content, name, type) => {
    const rig = await makeRig();
    rig.write({ [path]: content });
    const outcome = await rig.call('read_file', { path });
    expect(outcome.text).toMatch(new RegExp(`^${name}, .*, 640 x 480 pixels\\.$`));
    expect(outcome.image).toEqual({ type, width: 640, height: 480, content });
  });

  test.each([
    ['too many bytes', Buffer.concat([pngOf(10, 10), Buffer.alloc(imageBytes)])],
    ['a side that is too long', pngOf(imageSide + 1, 10)],
  ])('describes one with %s, and does not show it', async (_, content) => {
    const rig = await makeRig();
    rig.write({ 'a.png': content });
    const outcome = await rig.call('read_file', { path: 'a.png' });
    expect(outcome.image).toBeUndefined();
    expect(outcome.text).toContain('too large to be shown');
  });
});

test.each([
  [{ width: 1, height: 1 }, 1],
  [{ width: 750, height: 750 }, 750],
  [{ width: 8_000, height: 8_000 }, 3_000],
])('an image of %o is estimated at %d tokens', (size, tokens) => {
  expect(imageTokens(size)).toBe(tokens);
});
