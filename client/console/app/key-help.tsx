import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { keysOn, useKeys } from '../core/keys.ts';
import { navigate } from '../core/router.ts';
import { mayOperate } from '../core/session.ts';

const isOpen = signal(false);

const list: readonly (readonly [string, string])[] = [
  ['j  k', 'next, previous question'],
  ['1 – 7', 'choose an option'],
  ['Enter', 'send the answer (Ctrl Enter in a field)'],
  ['e', 'edit the plan or the arguments'],
  ['d', 'show the changes'],
  ['n', 'new task'],
  ['g i  g t  g p  g s', 'needs you, tasks, projects, system'],
  ['?', 'this list'],
];

export function useMainKeys(): void {
  useKeys({
    'g i': () => navigate('/'),
    'g t': () => navigate('/tasks'),
    'g p': () => navigate('/projects'),
    'g s': () => navigate('/system'),
    n: () => {
      if (mayOperate.value) navigate('/new');
    },
    '?': () => (isOpen.value = !isOpen.value),
  });
}

export function KeyHelp() {
  const panel = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen.value) panel.current?.showModal();
    else panel.current?.close();
  }, [isOpen.value]);
  return (
    <dialog class="sheet keys" ref={panel} aria-label="Keys" onClose={() => (isOpen.value = false)}>
      <h2>Keys</h2>
      <dl>
        {list.map(([key, text]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </>
        ))}
      </dl>
      <label class="check">
        <input type="checkbox" checked={keysOn.value} onChange={() => (keysOn.value = !keysOn.value)} />
        single keys are on
      </label>
      <button class="button" type="button" onClick={() => (isOpen.value = false)}>
        Close
      </button>
    </dialog>
  );
}
