// Whether a worker lives: its metrics answer. For the image's health check, which has no curl.
const [address] = process.argv.slice(2);
try {
  const { ok } = await fetch(address, { signal: AbortSignal.timeout(3_000) });
  process.exitCode = ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
