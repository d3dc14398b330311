import { render } from 'preact';
import { App } from './app/app.tsx';
import { openSession } from './core/session.ts';
import { followBoard } from './live/connection.ts';
import './style/fonts.css';
import './style/tokens.css';
import './style/base.css';
import './style/shell.css';
import './style/inbox.css';
import './style/card.css';
import './style/task.css';
import './style/plan.css';
import './style/pages.css';
import './style/narrow.css';

const root = document.querySelector('#app');
if (root !== null) render(<App />, root);
void openSession().then(followBoard);
