import type { ImageRef, ModelRequest, ToolResult } from '../ports/model.ts';

/** An image as the services take it. */
export interface LoadedImage {
  type: ImageRef['type'];
  base64: string;
}

/** Images of results, by their hash. An image that cannot be read any more is missing: its text describes it. */
export type Images = ReadonlyMap<string, LoadedImage>;

export async function loadImages({ messages, readImage }: ModelRequest): Promise<Images> {
  const loaded = new Map<string, LoadedImage>();
  for (const image of messages
    .flatMap((message) => (message.from === 'tools' ? message.results : []))
    .flatMap(listRefs)) {
    if (loaded.has(image.sha256)) continue;
    const bytes = await readImage?.(image).catch(() => undefined);
    if (bytes !== undefined) loaded.set(image.sha256, { type: image.type, base64: toBase64(bytes) });
  }
  return loaded;
}

const listRefs = ({ image }: ToolResult): ImageRef[] => (image === undefined ? [] : [image]);

const toBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');

/** A result, and the image that is shown with it. */
export interface ShownResult extends ToolResult {
  shown?: LoadedImage;
}

export const showResults = (results: readonly ToolResult[], images: Images): ShownResult[] =>
  results.map((result) => {
    const shown = result.image === undefined ? undefined : images.get(result.image.sha256);
    if (shown !== undefined) return { ...result, shown };
    return result.image === undefined
      ? result
      : { ...result, text: `${result.text} (The image is not there any more.)` };
  });

/** Said before an image that stands in a message of its own, where an API takes none in a result. */
export const introduce = ({ tool, id }: ToolResult): string => `The image that ${tool} read (call ${id}):`;
