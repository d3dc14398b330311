import { useEffect, useState } from 'preact/hooks';
import { explainError } from '../api/api-error.ts';
import { get, withQuery } from '../api/call.ts';
import { Icon } from '../parts/icon.tsx';
import { useLoaded } from '../parts/use-loaded.ts';

interface Models {
  models: { name: string }[];
  routes: { role: string; model: string | null }[];
}

const pauseMs = 400;

/** The means to run it: a goal needs a model that plans, in the config of its folder. */
export function Readiness({ byPlan, workspace, checked }: { byPlan: boolean; workspace: string; checked: boolean }) {
  const folder = useSettled(workspace);
  const { value, error } = useLoaded(
    (signal) => get<Models>(withQuery('/models', { workspace: folder }), signal),
    [folder],
  );
  const planner = value?.routes.find(({ role, model }) => role === 'planner' && model !== null)?.model;
  return (
    <ul class="checks">
      {byPlan || value === undefined ? null : (
        <Check
          ok={planner !== undefined && error === undefined}
          text={
            error !== undefined
              ? explainError(error).message
              : planner === undefined
                ? 'No model plans goals: add one to heddle.toml, or give a plan.'
                : `${planner} makes the plan.`
          }
        />
      )}
      {checked ? <Check ok text={byPlan ? 'The plan has no problem.' : 'The goal can be started.'} /> : null}
    </ul>
  );
}

function Check({ ok, text }: { ok: boolean; text: string }) {
  return (
    <li>
      <Icon name={ok ? 'ok' : 'no'} tone={ok ? 'done' : 'fail'} />
      <span>{text}</span>
    </li>
  );
}

/** A text once it has not been changed for a moment. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}
