import * as z from 'zod';
import { planLimits } from '../input/limits.ts';
import { argumentList, buildEnum, duration, environmentName, list, map, text, yesNo } from '../input/values.ts';
import { workspaceAccesses } from '../types/basic/tool-server.ts';

/* `[mcp.NAME]` and `[tools]`: tools that are not Heddle's own. */

export const serverNameForm = 'at most 32 letters of ASCII, digits, `-` and single `_`';

/** It is a part of the names of its tools, which the services of models bound. */
export const serverName = z.string().regex(/^(?!.*__)[A-Za-z0-9](?:[A-Za-z0-9_-]{0,30}[A-Za-z0-9-])?$/);

const urlExpected = 'an address such as `https://mcp.example.org/mcp`';

const serverUrl = text(urlExpected)
  .max(planLimits.address, { error: urlExpected })
  .refine(isAddress, { error: urlExpected });

function isAddress(value: string): boolean {
  const url = URL.parse(value);
  return url !== null && ['http:', 'https:'].includes(url.protocol) && url.username === '' && url.password === '';
}

const patternExpected = 'the name of a tool of the server, or a pattern such as `get_*`';

const folders = list(text('the path of a folder'), 'a list of folders');
const variables = list(environmentName('env', { orMissing: true }), 'a list of names of environment variables');

export const mcpServerSchema = map(
  {
    command: argumentList.min(1, { error: 'a program with its arguments' }).exactOptional(),
    url: serverUrl.exactOptional(),
    tokenEnv: environmentName('tokenEnv', { alone: true }).exactOptional(),
    env: variables.exactOptional(),
    network: yesNo.exactOptional(),
    workspace: buildEnum(workspaceAccesses).exactOptional(),
    read: folders.exactOptional(),
    sandbox: yesNo.exactOptional(),
    home: yesNo.exactOptional(),
    tools: list(text(patternExpected), 'a list of names of tools').exactOptional(),
    hints: yesNo.exactOptional(),
    optional: yesNo.exactOptional(),
    warm: yesNo.exactOptional(),
    start: duration(planLimits.timeout).exactOptional(),
    timeout: duration(planLimits.timeout).exactOptional(),
  },
  'a table with `command` or `url`',
);

export type ServerConfig = z.output<typeof mcpServerSchema>;

export const ownToolsSchema = map(
  {
    files: list(text('the path of a file, or a pattern of paths'), 'a list of files').exactOptional(),
    env: variables.exactOptional(),
    network: yesNo.exactOptional(),
    timeout: duration(planLimits.timeout).exactOptional(),
  },
  'a table with `files`',
);
