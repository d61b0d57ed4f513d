import { Component } from "preact";

/** Component that rerenders only if a property is another value. */
export abstract class PureComponent<Props extends object> extends Component<Props> {
  override shouldComponentUpdate(next: Props): boolean {
    const keys = new Set([...Object.keys(this.props), ...Object.keys(next)]);
    return [...keys].some((key) => Reflect.get(this.props, key) !== Reflect.get(next, key));
  }
}
