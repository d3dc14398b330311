/** Tells on stderr how far a part has come. */
export function stopwatch(): { report: (text: string) => void; minutes: () => number } {
  const begun = performance.now();
  const seconds = (): number => (performance.now() - begun) / 1_000;
  return { report: (text) => console.error(`${seconds().toFixed(0)} s  ${text}`), minutes: () => seconds() / 60 };
}
