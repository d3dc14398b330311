import { emitKeypressEvents } from 'node:readline';
import type { InStream, OutStream } from '../../ports/terminal.ts';
import type { Press } from './key.ts';

/** The terminal then says where pasted text begins and ends: a line end in it is no Enter. */
const markPastes = '\u001b[?2004h';
const noPastes = '\u001b[?2004l';

/** A key as Node describes it. */
interface NodeKey {
  name?: string;
  sequence?: string;
  ctrl?: boolean;
  meta?: boolean;
  shift?: boolean;
}

/** The keys of a terminal, one by one and without an echo that would break what is drawn. */
export class Keyboard {
  readonly #input: InStream;
  readonly #output: OutStream;
  readonly #onPress: (press: Press) => void;
  #pasted: string | undefined;
  #held = false;

  constructor(streams: { input: InStream; output: OutStream }, onPress: (press: Press) => void) {
    this.#input = streams.input;
    this.#output = streams.output;
    this.#onPress = onPress;
  }

  hold(): void {
    if (this.#held) return;
    this.#held = true;
    emitKeypressEvents(this.#input);
    this.#input.on('keypress', this.#onKeypress);
    this.#input.setRawMode?.(true);
    this.#input.resume();
    this.#output.write(markPastes);
  }

  /** Gives the terminal back as it was: Ctrl-C and Ctrl-Z are signals again. */
  release(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#output.write(noPastes);
    this.#input.setRawMode?.(false);
    this.#input.off('keypress', this.#onKeypress);
    this.#input.pause();
  }

  readonly #onKeypress = (text: string | undefined, key: NodeKey): void => {
    if (key.name === 'paste-start') this.#pasted = '';
    else if (key.name === 'paste-end') this.#endPaste();
    else if (this.#pasted !== undefined) this.#pasted += key.sequence ?? text ?? '';
    else {
      const { name, ctrl = false, meta = false, shift = false } = key;
      this.#onPress({ name, text: text ?? key.sequence ?? '', ctrl, meta, shift });
    }
  };

  #endPaste(): void {
    const pasted = this.#pasted ?? '';
    this.#pasted = undefined;
    this.#onPress({ pasted });
  }
}
