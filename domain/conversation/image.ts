import type { Ref } from '../types/basic/ref.ts';

/** Image types that all services accept. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;

export type ImageType = (typeof imageTypes)[number];

/** Type and size of an image, as its header states them. */
export interface ImageSize {
  type: ImageType;
  width: number;
  height: number;
}

/** An image in a conversation. Its bytes are in the store, never in a log or a history. */
export interface ImageRef extends Ref, ImageSize {}

/** Services count about one token for this many pixels, and shrink larger images. */
const pixelsPerToken = 750;
const mostTokens = 3_000;

/** Estimates the tokens of an image, with an upper bound. */
export const imageTokens = ({ width, height }: Pick<ImageSize, 'width' | 'height'>): number =>
  Math.min(mostTokens, Math.ceil((width * height) / pixelsPerToken));
