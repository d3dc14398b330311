import { Component, type ComponentChild } from 'preact';

/** A component that is rendered again only when one of its properties is another value. */
export function memo<Props extends object>(render: (props: Props) => ComponentChild) {
  return class extends Component<Props> {
    override shouldComponentUpdate(next: Readonly<Props>): boolean {
      const keys = Object.keys(next) as (keyof Props)[];
      return keys.some((key) => next[key] !== this.props[key]);
    }

    override render(): ComponentChild {
      return render(this.props);
    }
  };
}
