/** What the workflow bundle holds: imports as they are after compilation, since types cost a workflow nothing. */
module.exports = {
  forbidden: [
    {
      name: 'workflows-reach-no-parser',
      comment:
        'schemas cost every new workflow 10 ms, and nothing that a workflow is given has to be parsed; types of them are fine',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: 'node_modules/(zod|jsonrepair|smol-toml|unbash|yaml)/', reachable: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: false,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js'] },
  },
};
