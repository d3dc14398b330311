import { PassThrough } from 'node:stream';
import type { Ports } from '../../../../client/ports/ports.ts';
import type { Decision, DecisionKind } from '../../../../domain/types/decision.ts';
import type { AttemptView } from '../../../../domain/types/attempt-view.ts';
import type { StatusView, SubtaskView } from '../../../../domain/views/task-status.ts';

/** A stream that keeps what is written to it. */
export function capture(terminal: { isTTY?: boolean; columns?: number; rows?: number } = {}) {
  const stream = new PassThrough();
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  return Object.assign(stream, terminal, { text: () => Buffer.concat(chunks).toString('utf8') });
}

const notHere = (name: string) => (): never => {
  throw new Error(`${name} was not to be called`);
};

/** Ports of a command that must not reach for anything, except for what the test gives. */
export function testPorts(given: Partial<Ports> = {}, terminal: { isTTY?: boolean; columns?: number } = {}) {
  const stdout = capture(terminal);
  const stderr = capture(terminal);
  const ports: Ports = {
    env: {},
    cwd: process.cwd(),
    stdin: new PassThrough(),
    stdout,
    stderr,
    connect: notHere('connect'),
    connectIfRunning: notHere('connectIfRunning'),
    up: notHere('up'),
    upInBackground: notHere('upInBackground'),
    down: notHere('down'),
    worker: notHere('worker'),
    replay: notHere('replay'),
    doctor: notHere('doctor'),
    handOverVariables: () => Promise.resolve(() => undefined),
    refreshVariables: () => Promise.resolve(),
    forgetVariables: () => Promise.resolve(),
    serve: notHere('serve'),
    consoleAddress: notHere('consoleAddress'),
    findConsole: notHere('findConsole'),
    browse: notHere('browse'),
    addToken: notHere('addToken'),
    listTokens: notHere('listTokens'),
    listTools: notHere('listTools'),
    serveTools: notHere('serveTools'),
    revokeToken: notHere('revokeToken'),
    readOutput: notHere('readOutput'),
    listArtifacts: () => Promise.resolve([]),
    liveLog: notHere('liveLog'),
    resolveProject: notHere('projectOf'),
    stampFiles: notHere('stampFiles'),
    compareLeft: notHere('compareLeft'),
    readStored: notHere('readStored'),
    prune: notHere('prune'),
    readConfig: () => Promise.resolve([]),
    readProcessFile: notHere('readProcessFile'),
    listProcesses: notHere('listProcesses'),
    showProcess: notHere('showProcess'),
    writeProcess: notHere('writeProcess'),
    readTaskProcess: notHere('readTaskProcess'),
    trustConfig: notHere('trustConfig'),
    identifyFolder: notHere('identifyFolder'),
    trustFolder: notHere('trustFolder'),
    distrustConfig: notHere('distrustConfig'),
    diffTask: notHere('diffTask'),
    undoTask: notHere('undoTask'),
    searchTexts: notHere('searchTexts'),
    checkModel: notHere('checkModel'),
    findModels: () => Promise.resolve({ seen: [] }),
    buildSettings: notHere('buildSettings'),
    ...given,
  };
  return { ports, stdout: stdout.text, stderr: stderr.text };
}

export const started = '2026-11-16T10:00:00.000Z';
export const at = (seconds: number): string => new Date(Date.parse(started) + seconds * 1_000).toISOString();

export function subtask(id: string, given: Partial<SubtaskView> = {}): SubtaskView {
  return {
    id,
    state: 'pending',
    attempts: 0,
    tier: 1,
    rung: 1,
    waitingFor: null,
    dependsOn: [],
    verdict: null,
    reason: null,
    startedAt: null,
    endedAt: null,
    notBefore: null,
    ...given,
  };
}

export function status(given: Partial<StatusView> = {}): StatusView {
  return {
    id: 't1',
    state: 'running',
    goal: 'Publish the notes',
    summary: 'Running draft',
    project: 'website',
    host: 'h1',
    workspace: '/w',
    planVersion: 1,
    startedAt: started,
    endedAt: null,
    code: null,
    subtasks: [],
    decisions: [],
    budget: {},
    remediations: [],
    lastEventId: 1,
    ...given,
  };
}

type OfKind<Kind extends DecisionKind> = Extract<Decision, { kind: Kind }>;

/** The fields that each kind of question has for itself. */
const kindsOfQuestion: { [Kind in DecisionKind]: Pick<OfKind<Kind>, 'kind' | 'subtask' | 'signature'> } = {
  escalation: { kind: 'escalation', subtask: 'deploy', signature: 'tool-failed-1a' },
  approval: { kind: 'approval', subtask: 'deploy', signature: null },
  plan: { kind: 'plan', subtask: null, signature: null },
  budget: { kind: 'budget', subtask: null, signature: null },
  question: { kind: 'question', subtask: 'deploy', signature: null },
};

export type GivenDecision =
  | Partial<OfKind<'escalation'>>
  | { [Kind in DecisionKind]: { kind: Kind } & Partial<OfKind<Kind>> }[DecisionKind];

export function decision(given: GivenDecision = {}): Decision {
  return {
    id: 'deploy-1',
    problem: 'deploy ended with an error.',
    tried: ['Attempt 1, tier 1, failed in 2 s: no route'],
    recommendation: 'fix',
    options: [
      { id: 'retry', label: 'Try again', consequence: 'Runs deploy again.', reversible: true },
      { id: 'fix', label: 'Try again with my instruction', consequence: 'Runs it with your words.', reversible: true },
      { id: 'abort', label: 'Stop the task', consequence: 'Nothing more is started.', reversible: false },
    ],
    openedAt: started,
    deadline: null,
    onTimeout: 'wait',
    ...kindsOfQuestion[given.kind ?? 'escalation'],
    ...(given.kind === 'budget' ? { budget: 'costUsd' } : {}),
    ...(given.kind === 'question' ? { asks: { kind: 'question', call: '1.0', question: 'Which?', options: [] } } : {}),
    ...given,
  } as Decision;
}

export function record(given: Partial<AttemptView> = {}): AttemptView {
  return {
    subtask: 'draft',
    attempt: 1,
    rung: 1,
    tier: 1,
    thinking: false,
    strategy: 'first',
    startedAt: started,
    endedAt: at(2),
    outcome: 'passed',
    type: null,
    category: null,
    signature: null,
    summary: '',
    details: '',
    rootCause: '',
    suggestedFix: '',
    filesAffected: [],
    verify: [],
    verdict: 'pass',
    reruns: 0,
    waits: [],
    tokens: 0,
    costUsd: 0,
    modelCalls: 0,
    toolCalls: 0,
    models: [],
    transcriptRef: null,
    outputRef: null,
    ...given,
  };
}
