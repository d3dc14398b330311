import type { TestError } from 'vitest';
import type { Reporter, TestCase } from 'vitest/node';

/** Says at the end of a run what a test failed with before it passed: a retry hides neither the error nor the seed that leads to it. */
export default class RetryReporter implements Reporter {
  readonly #retried: string[] = [];

  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    if (state !== 'passed' || errors.length === 0) return;
    this.#retried.push([`${test.module.relativeModuleId} > ${test.fullName}`, ...errors.map(tell)].join('\n'));
  }

  onTestRunEnd(): void {
    if (this.#retried.length === 0) return;
    const list = this.#retried.map((text) => text.replaceAll('\n', '\n  ')).join('\n\n');
    process.stdout.write(`\nPassed on retry: ${this.#retried.length}. Each failed first with:\n\n${list}\n`);
  }
}

function tell({ message, stack = message, cause }: TestError): string {
  return cause === undefined ? stack : `${stack}\ncaused by ${tell(cause)}`;
}
