import styles from './loading-overlay.module.css';

/** The page while the app loads: the bob swings and comes to rest within 800 ms. */
export function LoadingOverlay({ leaving, label }: { leaving: boolean; label: string }) {
  return (
    <div className={styles.overlay} data-leaving={leaving || undefined} role="status" aria-label={label}>
      <svg width="64" height="128" viewBox="0 0 32 64" aria-hidden="true" className={styles.mark}>
        <g className={styles.bob}>
          <path d="M16 0v36" fill="none" stroke="currentColor" strokeWidth="0.75" />
          <g transform="translate(4 32)">
            <rect x="10" y="4.1" width="4" height="4.6" rx="1.1" fill="currentColor" />
            <path
              d="M12 8.2c-2.7.2-4.6 1.7-4.6 3.9 0 1.5.8 2.7 1.6 4.2L12 23.2l3-6.9c.8-1.5 1.6-2.7 1.6-4.2 0-2.2-1.9-3.7-4.6-3.9z"
              fill="var(--act)"
            />
            <path d="M12 8.2v15l3-6.9c.8-1.5 1.6-2.7 1.6-4.2 0-2.2-1.9-3.7-4.6-3.9z" fill="#c43f14" />
          </g>
        </g>
      </svg>
    </div>
  );
}
