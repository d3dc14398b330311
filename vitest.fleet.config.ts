import { defineConfig } from 'vitest/config';

/** `npm run test:fleet`: Temporal on PostgreSQL, built and started here. Minutes, and it needs Go and PostgreSQL: not for every change. */
export default defineConfig({
  test: {
    include: ['test/fleet/**/*.test.ts'],
    maxWorkers: 1,
  },
});
