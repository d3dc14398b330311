/** A plan to begin with. */
export const planTemplate = (workspace: string): string => `goal: Write a greeting
workspace: ${JSON.stringify(workspace)}
subtasks:
  - id: greet
    description: Write greeting.txt
    executor: { kind: command, run: [sh, -c, "echo hello > greeting.txt"] }
    deliverables: [greeting.txt]
    verify: ["grep -q hello greeting.txt"]
`;

/** A task of three programs, one of which fails until a person has given an instruction. It changes no file. */
export const examplePlan = (workspace: string): string => `goal: "See how Heddle asks: an example"
workspace: ${JSON.stringify(workspace)}
ladder: [{ tier: assigned }, { tier: assigned, feedback: true }, { person: true }]
subtasks:
  - id: look
    description: Look around in the folder
    executor: { kind: command, run: [sh, -c, "echo Looking; sleep 1; ls | head -5; echo done"] }
  - id: deploy
    description: A step that fails until a person has given an instruction
    dependsOn: [look]
    executor:
      kind: command
      run: [sh, -c, "grep -q '<guidance>' || { echo 'There is no instruction.' >&2; exit 1; }; echo 'There is one.'"]
  - id: summary
    description: Report that all is done
    dependsOn: [deploy]
    executor: { kind: command, run: [echo, All is done.] }
`;
