/** A task of three programs, one of which fails until a person has said something. It changes no file. */
export const examplePlan = {
  goal: 'See how Heddle asks: an example',
  ladder: [{ tier: 'assigned' }, { tier: 'assigned', feedback: true }, { person: true }],
  subtasks: [
    {
      id: 'look',
      description: 'Look around in the folder',
      executor: { kind: 'command', run: ['sh', '-c', 'echo "Looking…"; sleep 1; ls | head -5; echo done'] },
    },
    {
      id: 'deploy',
      description: 'A step that fails until a person has given an instruction',
      dependsOn: ['look'],
      executor: {
        kind: 'command',
        run: [
          'sh',
          '-c',
          'if grep -q "<guidance>"; then echo "I was told."; else echo "Nobody told me what to do." >&2; exit 1; fi',
        ],
      },
    },
    {
      id: 'summary',
      description: 'Say that all is done',
      dependsOn: ['deploy'],
      executor: { kind: 'command', run: ['echo', 'All is done.'] },
    },
  ],
};
