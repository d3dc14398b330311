import { imageTypes } from '../../../domain/conversation/image.ts';

/* Refusals of images by the services: a request that passes here has its images where and as the API takes them. */

type Fields = Readonly<Record<string, unknown>>;

const readFields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {};

const readFieldsList = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(readFields) : []);

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;
const dataUrl = new RegExp(`^data:(?:${imageTypes.join('|')});base64,(.*)$`, 's');

const isBase64 = (value: unknown): boolean =>
  typeof value === 'string' &&
  value.length % 4 === 0 &&
  base64.test(value.slice(0, 100)) &&
  base64.test(value.slice(-4));

const isDataUrl = (value: unknown): boolean => typeof value === 'string' && isBase64(dataUrl.exec(value)?.[1]);

type Check = (body: Fields) => string | undefined;

const first = (problems: (string | false)[]): string | undefined => problems.find((problem) => problem !== false);

/** Only users show images, as addresses that hold their data. */
export const checkChatImages: Check = ({ messages }) =>
  first(
    readFieldsList(messages).flatMap(({ role, content }) =>
      readFieldsList(content).map(({ type, image_url: image }) => {
        if (type === 'text') return false;
        if (role !== 'user')
          return `messages: a part of type ${String(type)} is not allowed in the role ${String(role)}`;
        return type === 'image_url' && !isDataUrl(readFields(image)['url']) && 'image_url.url: not a valid data URL';
      }),
    ),
  );

/** In the output of a call, or in what a user says. */
export const checkResponsesImages: Check = ({ input }) =>
  first(
    readFieldsList(input)
      .flatMap(({ output, content }) => [...readFieldsList(output), ...readFieldsList(content)])
      .map(
        ({ type, image_url: url }) => type === 'input_image' && !isDataUrl(url) && 'image_url: not a valid data URL',
      ),
  );

/** In the result of a call, or beside it. */
export const checkAnthropicImages: Check = ({ messages }) =>
  first(
    readFieldsList(messages)
      .flatMap(({ content }) => readFieldsList(content))
      .flatMap((block) => [block, ...(block['type'] === 'tool_result' ? readFieldsList(block['content']) : [])])
      .map(({ type, source }) => {
        if (type !== 'image') return false;
        const { type: kind, media_type: media, data } = readFields(source);
        const isKnown = kind === 'base64' && imageTypes.some((allowed) => allowed === media);
        return !(isKnown && isBase64(data)) && 'source: not a base64 image of a known media type';
      }),
  );

/** Plain base64, of any message. */
export const checkOllamaImages: Check = ({ messages }) =>
  first(
    readFieldsList(messages)
      .flatMap(({ images }): unknown[] => (Array.isArray(images) ? images : []))
      .map((image) => !isBase64(image) && 'illegal base64 data'),
  );
