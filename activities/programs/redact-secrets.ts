import type { Variables } from './base-environment.ts';

/** Names whose values are secrets; others (NODE_ENV, CI) are words that output may hold for good reasons. */
const secretName = /TOKEN|KEY|SECRET|PASS|CREDENTIAL|AUTH|COOKIE|DSN/i;

/** A shorter value is more likely a word than a secret. */
const shortestSecret = 8;

/** Replaces the values of secret variables by their names, in text that goes into the history. */
export function redactSecrets(text: string, variables: Variables): string {
  let redacted = text;
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined || value.length < shortestSecret || !secretName.test(name)) continue;
    redacted = redacted.replaceAll(value, `[${name}]`);
  }
  return redacted;
}
