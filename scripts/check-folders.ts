// `npm run walls`, its second half: how many files a folder holds, and that folders import in one direction, a parent counted as any other.
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** A folder is one capability: one with more files than this holds two. */
const mostFiles = 20;

/** Tests of one subject share their helpers, and a folder of them may be larger. */
const mostTests = 25;

const rooms = ['domain', 'workflows', 'activities', 'workers', 'client'];
const others = ['bench', 'scripts', 'test'];

/** Recorded data, which grows by its nature. */
const data = new Set(['test/corpora']);

const root = process.cwd();
const problems: string[] = [];

function countFiles(folder: string, most: number): void {
  if (data.has(folder)) return;
  const entries = readdirSync(join(root, folder), { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).length;
  if (files > most) problems.push(`${folder} has ${files} files; a folder has at most ${most}: split it by capability`);
  for (const entry of entries) if (entry.isDirectory()) countFiles(`${folder}/${entry.name}`, most);
}

/** The folders that the files of each folder import; one file of each pair is kept as an example. */
function readImports(): Map<string, Map<string, string>> {
  const graph = new Map<string, Map<string, string>>();
  for (const file of rooms.flatMap((room) => globSync(`${room}/**/*.{ts,tsx}`, { cwd: root }))) {
    const from = dirname(file);
    const targets = graph.get(from) ?? new Map<string, string>();
    graph.set(from, targets);
    for (const [, path = ''] of readFileSync(join(root, file), 'utf8').matchAll(/\bfrom '(\.{1,2}\/[^']+)'/g)) {
      const to = relative(root, dirname(resolve(root, from, path)));
      if (to !== from && !targets.has(to)) targets.set(to, file);
    }
  }
  return graph;
}

/** The shortest way from a folder back to itself, or undefined. */
function findCircle(graph: Map<string, Map<string, string>>, start: string): string[] | undefined {
  const cameFrom = new Map<string, string>();
  const waiting = [start];
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    for (const next of graph.get(folder)?.keys() ?? []) {
      if (next === start) {
        const circle = [folder];
        while (circle[0] !== undefined && circle[0] !== start) circle.unshift(cameFrom.get(circle[0]) ?? start);
        return circle;
      }
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, folder);
      waiting.push(next);
    }
  }
  return undefined;
}

function checkCircles(): void {
  const graph = readImports();
  const reported = new Set<string>();
  for (const start of [...graph.keys()].toSorted()) {
    if (reported.has(start)) continue;
    const circle = findCircle(graph, start);
    if (circle === undefined) continue;
    for (const folder of circle) reported.add(folder);
    const steps = circle.map((folder, index) => {
      const next = circle[index + 1] ?? start;
      return `${folder} imports ${next} (${graph.get(folder)?.get(next) ?? ''})`;
    });
    problems.push(`folders import in a circle: ${steps.join('; ')}`);
  }
}

for (const room of rooms) countFiles(room, mostFiles);
for (const folder of others) countFiles(folder, mostTests);
checkCircles();
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
