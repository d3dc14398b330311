// The port through which values of secrets reach their use, and nothing else.
import { expect, expectTypeOf, test } from 'vitest';
import { EnvironmentSecrets, type PublicEnvironment } from '../../../activities/redact/secrets.ts';

test('variables that a plan names are found or missing, an empty one is found, an optional one may be missing', () => {
  expect(new EnvironmentSecrets({ A: '1', B: '' }).valuesOf(['A', 'B', 'C', 'D?', 'toString'])).toEqual({
    values: { A: '1', B: '' },
    missing: ['C', 'toString'],
  });
});

test('a value is that of a variable, never of a property of all objects', () => {
  const secrets = new EnvironmentSecrets({ TOKEN: 'abc' });
  expect(secrets.value('TOKEN')).toBe('abc');
  expect(secrets.value('toString')).toBeUndefined();
});

test('a variable that is set later counts too', () => {
  const variables: Record<string, string> = {};
  const secrets = new EnvironmentSecrets(variables);
  variables['TOKEN'] = 'a-secret-value';
  expect(secrets.value('TOKEN')).toBe('a-secret-value');
  expect(secrets.redactor(['TOKEN?']).text('it is a-secret-value')).toBe('it is [TOKEN]');
});

test('the public environment names folders and settings, and no secret', () => {
  expectTypeOf<'PATH' | 'XDG_CONFIG_HOME' | 'HEDDLE_HOME'>().toExtend<keyof PublicEnvironment>();
  expectTypeOf<'GH_TOKEN'>().not.toExtend<keyof PublicEnvironment>();
});
