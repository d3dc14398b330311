export type SubtaskStatus =
  'pending' | 'running' | 'waiting' | 'remediating' | 'completed' | 'failed' | 'skipped' | 'blocked';
