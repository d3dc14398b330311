import * as z from 'zod';

import { formatBytes } from '../../../domain/text/bytes.ts';
import { activityLimits } from '../../limits/activity-limits.ts';
import { pathArgument } from '../common/arguments.ts';
import { answering } from '../common/tool-result.ts';
import type { MutatingTool } from '../common/tool.ts';
import { assessFiles } from '../files/assess-files.ts';
import { planContent, putContent } from '../files/change-content.ts';
import { onFiles } from '../files/settle-files.ts';
import { artifactArgument, findArtifact } from './read-artifact.ts';

const schema = z.strictObject({ artifact: artifactArgument, path: pathArgument });

type Args = z.infer<typeof schema>;

export const saveArtifact: MutatingTool<Args> = {
  name: 'save_artifact',
  description: 'Writes the bytes of an artifact into a file of the workspace.',
  kind: 'mutates',
  schema,
  timeout: activityLimits.tools.timeout,
  plan: async ({ artifact: id, path }, context) => {
    const artifact = await findArtifact(id, context);
    if ('ok' in artifact) return artifact;
    const { ref } = artifact;
    return answering(() =>
      planContent(path, context, (target) => {
        if (target.before === ref.sha256)
          return Promise.resolve({ ok: true, text: `${target.path} already has exactly this content: nothing to do.` });
        const verb = target.before === null ? 'create' : 'overwrite';
        return Promise.resolve({
          action: `${verb} ${target.path} with ${id} (${formatBytes(ref.bytes)})`,
          after: ref.sha256,
        });
      }),
    );
  },
  assess: (_, context, effect) => assessFiles('save_artifact', context, effect),
  perform: async ({ artifact: id }, effect, context) => {
    const artifact = await findArtifact(id, context);
    if ('ok' in artifact) return artifact;
    const content = await context.artifacts.bytes(artifact);
    return putContent(effect, context, (was) => ({
      content,
      summary: `${was === undefined ? 'created' : 'overwritten'} with ${formatBytes(content.length)} of ${id}`,
    }));
  },
  ...onFiles,
};
