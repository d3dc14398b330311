/** A machine as the kernel names it in the filter, and its numbers of the calls that are refused. */
interface Machine {
  audit: number;
  /** `add_key`, `request_key`, `keyctl`: the keyrings of the user are not separated by any namespace. */
  refused: readonly number[];
  /** From here on numbers mean the calls of another interface, which nobody needs. */
  below?: number;
}

const x64: Machine = { audit: 0xc000003e, refused: [248, 249, 250], below: 0x40000000 };
const x86: Machine = { audit: 0x40000003, refused: [286, 287, 288] };
const arm64: Machine = { audit: 0xc00000b7, refused: [217, 218, 219] };
const arm: Machine = { audit: 0x40000028, refused: [309, 310, 311] };

/** Each also runs programs of its smaller brother. */
const machines: Partial<Record<NodeJS.Architecture, readonly Machine[]>> = { x64: [x64, x86], arm64: [arm64, arm] };

const load = 0x20;
const ifEqual = 0x15;
const ifNotBelow = 0x35;
const give = 0x06;
const allowed = 0x7fff0000;
/** The call fails with EPERM. */
const refusal = 0x00050001;
const numberAt = 0;
const machineAt = 4;

type Step = [code: number, yes: number, no: number, value: number];

/** Builds the filter of calls that the kernel refuses to a command, which bubblewrap loads; undefined for machines that we do not know. */
export function systemCallFilter(architecture: NodeJS.Architecture = process.arch): Uint8Array | undefined {
  const machineEntries = machines[architecture];
  if (machineEntries === undefined) return undefined;
  const steps: Step[] = [[load, 0, 0, machineAt], ...machineEntries.flatMap(stepsFor), [give, 0, 0, refusal]];
  const bytes = Buffer.alloc(steps.length * 8);
  for (const [index, [code, yes, no, value]] of steps.entries()) {
    bytes.writeUInt16LE(code, index * 8);
    bytes.writeUInt8(yes, index * 8 + 2);
    bytes.writeUInt8(no, index * 8 + 3);
    bytes.writeUInt32LE(value, index * 8 + 4);
  }
  return bytes;
}

/** Jumps count the steps that are left out. */
function stepsFor({ audit, refused, below }: Machine): Step[] {
  const tests: Step[] = [
    ...(below === undefined ? [] : [[ifNotBelow, refused.length + 1, 0, below] satisfies Step]),
    ...refused.map((number, index): Step => [ifEqual, refused.length - index, 0, number]),
  ];
  const block: Step[] = [[load, 0, 0, numberAt], ...tests, [give, 0, 0, allowed], [give, 0, 0, refusal]];
  return [[ifEqual, 0, block.length, audit], ...block];
}
