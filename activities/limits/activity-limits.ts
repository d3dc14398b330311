import { agentLimits } from './agent-limits.ts';
import { artifactLimits } from './artifact-limits.ts';
import { checkLimits } from './check-limits.ts';
import { commandLimits } from './command-limits.ts';
import { discoveryLimits } from './discovery-limits.ts';
import { documentLimits } from './document-limits.ts';
import { evidenceLimits } from './evidence-limits.ts';
import { judgeLimits } from './judge-limits.ts';
import { modelLimits } from './model-limits.ts';
import { plannerLimits } from './planner-limits.ts';
import { programLimits } from './program-limits.ts';
import { repositoryLimits } from './repository-limits.ts';
import { serverLimits } from './server-limits.ts';
import { storeLimits } from './store-limits.ts';
import { threadLimits } from './thread-limits.ts';
import { toolLimits } from './tool-limits.ts';
import { webLimits } from './web-limits.ts';
import { workspaceLimits } from './workspace-limits.ts';

/** Limits of the activities, by owner: each file of this folder has the limits of one, with their reasons. Durations are milliseconds. */
export const activityLimits = {
  ...programLimits,
  ...checkLimits,
  ...storeLimits,
  tools: toolLimits,
  threads: threadLimits,
  documents: documentLimits,
  servers: serverLimits,
  commands: commandLimits,
  discovery: discoveryLimits,
  models: modelLimits,
  agent: agentLimits,
  judge: judgeLimits,
  evidence: evidenceLimits,
  planner: plannerLimits,
  workspace: workspaceLimits,
  repositories: repositoryLimits,
  web: webLimits,
  artifacts: artifactLimits,
} as const;
