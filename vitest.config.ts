import { defineConfig } from 'vitest/config';

/** They replace functions of Node or of ours for good: each has a process of its own. */
const alone = ['test/activities/tools/files/cut.test.ts', 'test/activities/workspace/worktree-cut.test.ts'];

/** Whole services, browsers and hundreds of commands: a minute each, for `npm run test:long`. */
const long = [
  'test/e2e/walls/gate-spellings.test.ts',
  'test/e2e/service/outdated.test.ts',
  'test/e2e/console/apart.test.ts',
  'test/e2e/console/pages.test.ts',
  'test/e2e/console/tabs.test.ts',
  'test/e2e/hosts.test.ts',
];

/**
 * Its server is built and needs PostgreSQL: `npm run test:fleet`.
 * Tasks of minutes are for `npm run test:large`, real agent programs for `npm run test:clis`, installations for `npm run test:package`.
 */
const elsewhere = [
  'test/fleet/**',
  'test/clis/**',
  'test/package/**',
  ...(process.env['HEDDLE_LARGE'] === undefined ? ['test/large/**'] : []),
  ...(process.env['HEDDLE_LONG'] === undefined ? long : []),
];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // How long something that is waited for may take on a busy machine; what comes sooner is not waited for.
    expect: { poll: { timeout: 20_000 } },
    // Most of them wait now and then, for a real server, a real program, a timer: these are enough to keep two cores busy all the time.
    maxWorkers: 5,
    // Node runs our files as they are: to rewrite them, and each use of an import in them, cost a fifth of what a test of rules takes.
    experimental: { viteModuleRunner: false },
    // Starting a program copies the page tables of the process that does: small ones start many programs for half of the system's time.
    execArgv: ['--max-semi-space-size=4'],
    // On a machine that others load too, a real server now and then answers later than a test waits: once more, and it is said.
    retry: process.env['CI'] === undefined ? 0 : 1,
    reporters: ['default', './test/support/vitest/retry-reporter.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'together',
          include: process.env['HEDDLE_LONG'] === undefined ? ['test/**/*.test.ts'] : long,
          exclude: [...alone, ...elsewhere, 'node_modules/**'],
          globalSetup: ['test/support/vitest/global-server.ts'],
          // One process for many files: loading vitest, the SDK and our code costs more than most files do.
          isolate: false,
        },
      },
      { extends: true, test: { name: 'alone', include: alone } },
    ],
  },
});
