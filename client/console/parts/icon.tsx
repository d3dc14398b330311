import type { JSX } from 'preact';

const drawings = {
  ask: <path d="M7.5 8.5a4.5 4.5 0 1 1 6.5 4c-1.3.7-2 1.5-2 3M12 20v.1" />,
  gate: <path d="M12 3l7 3v5c0 4.6-3 8-7 10-4-2-7-5.4-7-10V6zM12 9v3.5M12 15.6v.1" />,
  plan: <path d="M5 6h6M5 12h14M13 18h6" />,
  coin: (
    <>
      <circle cx="12" cy="12" r="8" />
      <path d="M14.4 9.6c-.5-.7-1.4-1-2.4-1-1.4 0-2.4.7-2.4 1.7 0 2.4 5 1 5 3.5 0 1-1.1 1.7-2.6 1.7-1.1 0-2-.4-2.5-1.1M12 7v1.4M12 15.6V17" />
    </>
  ),
  ok: <path d="M5 12.5l4.5 4.5L19 7.5" />,
  no: <path d="M7 7l10 10M17 7L7 17" />,
  run: <circle cx="12" cy="12" r="6" class="filled" />,
  soon: <path d="M19 12a7 7 0 1 1-2.2-5.1M19 4v4h-4" />,
  idle: <circle cx="12" cy="12" r="5" />,
  skip: <path d="M6 12h12" />,
  pause: <path d="M9 6v12M15 6v12" />,
  in: <path d="M4 13h4l1.5 3h5L16 13h4M6 5h12l2 8v6H4v-6z" />,
  list: <path d="M8 6h12M8 12h12M8 18h12M4 6v.1M4 12v.1M4 18v.1" />,
  book: <path d="M5 5h6a2 2 0 0 1 2 2v13a2 2 0 0 0-2-2H5zM19 5h-4a2 2 0 0 0-2 2M19 5v13h-4a2 2 0 0 0-2 2" />,
  gear: (
    <>
      <path d="M4 8h9M17 8h3M4 16h3M11 16h9" />
      <circle cx="15" cy="8" r="2" />
      <circle cx="9" cy="16" r="2" />
    </>
  ),
} satisfies Record<string, JSX.Element>;

export type IconName = keyof typeof drawings;

/** A sign; the word beside it is read out, so the sign itself is not. */
export function Icon({ name, tone }: { name: IconName; tone?: string }) {
  return (
    <svg class={tone === undefined ? 'icon' : `icon is-${tone}`} viewBox="0 0 24 24" aria-hidden="true">
      {drawings[name]}
    </svg>
  );
}

export function Brand() {
  return (
    <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.7" aria-hidden="true">
      <path d="M5 2v20M12 2v6M12 16v6M19 2v20" />
      <ellipse cx="12" cy="12" rx="3" ry="4" class="eye-of-heddle" stroke-width="2" />
    </svg>
  );
}
