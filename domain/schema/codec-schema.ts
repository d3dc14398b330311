import { map, text } from '../input/values.ts';

/* `[codec]`: encryption of what the Temporal server stores. It concerns the machine, so only the user's own file and the environment set it. */

export const codecSchema = map({ keys: text('a file').exactOptional() }, 'a table with `keys`');
