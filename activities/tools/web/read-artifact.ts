import * as z from 'zod';

import { activityLimits } from '../../limits/activity-limits.ts';
import { failed } from '../common/tool-result.ts';
import type { ReadingTool, ToolContext, ToolOutcome } from '../common/tool.ts';
import type { Artifact } from '../../../domain/artifacts/artifact.ts';
import { describeArtifact, showArtifact } from './show-artifact.ts';

const { web, tools } = activityLimits;

export const artifactArgument = z.string().min(1).max(100);

const schema = z.strictObject({
  artifact: artifactArgument.describe('its name, af_...'),
  part: z.string().min(1).max(tools.path).exactOptional().describe('one page, slide, sheet or entry'),
  find: z.string().min(1).max(tools.pattern).exactOptional().describe('only lines with this text'),
  from: z.int().min(1).exactOptional().describe('first line, default 1'),
  lines: z.int().min(1).exactOptional().describe(`default ${tools.lines}`),
});

type Args = z.infer<typeof schema>;

export const readArtifact: ReadingTool<Args> = {
  name: 'read_artifact',
  description: 'Reads lines of the text of an artifact of this task.',
  kind: 'reads',
  schema,
  timeout: web.toolTimeout,
  run: async ({ artifact: id, part, find, from = 1, lines = tools.lines }, context) => {
    const artifact = await findArtifact(id, context);
    if ('ok' in artifact) return artifact;
    return showArtifact(artifact, { part, find, from, lines }, { heading: describeArtifact, context });
  },
};

/** The artifact of a name that a model wrote, or what to do without it. */
export async function findArtifact(id: string, { artifacts }: ToolContext): Promise<Artifact | ToolOutcome> {
  const entry = await artifacts.find(id);
  if (entry === undefined)
    return failed(
      `This task has no artifact ${id}. Names of artifacts begin with af_ and are in the first line of results.`,
    );
  if (!('gone' in entry)) return entry;
  const again = entry.url === undefined ? 'call the tool again that made it' : `fetch ${entry.url} again`;
  return failed(`${id} was dropped for newer artifacts: ${again}.`);
}
