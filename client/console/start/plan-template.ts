/** A plan to begin with. */
export const planTemplate = `goal: Write a greeting
workspace: /tmp
subtasks:
  - id: greet
    description: Write greeting.txt
    executor: { kind: command, run: [sh, -c, "echo hello > greeting.txt"] }
    deliverables: [greeting.txt]
    verify: ["grep -q hello greeting.txt"]
`;
