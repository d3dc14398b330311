import type { Ref } from '../types/basic/ref.ts';

/** Types of images that all services take. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

export type ImageType = (typeof imageTypes)[number];

/** The type and size of an image, by its header. */
export interface ImageSize {
  type: ImageType;
  width: number;
  height: number;
}

/** An image in a conversation. What it shows is in the store, never in a log or a history. */
export interface ImageRef extends Ref, ImageSize {}

/** Services count about one token for so many pixels, and shrink what would be more than the most. */
const pixelsPerToken = 750;
const mostTokens = 3_000;

/** Estimated tokens of an image: bounded, however large it is. */
export const imageTokens = ({ width, height }: Pick<ImageSize, 'width' | 'height'>): number =>
  Math.min(mostTokens, Math.ceil((width * height) / pixelsPerToken));
