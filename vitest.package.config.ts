import { defineConfig } from 'vitest/config';

/** `npm run test:package`: both packages as npm installs them from their packed files. It needs the npm registry; about a minute. */
export default defineConfig({
  test: {
    include: ['test/package/**/*.test.ts'],
    globalSetup: ['test/package/setup.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
    fileParallelism: false,
  },
});
