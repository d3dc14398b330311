import * as z from 'zod';
import { buildEnum, list, map, text, wholeNumber } from '../input/values.ts';
import { roles } from '../types/basic/role.ts';

/* `[server]`: the HTTP API and the console. It concerns the machine, so only the user's own file and the environment set it. */

const addressExpected = 'an IP address such as `127.0.0.1`, or `localhost`';
const urlExpected = 'an address such as `https://heddle.example.org`, without a path';

function isOrigin(value: string): boolean {
  if (value === '') return true;
  const url = URL.parse(value);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && value.replace(/\/$/, '') === url.origin;
}

export const serverSchema = map(
  {
    host: z
      .union([z.ipv4(), z.ipv6(), z.literal('localhost')], { error: addressExpected })
      .transform((host) => (host === 'localhost' ? '127.0.0.1' : host))
      .exactOptional(),
    port: wholeNumber(1, 65_535).exactOptional(),
    publicUrl: z
      .string({ error: urlExpected })
      .refine(isOrigin, { error: urlExpected })
      .transform((url) => url.replace(/\/$/, ''))
      .exactOptional(),
    local: buildEnum([...roles, 'none']).exactOptional(),
    workspaces: list(text('a folder'), 'a list of folders').exactOptional(),
  },
  'a table with `host`, `port`, `publicUrl`, `local` or `workspaces`',
);
