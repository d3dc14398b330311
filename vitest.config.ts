import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Its server is built and needs PostgreSQL: `npm run test:fleet`.
    // Tasks of minutes are for `npm run test:large`.
    exclude: [
      'test/fleet/**',
      ...(process.env['HEDDLE_LARGE'] === undefined ? ['test/large/**'] : []),
      'node_modules/**',
    ],
    globalSetup: ['test/support/global-server.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // How long something that is waited for may take on a busy machine; what comes sooner is not waited for.
    expect: { poll: { timeout: 20_000 } },
    // Two cores: more files at once only make a real server and real programs wait for each other.
    maxWorkers: 2,
    // On a machine that others load too, a real server now and then answers later than a test waits: once more, and it is said.
    retry: process.env['CI'] === undefined ? 0 : 1,
    reporters: ['default', 'test/support/retry-reporter.ts'],
  },
});
