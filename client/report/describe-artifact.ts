import type { Artifact } from '../../domain/artifacts/artifact.ts';

/** The public form of an artifact. */
export const describeArtifact = ({ id, kind, type, bytes, title, source, subtask, attempt, at }: Artifact) => ({
  ...{ id, kind, type, bytes, ...(title === undefined ? {} : { title }), source, subtask, attempt, at },
});
