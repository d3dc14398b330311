// A worker's process as far as its descriptors go: what would a program get that it starts?
import { spawnSync } from 'node:child_process';
import { closeInherited } from '../../../activities/programs/close-inherited.ts';

const inherited = (): string[] =>
  spawnSync('/bin/sh', ['-c', 'ls /proc/self/fd'], { encoding: 'utf8' }).stdout.trim().split('\n');

const before = inherited();
closeInherited();
process.stdout.write(JSON.stringify({ before, after: inherited() }));
