import { Component, type ReactNode } from 'react';

interface Props {
  /** What is drawn; another key starts afresh after a failure. */
  resetKey: string;
  fallback: ReactNode;
  children: ReactNode;
}

/** A drawing that fails must not take the conversation with it. */
export class DrawingBoundary extends Component<Props, { failedAt: string | null }> {
  override state: { failedAt: string | null } = { failedAt: null };

  override componentDidCatch(): void {
    this.setState({ failedAt: this.props.resetKey });
  }

  static getDerivedStateFromError(): { failedAt: string } {
    return { failedAt: '' };
  }

  override componentDidUpdate(previous: Props): void {
    if (previous.resetKey !== this.props.resetKey && this.state.failedAt !== null)
      this.setState({ failedAt: null });
  }

  override render(): ReactNode {
    return this.state.failedAt === null ? this.props.children : this.props.fallback;
  }
}
