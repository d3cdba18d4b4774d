import eslint from '@eslint/js';
import prettier from 'eslint-config-prettier';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const PURE = [
  'random',
  'expression',
  'ngram',
  'generator',
  'column-rule',
  'bytes',
  'records',
  'sync-job',
  'copy-format',
  'masking',
  'personal-data',
].map((name) => `libs/${name}/src/**/*.ts`);

export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/generated/**', '.nx/**', '.understudy/**'] },
  eslint.configs.recommended,
  {
    files: ['**/*.{ts,tsx,mts}'],
    extends: [...tseslint.configs.strict],
    rules: {
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true, allowEmpty: true }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/consistent-type-imports': 'off', // the fix of this rule breaks Nest's injection by type
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message: 'Read process.env only in a config folder.',
        },
      ],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        module: 'writable',
        require: 'readonly',
        __filename: 'readonly',
        __dirname: 'readonly',
        URL: 'readonly',
        setTimeout: 'readonly',
        Buffer: 'readonly',
        AbortController: 'readonly',
      },
    },
  },
  {
    files: ['**/src/config/**', 'tools/**', '**/*.spec.ts', '**/test/**', 'libs/testing/**'],
    rules: { 'no-restricted-syntax': 'off', 'no-console': 'off' },
  },
  {
    files: ['libs/local-system/**'], // looks for programs in PATH, and passes the environment to other processes
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    files: ['apps/dashboard/public/**'],
    languageOptions: { globals: { document: 'readonly', localStorage: 'readonly' } },
  },
  { files: ['apps/dashboard/src/**', 'libs/ui/src/**'], ...reactHooks.configs.flat.recommended },
  {
    files: ['apps/dashboard/src/**', 'libs/ui/src/**'],
    // The rule warns of libraries that the React Compiler does not support. The build does not use it.
    rules: { 'react-hooks/incompatible-library': 'off' },
  },
  {
    files: ['libs/sync-engine/src/verify/**'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            {
              name: '@understudy/postgres',
              allowImportNames: [
                'Client',
                'EngineLog',
                'Session',
                'quoteIdentifier',
                'quoteTable',
                'releasingLocks',
              ],
              message: 'A check has queries of its own, because it must see what those of the plan overlook.',
            },
          ],
          patterns: [
            {
              group: ['attempt', 'checks', 'copy', 'plan', 'stage'].map((folder) => `**/${folder}/**`),
              allowTypeImports: true,
              message: 'A check shares no code with what it verifies. It may import types.',
            },
          ],
        },
      ],
    },
  },
  {
    files: PURE,
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-globals': [
        'error',
        'Date',
        'Intl',
        'process',
        'Buffer',
        'setTimeout',
        'crypto',
        'performance',
      ],
      'no-restricted-properties': [
        'error',
        { object: 'Math', property: 'random', message: 'Use libs/random for random numbers.' },
        ...['log', 'log2', 'log10', 'log1p', 'exp', 'expm1', 'sin', 'cos', 'tan', 'pow'].map((property) => ({
          object: 'Math',
          property,
          message: 'The last bit of the result depends on the engine. Use libs/random/src/math/math.ts.',
        })),
      ],
    },
  },
  prettier,
);
