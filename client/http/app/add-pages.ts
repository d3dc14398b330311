import { HeddleError } from '../../../domain/errors/heddle-error.ts';
import type { AppParts, Asset } from '../app-parts.ts';
import type { App } from './app.ts';

/** The addresses of the console: each answers the same document, which reads the rest by the API. */
const pages = [
  '/',
  '/tasks',
  '/tasks/:task',
  '/tasks/:task/decisions/:decision',
  '/new',
  '/projects',
  '/projects/:project',
  '/failures',
  '/system',
  '/sign-in',
];

/** Nothing but the console's own files runs in its pages, and nothing frames them. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The pages of the console and their files. They hold no data, so nobody needs a token for them. */
export function addPages(app: App, { assets }: AppParts): void {
  app.notFound((c) => {
    const asset = assets !== undefined && isRead(c.req.method) ? assets.open(c.req.path) : undefined;
    if (asset !== undefined) return sendAsset(asset);
    throw new HeddleError({
      code: 'ROUTE_NOT_FOUND',
      message: 'There is nothing at this address',
      hint: 'The API is below /api/v1; /api/v1/openapi.json lists its routes.',
    });
  });
  if (assets === undefined) return;
  for (const path of pages)
    app.get(path, (c) => {
      c.header('content-security-policy', policy);
      c.header('cache-control', 'no-cache');
      return c.body(assets.page(), 200, { 'content-type': 'text/html; charset=utf-8' });
    });
}

const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD';

const sendAsset = ({ body, type, immutable }: Asset): Response =>
  new Response(body, {
    headers: {
      'content-type': type,
      'content-security-policy': policy,
      'cache-control': immutable ? 'public, max-age=31536000, immutable' : 'no-cache',
    },
  });
