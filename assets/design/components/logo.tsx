interface Props {
  size?: number;
  /** False where the page draws the line itself, down to the mark. */
  line?: boolean;
  className?: string;
}

/** The mark: a plumb bob on its line. The line and collar take the colour of the text. */
export function LogoMark({ size = 24, line = true, className }: Props) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" className={className} aria-hidden="true">
      {line && (
        <path d="M12 .9v5" fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
      )}
      <rect x="10" y="5.1" width="4" height="3.6" rx="1.1" fill="currentColor" />
      <path
        d="M12 8.2c-2.7.2-4.6 1.7-4.6 3.9 0 1.5.8 2.7 1.6 4.2L12 23.2l3-6.9c.8-1.5 1.6-2.7 1.6-4.2 0-2.2-1.9-3.7-4.6-3.9z"
        fill="var(--act)"
      />
      <path d="M12 8.2v15l3-6.9c.8-1.5 1.6-2.7 1.6-4.2 0-2.2-1.9-3.7-4.6-3.9z" fill="#c43f14" />
    </svg>
  );
}
