/** A true image of one red pixel. */
export const redPixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
);

/** The headers of images of a size, as their programs write them; what they show does not follow. */
export function pngOf(width: number, height: number): Buffer {
  const png = Buffer.from(redPixel);
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  return png;
}

export function gifOf(width: number, height: number): Buffer {
  const sides = Buffer.alloc(4);
  sides.writeUInt16LE(width, 0);
  sides.writeUInt16LE(height, 2);
  return Buffer.concat([Buffer.from('GIF89a'), sides, Buffer.from([0, 0, 0])]);
}

/** Behind the segments that cameras and editors put first. */
export function jpegOf(width: number, height: number, frame = 0xc0): Buffer {
  const sides = Buffer.alloc(4);
  sides.writeUInt16BE(height, 0);
  sides.writeUInt16BE(width, 2);
  const segment = (marker: number, content: Buffer): Buffer => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(content.length + 2);
    return Buffer.concat([Buffer.from([0xff, marker]), length, content]);
  };
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from('JFIF\0\x01\x01')),
    segment(0xe1, Buffer.alloc(5_000, 0xff)),
    segment(0xc4, Buffer.alloc(30)),
    Buffer.from([0xff, 0xff]),
    segment(frame, Buffer.concat([Buffer.from([8]), sides, Buffer.from([3])])).subarray(1),
    Buffer.from([0xff, 0xda, 0, 0]),
  ]);
}

function webp(kind: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(content.length);
  return Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(4, 9), Buffer.from(`WEBP${kind}`), length, content]);
}

export const webpOf = {
  lossy(width: number, height: number): Buffer {
    const frame = Buffer.from([1, 0, 0, 0x9d, 0x01, 0x2a, 0, 0, 0, 0, 0, 0]);
    frame.writeUInt16LE(width, 6);
    frame.writeUInt16LE(height, 8);
    return webp('VP8 ', frame);
  },
  lossless(width: number, height: number): Buffer {
    const frame = Buffer.alloc(12);
    frame.writeUInt8(0x2f, 0);
    frame.writeUInt32LE(((height - 1) * 2 ** 14 + (width - 1)) >>> 0, 1);
    return webp('VP8L', frame);
  },
  extended(width: number, height: number): Buffer {
    const frame = Buffer.alloc(12);
    frame.writeUIntLE(width - 1, 4, 3);
    frame.writeUIntLE(height - 1, 7, 3);
    return webp('VP8X', frame);
  },
};
