/** The tasks that a task may continue, by its name: `site-r3` continues `site`, `site-r2`. A name that only looks so does no harm. */
export function listLineage(task: string): string[] {
  const [, stem, number] = /^(.+)-r(\d{1,4})$/u.exec(task) ?? [];
  if (stem === undefined) return [task];
  return [stem, ...Array.from({ length: Math.max(0, Number(number) - 1) }, (_, n) => `${stem}-r${n + 2}`)];
}
