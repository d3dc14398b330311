import type { ImageSize } from '../../../domain/conversation/image.ts';
import { formatBytes } from '../../../domain/text/bytes.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import type { ToolOutcome } from '../common/tool.ts';

const { imageBytes, imageSide } = activityLimits.tools;

/** An image as a result: what is known of it, and itself where it may be shown. `size` of the whole file, of which `bytes` were read. */
export function describeImage(
  { type, width, height }: ImageSize,
  { name, bytes, size }: { name: string; bytes: Buffer; size: number },
): ToolOutcome {
  const text = `${name}, ${formatBytes(size)}, ${width} x ${height} pixels.`;
  if (size > imageBytes || bytes.length < size || Math.max(width, height) > imageSide) {
    const most = `at most ${formatBytes(imageBytes)} and ${imageSide} pixels a side can be`;
    return { ok: true, text: `${text} It is too large to be shown: ${most}.` };
  }
  return { ok: true, text, image: { type, width, height, content: bytes } };
}
