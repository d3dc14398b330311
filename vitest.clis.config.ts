import { defineConfig } from 'vitest/config';

/** `npm run test:clis`: the agent programs of the presets, as they are installed here, in a network namespace of their own. Minutes. */
export default defineConfig({
  test: {
    include: ['test/clis/**/*.test.ts'],
    globalSetup: ['test/support/vitest/global-server.ts'],
    testTimeout: 240_000,
    hookTimeout: 120_000,
    maxWorkers: 1,
  },
});
