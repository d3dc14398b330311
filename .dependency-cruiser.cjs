/** The walls between the rooms. A room imports only those above its own line of dependency. */
const rooms = ['domain', 'workflows', 'activities', 'workers', 'client', 'test', 'bench', 'scripts'];
const only = (room, allowed) => ({
  name: `${room}-imports-only-${allowed.join('-') || 'itself'}`,
  severity: 'error',
  from: { path: `^${room}/` },
  to: { path: rooms.filter((other) => other !== room && !allowed.includes(other)).map((other) => `^${other}/`) },
});

module.exports = {
  forbidden: [
    only('domain', []),
    only('workflows', ['domain']),
    only('activities', ['domain']),
    only('client', ['domain', 'workflows']),
    only('workers', ['domain', 'workflows', 'activities', 'client']),
    {
      name: 'client-knows-only-the-messages-of-workflows',
      severity: 'error',
      from: { path: '^client/' },
      to: { path: '^workflows/', pathNot: '^workflows/(task|project)/messages\\.ts$' },
    },
    {
      name: 'the-console-knows-only-the-wire',
      comment: 'it runs in a browser: what it shares with the server are types',
      severity: 'error',
      from: { path: '^client/console/' },
      to: { path: '^(client/(?!console/|wire/)|domain/(?!types/)|workflows/)' },
    },
    {
      name: 'nobody-imports-the-console',
      severity: 'error',
      from: { path: '^(?!client/console/)' },
      to: { path: '^client/console/' },
    },
    {
      name: 'domain-is-pure',
      comment: 'no I/O, no clock, no Temporal',
      severity: 'error',
      from: { path: '^domain/' },
      to: { dependencyTypes: ['core', 'npm'], pathNot: 'node_modules/(zod|jsonrepair|smol-toml|unbash|yaml)/' },
    },
    {
      name: 'workflow-bundle-without-zod-or-node',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: ['node_modules/(?!@temporalio/(workflow|common)/)'] },
    },
    {
      name: 'only-the-wiring-knows-where-the-store-is',
      comment: 'everybody else takes the port of activities/store/store.ts',
      severity: 'error',
      from: { path: '^activities/', pathNot: '^activities/(create-activities\\.ts$|store/)' },
      to: { path: '^activities/store/file-store\\.ts$' },
    },
    {
      name: 'the-wire-is-schemas-alone',
      comment: 'HTTP, MCP and the console share them',
      severity: 'error',
      from: { path: '^client/wire/' },
      to: { path: ['^client/(?!wire/)', '^workflows/', 'node_modules/(?!zod/)'] },
    },
    {
      name: 'the-console-knows-the-wire-alone',
      comment: 'it runs in a browser, and everything else comes by HTTP',
      severity: 'error',
      from: { path: '^client/console/' },
      to: { path: ['^client/(?!console/|wire/)', '^workflows/', '^domain/(?!types/)'] },
    },
    {
      name: 'the-api-takes-no-terminal',
      severity: 'error',
      from: { path: '^client/http/' },
      to: { path: '^client/(cli|terminal|console)/' },
    },
    {
      name: 'only-the-api-and-its-server-know-http',
      severity: 'error',
      from: {
        path: '^(domain|workflows|activities|workers|client)/',
        pathNot: '^(client/http|client/mcp|workers/serve)/',
      },
      to: { path: ['^client/http/', 'node_modules/(hono|@hono)/'] },
    },
    {
      name: 'the-agent-loop-knows-no-attempt',
      comment: 'a conversation belongs to an owner (activities/agent/conversation-owner.ts), whatever that is',
      severity: 'error',
      from: { path: '^activities/agent/' },
      to: { path: ['^activities/(attempt|execute|home)/', '^activities/workspace/(?!snapshots/write-watch\\.ts$)'] },
    },
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-cycles-between-folders',
      comment: 'inside a room, sub-folders import in one direction too',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js'] },
  },
};
