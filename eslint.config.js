import tseslint from 'typescript-eslint';

const nodeBuiltins = ['node:*', 'fs', 'path', 'os', 'child_process', 'crypto', 'stream', 'http', 'net'];

export default tseslint.config(
  { ignores: ['node_modules', 'dist', 'bin', 'test/corpora', '**/*.js', '**/*.cjs', '**/*.mjs'] },
  ...tseslint.configs.strictTypeChecked,
  {
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      eqeqeq: 'error',
      'max-lines-per-function': ['error', { max: 70, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
    },
  },
  {
    // Workflow and domain code must be deterministic: nothing of Node, no logger that writes by itself.
    files: ['workflows/**', 'domain/**'],
    rules: {
      'no-restricted-imports': [
        'error',
        { patterns: [{ group: [...nodeBuiltins, 'pino'], message: 'not in deterministic code' }] },
      ],
      'no-restricted-globals': ['error', 'process', 'Buffer', 'fetch', 'setInterval', 'setImmediate', 'crypto'],
    },
  },
  {
    files: ['test/**', 'bench/**'],
    rules: { 'max-lines-per-function': 'off', '@typescript-eslint/no-non-null-assertion': 'off' },
  },
);
