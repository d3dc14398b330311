/** Why a text is not a rule of `[gates]`, as the end of a sentence; undefined when it is one. */
export function ruleProblem(text: string): string | undefined {
  return /^(?:shell|git|write):\s*\S/.test(text)
    ? undefined
    : 'it should begin with `shell:`, `git:` or `write:`, and say what follows';
}
