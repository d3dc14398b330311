/** What the workflow bundle holds: imports as they are after compilation, since types cost a workflow nothing. */
module.exports = {
  forbidden: [
    {
      name: 'workflows-do-not-reach-zod',
      comment: 'schemas cost every new workflow 10 ms; types of them are fine',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: 'node_modules/zod', reachable: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: false,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
