/** `outside` and `protected` are refusals; the rest is what the disk shows. `moved`: nobody knows where the last step led. */
type PathProblemKind = 'outside' | 'protected' | 'missing' | 'unusable' | 'moved';

/** A path that a tool may not or cannot use. Its message is for the model. */
export class PathProblem extends Error {
  override readonly name = 'PathProblem';
  readonly kind: PathProblemKind;

  constructor(kind: PathProblemKind, message: string) {
    super(message);
    this.kind = kind;
  }
}
