import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Artifact } from '../../../../domain/artifacts/artifact.ts';
import { HeddleError } from '../../../../domain/errors/heddle-error.ts';
import { formatBytes } from '../../../../domain/text/bytes.ts';
import { describeArtifact } from '../../../report/describe-artifact.ts';
import { renderTable } from '../../../terminal/render/table.ts';
import { plainLine } from '../../../terminal/text/terminal-text.ts';
import type { Context } from '../../shared/context.ts';
import { exits } from '../../shared/exit-codes.ts';
import { withTask } from '../find-task.ts';

export interface ArtifactsOptions {
  /** The file that takes the bytes, instead of stdout. */
  output?: string;
}

/** `heddle artifacts`: what a task keeps from outside, or the bytes of one. */
export function artifactsCommand(
  context: Context,
  task: string,
  id: string | undefined,
  options: ArtifactsOptions,
): Promise<number> {
  return withTask(context, task, async (handle) => {
    const { output, ports } = context;
    const artifacts = await ports.listArtifacts(handle.id);
    if (id !== undefined) return writeArtifact(context, findArtifact(artifacts, handle.id, id), options);
    if (output.json) output.data(artifacts.map(describeArtifact));
    else if (artifacts.length === 0) output.note('This home keeps no artifacts of the task.');
    else output.print(...renderTable(artifacts.map(toRow), output.width, output.paint));
    return exits.done;
  });
}

const toRow = ({ id, kind, bytes, source, subtask }: Artifact) => ({
  cells: [id, kind, formatBytes(bytes), subtask, plainLine('url' in source ? source.url : source.tool)],
});

function findArtifact(artifacts: readonly Artifact[], task: string, id: string): Artifact {
  const artifact = artifacts.find((each) => each.id === id);
  if (artifact !== undefined) return artifact;
  throw notFound(`This home keeps no artifact ${id} of the task ${task}.`);
}

const notFound = (message: string): HeddleError =>
  new HeddleError({
    code: 'ARTIFACT_NOT_FOUND',
    message,
    hint: '`heddle artifacts TASK` lists those that are here; the home of the host that ran the task may have more.',
  });

async function writeArtifact(
  { output, ports }: Context,
  artifact: Artifact,
  options: ArtifactsOptions,
): Promise<number> {
  const stream = await ports.readOutput(artifact.ref.sha256);
  if (stream === undefined) throw notFound(`The bytes of ${artifact.id} are no longer in this home.`);
  if (options.output === undefined) {
    const write = output.foreign();
    for await (const piece of stream) await write(piece);
    return exits.done;
  }
  const file = resolve(ports.cwd, options.output);
  await pipeline(stream, createWriteStream(file)).catch((error: unknown) => {
    throw new HeddleError({
      code: 'OUTPUT_NOT_WRITTEN',
      message: `${artifact.id} cannot be written: ${error instanceof Error ? error.message : String(error)}`,
      where: file,
      hint: 'Name a file in a folder that exists and that you may write to.',
    });
  });
  if (output.json) output.data({ ...describeArtifact(artifact), file });
  else output.print(file);
  return exits.done;
}
