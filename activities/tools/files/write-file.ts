import * as z from 'zod';
import { formatBytes } from '../../../domain/text/bytes.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { sha256 } from '../../system/hash-file.ts';
import { answering } from '../common/tool-result.ts';
import { pathArgument } from '../common/arguments.ts';
import { planContent, putContent } from './change-content.ts';
import { assessFiles } from './assess-files.ts';
import { onFiles } from './settle-files.ts';
import type { MutatingTool } from '../common/tool.ts';

const schema = z.strictObject({ path: pathArgument, content: z.string() });

type Args = z.infer<typeof schema>;

export const writeFile: MutatingTool<Args> = {
  name: 'write_file',
  description: 'Writes a whole file, new or in place of what is there; folders on the way are made.',
  kind: 'mutates',
  schema,
  timeout: activityLimits.tools.timeout,
  plan: ({ path, content }, context) =>
    answering(() =>
      planContent(path, context, (target) => {
        const after = sha256(content);
        if (target.before === after) {
          return Promise.resolve({ ok: true, text: `${target.path} already has exactly this content: nothing to do.` });
        }
        const verb = target.before === null ? 'create' : 'overwrite';
        return Promise.resolve({ action: `${verb} ${target.path} with ${formatSize(content)}`, after });
      }),
    ),
  assess: (_, context, effect) => assessFiles('write_file', context, effect),
  perform: ({ content }, effect, context) =>
    putContent(effect, context, (was) => ({
      content,
      summary: `${was === undefined ? 'created' : 'overwritten'} with ${formatSize(content)}`,
    })),
  ...onFiles,
};

const formatSize = (content: string): string => formatBytes(Buffer.byteLength(content));
