import { DefaultFailureConverter } from '@temporalio/common';

/** Puts messages and stacks of failures into a payload, which the codec encrypts like every other. Loaded by its path, here and in the bundle. */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
