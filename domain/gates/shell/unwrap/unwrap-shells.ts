import { innerText, hidden, type Inner } from '../words/inner.ts';
import type { ProgramInput } from '../words/command-reading.ts';
import { isCertain, type ShellWord } from '../words/word.ts';

/** Shells whose language is read here; others are like any interpreter. */
const shells = new Set(['sh', 'bash', 'dash', 'ash', 'ksh', 'mksh', 'rbash', 'zsh']);

/** The task that a shell was given. */
export type ShellTask =
  | { kind: 'text'; word: ShellWord }
  | { kind: 'file'; word: ShellWord }
  /** From its standard input. */
  | { kind: 'input' }
  /** `--version`, `-n`. */
  | { kind: 'nothing' }
  | { kind: 'unknown' };

export const isShell = (name: string): boolean => shells.has(name);

export function shellTask(words: readonly ShellWord[]): ShellTask {
  let takesText = false;
  let at = 1;
  for (; at < words.length; at += 1) {
    const word = words[at];
    if (word === undefined || !/^[-+]./.test(word.text)) break;
    if (!isCertain(word)) return { kind: 'unknown' };
    const { text } = word;
    if (text === '--') {
      at += 1;
      break;
    }
    if (/^--(?:version|help)$/.test(text)) return { kind: 'nothing' };
    if (/^--(?:rcfile|init-file)/.test(text)) return { kind: 'unknown' };
    if (text.startsWith('--')) continue;
    if (text.startsWith('-') && text.includes('c')) takesText = true;
    if (/[oO]$/.test(text)) at += 1;
    if (text.startsWith('-') && text.includes('s') && !takesText) return { kind: 'input' };
  }
  const operand = words[at];
  if (operand === undefined || (operand.text === '-' && !takesText)) return { kind: takesText ? 'nothing' : 'input' };
  if (takesText) return { kind: 'text', word: operand };
  return operand.kind === 'open' ? { kind: 'unknown' } : { kind: 'file', word: operand };
}

export function unwrapShell(name: string, words: readonly ShellWord[], input: ProgramInput): Inner[] | undefined {
  if (!isShell(name)) return undefined;
  const task = shellTask(words);
  if (task.kind === 'unknown') return [hidden];
  if (task.kind === 'input' && input.kind === 'text' && input.exact === true)
    return [{ kind: 'text', text: input.text, of: [], sharesInput: true }];
  // An input that comes through a program may be changed on the way, and is read for what is worse than that.
  if (task.kind === 'input' && input.kind === 'text') return [{ kind: 'text', text: input.text, of: [], guess: true }];
  return task.kind === 'text' ? innerText([task.word]) : [];
}
